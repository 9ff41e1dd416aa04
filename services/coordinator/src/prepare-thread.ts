/** The thread of {@link ModelPreparer}: model or capture in, prepared frame out. */
import { parentPort } from 'node:worker_threads';
import {
  chooseGridShape,
  type ErrorCode,
  type Frame,
  makeCoarseBinGrid,
  type PreparedFrame,
  RenderError,
} from '@tessera/frame';
import { reflectByCompiling } from '@tessera/gl';
import { DEFAULT_TRACE_LIMITS, describeReplay, readTrace, replayFrame } from '@tessera/gl/apitrace';
import { ProgramCache, prepareFrame } from '@tessera/multi-chiplet';
import { importGltf } from '@tessera/scenes';
import type { FrameOptions } from './frame-options.ts';
import type { CaptureSource, FrameSource } from './frame-source.ts';
import type { PreparedModel } from './model-preparer.ts';

export interface PrepareRequest {
  readonly source: FrameSource;
  readonly options: FrameOptions;
}

export type PrepareAnswer =
  | { readonly kind: 'prepared'; readonly model: PreparedModel }
  | {
      readonly kind: 'failed';
      /** Null for a bug. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly stack: string;
    };

const programs = new ProgramCache();

interface ReadFrame {
  readonly frame: Frame;
  readonly warnings: readonly string[];
}

async function readSource({ source, options }: PrepareRequest): Promise<ReadFrame> {
  if (source.kind === 'capture') return readCapture(source);
  const { widthPx, heightPx, cameraIndex, timeSeconds } = options;
  return importGltf(source, {
    widthPx,
    heightPx,
    timeSeconds,
    ...(cameraIndex === null ? {} : { cameraIndex }),
  });
}

function readCapture({ bytes, frameIndex, limits }: CaptureSource): ReadFrame {
  const { maxBytes, maxCalls, maxPixels } = limits;
  const calls = readTrace(bytes, {
    ...DEFAULT_TRACE_LIMITS,
    maxDecompressedBytes: maxBytes,
    maxCalls,
  });
  const reflection = reflectByCompiling((program) => programs.compile(program));
  const replayed = replayFrame(calls, { reflection, frameIndex, maxBytes });
  const { frame } = replayed;
  const pixels = frame.widthPx * frame.heightPx;
  if (pixels > maxPixels) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `the capture's window: ${frame.widthPx}×${frame.heightPx}, ${pixels} pixels; at most ${maxPixels}`,
    );
  }
  return { frame, warnings: describeReplay(replayed) };
}

async function prepare(request: PrepareRequest): Promise<PreparedModel> {
  const startMs = performance.now();
  const { options } = request;
  const { frame, warnings } = await readSource(request);
  const { widthPx, heightPx } = frame;
  const { columns, rows } = chooseGridShape(options.binCount, widthPx, heightPx);
  const prepared = prepareFrame(frame, {
    grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows),
    visibilityShader: options.visibilityShader,
    timing: options.timing,
    programs,
  });
  return { frame: prepared, warnings, prepareMs: performance.now() - startMs };
}

/** Memory that belongs to one array of the frame alone, which is moved instead of copied. */
function listOwnBuffers(frame: PreparedFrame): ArrayBuffer[] {
  const arrays = [
    ...frame.buffers.map(({ bytes }) => bytes),
    ...frame.textures.flatMap(({ levels }) => levels),
  ];
  const uses = new Map<ArrayBufferLike, number>();
  for (const { buffer } of arrays) uses.set(buffer, (uses.get(buffer) ?? 0) + 1);
  return arrays
    .filter(({ buffer, byteLength }) => uses.get(buffer) === 1 && byteLength === buffer.byteLength)
    .map(({ buffer }) => buffer)
    .filter((buffer) => buffer instanceof ArrayBuffer);
}

parentPort?.on('message', async (request: PrepareRequest) => {
  try {
    const model = await prepare(request);
    const answer: PrepareAnswer = { kind: 'prepared', model };
    parentPort?.postMessage(answer, listOwnBuffers(model.frame));
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RenderError ? error.code : null;
    const answer: PrepareAnswer = { kind: 'failed', code, message, stack: stack ?? message };
    parentPort?.postMessage(answer);
  }
});
