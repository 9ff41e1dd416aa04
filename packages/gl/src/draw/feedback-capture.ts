/**
 * Transform feedback. The vertices of a draw are rendered immediately, as points into dedicated
 * targets. The texels of the targets are the captured words, which are then written to the buffers.
 */
import { defaultPipelineState, RenderError } from '@tessera/frame';
import type { DrawProgram } from '../fixed/draw-programs.ts';
import type { IndexedBinding } from '../objects/buffers/indexed-buffers.ts';
import { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import { RenderbufferObject } from '../objects/framebuffers/renderbuffer-object.ts';
import type { FeedbackVarying } from '../objects/programs/feedback-varyings.ts';
import type { LinkedProgram } from '../objects/programs/program-objects.ts';
import {
  type FeedbackObject,
  VERTICES_BY_FEEDBACK_MODE,
} from '../objects/queries/transform-feedback.ts';
import type { AttributeInputs } from '../objects/vertex-arrays/vertex-array.ts';
import type { DrawCall, DrawRecorder } from '../recording/draw-recorder.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { Recording } from '../recording/recording.ts';
import {
  CAPTURE_UNIFORM,
  CAPTURE_WIDTH,
  makeCaptureSource,
  WORDS_PER_CAPTURE,
} from './capture-program.ts';

const RGBA32UI = 0x8d70;
const MAX_CAPTURE_ROWS = 4096;
const WORD_BYTES = 4;
const TEXEL_BYTES = 16;

/** Draw of consecutive vertices. */
export interface CapturedDraw {
  readonly first: number;
  readonly count: number;
  readonly instanceCount: number;
  readonly inputs: AttributeInputs;
}

/** Part of a buffer that receives some words of each vertex. */
interface FeedbackStream {
  readonly binding: IndexedBinding;
  readonly firstWord: number;
  readonly wordCount: number;
}

/** Parts of a context that captures need. */
interface CaptureParts {
  readonly recorder: DrawRecorder;
  readonly recording: Recording;
}

/** Capture of vertex shader outputs in one context. */
export class FeedbackCapture {
  readonly #parts: CaptureParts;
  readonly #programs = new WeakMap<LinkedProgram, readonly DrawProgram[]>();
  #primitiveCount = 0;

  constructor(parts: CaptureParts) {
    this.#parts = parts;
  }

  /** Number of primitives written so far. */
  get primitiveCount(): number {
    return this.#primitiveCount;
  }

  /**
   * Captures a draw. Returns the reason if it cannot be captured, else `null`.
   *
   * @throws {RenderError} LIMIT_EXCEEDED for too many vertices.
   */
  capture(object: FeedbackObject, draw: CapturedDraw): string | null {
    const active = object.active;
    if (active === null) return null;
    const { mode, program } = active;
    const perPrimitive = VERTICES_BY_FEEDBACK_MODE.get(mode)!;
    const count = draw.count - (draw.count % perPrimitive);
    const vertexCount = count * draw.instanceCount;
    const { varyings, isSeparate } = program.feedback;
    const streams = listStreams(varyings, isSeparate, object.bindings);
    for (const { binding, wordCount } of streams) {
      const endBytes = (active.vertexCount + vertexCount) * wordCount * WORD_BYTES;
      const restBytes = binding.buffer.sizeBytes - binding.offsetBytes;
      if (endBytes > Math.min(binding.sizeBytes ?? restBytes, restBytes)) {
        return `transform feedback needs ${endBytes} bytes of buffer ${binding.buffer.name}`;
      }
    }
    if (vertexCount === 0) return null;
    const captured = this.#captureWords(program, { ...draw, count }, vertexCount);
    if (typeof captured === 'string') return captured;
    for (const stream of streams) writeStream(stream, captured, active.vertexCount, vertexCount);
    active.vertexCount += vertexCount;
    this.#primitiveCount += vertexCount / perPrimitive;
    return null;
  }

  /**
   * Returns the captured texels, one array for every four words. Vertices are in order. Returns the
   * reason if the draw is rejected.
   */
  #captureWords(
    program: LinkedProgram,
    { first, count, instanceCount, inputs }: CapturedDraw,
    vertexCount: number,
  ): Uint8Array[] | string {
    const rowsNeeded = Math.ceil(vertexCount / CAPTURE_WIDTH);
    const rows = 2 ** (32 - Math.clz32(rowsNeeded - 1));
    if (rows > MAX_CAPTURE_ROWS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `transform feedback of ${vertexCount} vertices; at most ${MAX_CAPTURE_ROWS * CAPTURE_WIDTH}`,
      );
    }
    const wordCount = program.feedback.varyings.reduce((sum, { words }) => sum + words.length, 0);
    const groups: Uint8Array[] = [];
    for (const [part, capturing] of this.#programsOf(program).entries()) {
      const words = Math.min(WORDS_PER_CAPTURE, wordCount - part * WORDS_PER_CAPTURE);
      const target = makeTarget(Math.ceil(words / 4), rows);
      const { snapshot } = capturing.uniforms;
      const placed: DrawProgram = {
        ...capturing,
        uniforms: {
          ...capturing.uniforms,
          snapshot: () => ({ ...snapshot(), [CAPTURE_UNIFORM]: [first, count, rows] }),
        },
      };
      const state = defaultPipelineState(CAPTURE_WIDTH, rows);
      const common = { first, count, instanceCount, inputs, state, indices: null };
      const problem = this.#drawNow(
        { ...common, topology: 'points', lastVertex: first + count - 1 },
        placed,
        { framebuffer: target.framebuffer, widthPx: CAPTURE_WIDTH, heightPx: rows },
      );
      if (problem !== null) return problem;
      for (const { texels } of target.buffers) groups.push(texels!);
    }
    return groups;
  }

  /**
   * Renders a draw immediately. The frame in progress is rendered only if the draw samples
   * textures.
   */
  #drawNow(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    const { recorder, recording } = this.#parts;
    const record = () => recorder.draw(call, program, target);
    const [sampler] = program.uniforms.samplers();
    if (sampler === undefined) return recording.renderApart(record);
    return recording.withoutCounting(() => {
      const problem = record();
      if (problem === null) recording.resolve();
      return problem;
    });
  }

  #programsOf(program: LinkedProgram): readonly DrawProgram[] {
    const known = this.#programs.get(program);
    if (known !== undefined) return known;
    const words = program.feedback.varyings.flatMap((varying) => varying.words);
    const programs: DrawProgram[] = [];
    for (let at = 0; at < words.length; at += WORDS_PER_CAPTURE) {
      const part = words.slice(at, at + WORDS_PER_CAPTURE);
      const source = makeCaptureSource(program.source.vertexSource, part);
      const { attributes, uniforms, blocks } = program;
      programs.push({
        source,
        attributes,
        blocks,
        uniforms: {
          builtInNames: uniforms.builtInNames,
          snapshot: () => uniforms.snapshot(),
          samplers: () => uniforms.samplers(),
        },
      });
    }
    this.#programs.set(program, programs);
    return programs;
  }
}

function listStreams(
  varyings: readonly FeedbackVarying[],
  isSeparate: boolean,
  bindings: readonly (IndexedBinding | null)[],
): FeedbackStream[] {
  let firstWord = 0;
  const parts = isSeparate ? varyings.map(({ words }) => words.length) : [countWords(varyings)];
  return parts.map((wordCount, index) => {
    const binding = bindings[index];
    if (binding === null || binding === undefined)
      throw new Error(`transform feedback buffer ${index} is not bound`);
    const stream = { binding, firstWord, wordCount };
    firstWord += wordCount;
    return stream;
  });
}

function countWords(varyings: readonly FeedbackVarying[]): number {
  return varyings.reduce((sum, { words }) => sum + words.length, 0);
}

function makeTarget(
  count: number,
  rows: number,
): { readonly framebuffer: FramebufferObject; readonly buffers: readonly RenderbufferObject[] } {
  const framebuffer = new FramebufferObject(0);
  const buffers = Array.from({ length: count }, () => new RenderbufferObject(0));
  framebuffer.colorPoints = buffers.map((_, i) => `color${i}` as const);
  for (const [i, renderbuffer] of buffers.entries()) {
    renderbuffer.setStorage(RGBA32UI, CAPTURE_WIDTH, rows);
    framebuffer.attachments.set(`color${i}`, { kind: 'renderbuffer', renderbuffer });
  }
  return { framebuffer, buffers };
}

/**
 * Writes the words of each vertex to one buffer.
 *
 * @param groups Captured texels, one array for every four words.
 */
function writeStream(
  { binding, firstWord, wordCount }: FeedbackStream,
  groups: readonly Uint8Array[],
  writtenVertices: number,
  vertexCount: number,
): void {
  const bytes = new Uint8Array(vertexCount * wordCount * WORD_BYTES);
  for (let word = 0; word < wordCount; word++) {
    const source = firstWord + word;
    const texels = groups[source >> 2]!;
    for (let vertex = 0; vertex < vertexCount; vertex++) {
      const from = vertex * TEXEL_BYTES + (source & 3) * WORD_BYTES;
      const to = (vertex * wordCount + word) * WORD_BYTES;
      for (let byte = 0; byte < WORD_BYTES; byte++) bytes[to + byte] = texels[from + byte]!;
    }
  }
  const { buffer, offsetBytes } = binding;
  buffer.write(offsetBytes + writtenVertices * wordCount * WORD_BYTES, bytes);
}
