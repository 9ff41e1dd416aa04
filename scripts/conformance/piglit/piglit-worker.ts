/** Worker process of `npm run conformance:piglit`: captures, replays and judges tests. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCapture } from '@tessera/experiments/read-capture';
import { RenderError } from '@tessera/frame';
import { type CapturedCall, readCalls, summarizeCapture } from '@tessera/gl/apitrace';
import { LocalGpu } from '@tessera/local-gpu';
import { ProgramCache } from '@tessera/multi-chiplet';
import { differenceFrom, isReference } from '../mesa/image-verdict.ts';
import { keepTest } from '../mesa/keep-test.ts';
import { replayOnMesa } from '../mesa/replay-on-mesa.ts';
import { captureTest, isEsTest, RUN_TIMEOUT_MS } from './capture-test.ts';
import type { PiglitTest } from './list-tests.ts';
import type { PiglitOutcome, PiglitResult } from './piglit-result.ts';

/** Arguments of the worker process. */
export interface PiglitArguments {
  readonly piglit: string;
  /** Folder for captures and images of tests that do not agree; `null` for none. */
  readonly keep: string | null;
}

const GL_READ_FRAMEBUFFER = 0x8ca8;

const FLOAT_SNAPSHOT = "Mesa's replay stores a target of floats with values of 0 and 255 only";

/**
 * Tests that are not judged, with the reason: those whose images in Mesa's replays are not those of
 * the test, and those whose image OpenGL leaves open.
 */
const NOT_JUDGED: ReadonlyMap<string, string> = new Map([
  ['spec@mesa_pack_invert@mesa_pack_invert-readpixels', 'the state of the test flips the image'],
  [
    'spec@!opengl 3.0@gl-3.0-vertexattribipointer',
    'the capture has arrays of integers in memory as arrays of floats',
  ],
  ['spec@ext_texture_srgb@fbo-fast-clear', FLOAT_SNAPSHOT],
  ['spec@arb_framebuffer_srgb@fbo-fast-clear', FLOAT_SNAPSHOT],
  [
    'spec@!opengl 1.1@copyteximage 2d',
    'OpenGL leaves the loss of generic compressed formats to implementations',
  ],
  [
    'spec@glsl-1.20@execution@fs-underflow-mul-compare-zero',
    'GLSL leaves to implementations whether products below the smallest normal float are zero',
  ],
]);

const { piglit, keep } = JSON.parse(process.argv[2]!) as PiglitArguments;
const gpu = new LocalGpu({ chipletCount: 2 });

process.on('message', (test: PiglitTest) => void answer(test));
process.send!('ready');

async function answer(test: PiglitTest): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-piglit-'));
  try {
    const [outcome, ...messages] = await judge(test, join(folder, 'test.trace'));
    const { name, folder: group } = test;
    process.send!({ name, folder: group, outcome, messages } satisfies PiglitResult);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function judge(test: PiglitTest, path: string): Promise<[PiglitOutcome, ...string[]]> {
  const reason = NOT_JUDGED.get(test.name);
  if (reason !== undefined) return ['not judged', reason];
  if (!captureTest(piglit, test, path)) return ['not judged', 'does not pass on softpipe'];
  const bytes = readFileSync(path);
  const end = findEnd(bytes);
  if (end === null) return ['not judged', 'draws nothing'];
  if (end.isUnseenWindow) return ['not judged', 'draws into a window that is never shown'];
  const { call } = end;
  const isEs = isEsTest(test);
  const api = isEs ? 'egl' : 'gl';
  const replay = { capture: path, api, isEs, call, timeoutMs: RUN_TIMEOUT_MS } as const;
  const references = replayOnMesa(replay);
  if (!isReference(references)) return ['not judged', "Mesa's renderers have no common image"];
  const stored = { keep, name: test.name, bytes };
  try {
    const { frame, warnings } = readCapture(bytes, { call }, new ProgramCache());
    const { image } = await gpu.render(frame);
    const difference = differenceFrom(image, references);
    if (difference === null) return ['agrees'];
    keepTest({ ...stored, images: [image, ...references] });
    return ['wrong', difference, `call ${call}`, ...warnings];
  } catch (error) {
    keepTest({ ...stored, images: references });
    if (error instanceof RenderError) return ['refused', error.message];
    return ['crash', error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

/** End of the frame that is compared. */
interface JudgedEnd {
  /** Last call before the last one that finishes an image. */
  readonly call: number;
  /**
   * Whether the image is that of a window that is never shown. Mesa's replay does not resize it, so
   * all but 32×32 pixels are undefined.
   */
  readonly isUnseenWindow: boolean;
}

/** Returns the end of the last frame that a capture draws; `null` without one. */
function findEnd(bytes: Uint8Array): JudgedEnd | null {
  const { ends, frames } = summarizeCapture(readCalls(bytes));
  const last = ends.at(-1)?.call;
  if (last === undefined) return null;
  let before: CapturedCall | null = null;
  let framebuffer: unknown = 0;
  for (const call of readCalls(bytes)) {
    if (call.number >= last) break;
    if (!call.isComplete || !/^gl[A-WYZ]/.test(call.name) || call.isFake) continue;
    before = call;
    const { target } = call.args;
    const isRead = target === GL_READ_FRAMEBUFFER;
    if (/^glBindFramebuffer/.test(call.name) && !isRead) ({ framebuffer } = call.args);
  }
  if (before === null) return null;
  return { call: before.number, isUnseenWindow: framebuffer === 0 && frames.length === 0 };
}
