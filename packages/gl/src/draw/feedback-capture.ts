/**
 * Transform feedback. The vertex shader of a draw runs immediately, in a pass that writes its
 * outputs to memory. The captured words are then written to the buffers.
 */
import { defaultPipelineState, RenderError } from '@tessera/frame';
import type { DrawProgram } from '../fixed/draw-programs.ts';
import type { IndexedBinding } from '../objects/buffers/indexed-buffers.ts';
import { makeCaptureSource } from '../objects/programs/capture-program.ts';
import type { FeedbackVarying } from '../objects/programs/feedback-varyings.ts';
import type { LinkedProgram } from '../objects/programs/program-objects.ts';
import type { ReflectedProgram } from '../objects/programs/program-reflection.ts';
import { isFilledByContext, placeAttributes } from '../objects/programs/reflected-inputs.ts';
import {
  type FeedbackObject,
  VERTICES_BY_FEEDBACK_MODE,
} from '../objects/queries/transform-feedback.ts';
import type { AttributeInputs } from '../objects/vertex-arrays/vertex-array.ts';
import type { DrawRecorder } from '../recording/draw-recorder.ts';
import type { DrawConstants } from '../recording/inputs/collect-uniforms.ts';
import type { Recording } from '../recording/recording.ts';
import { findLargest } from './elements.ts';
import { TOPOLOGY_BY_MODE } from './topologies.ts';

const WORD_BYTES = 4;
/** Pipeline state of a draw that is not rasterized. */
const UNUSED_STATE = defaultPipelineState(1, 1);

/** Draw of independent primitives. */
export interface CapturedDraw {
  readonly vertices: {
    readonly first: number;
    readonly count: number;
    /** Vertices of all primitives in order; `null` for consecutive ones. */
    readonly list: Uint32Array<ArrayBuffer> | null;
  };
  readonly instanceCount: number;
  readonly inputs: AttributeInputs;
  readonly baseInstance: number;
  readonly constants: DrawConstants;
  /**
   * Whether a draw that does not fit is refused. Otherwise, the primitives that fit are written.
   */
  readonly isFeedbackStrict: boolean;
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
  readonly #programs = new WeakMap<LinkedProgram, DrawProgram>();
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
   * @throws {RenderError} LIMIT_EXCEEDED for too many vertices, as the renderer.
   */
  capture(object: FeedbackObject, draw: CapturedDraw): string | null {
    const active = object.active;
    if (active === null) return null;
    const { mode, program } = active;
    const perPrimitive = VERTICES_BY_FEEDBACK_MODE.get(mode)!;
    const count = draw.vertices.count - (draw.vertices.count % perPrimitive);
    const vertexCount = count * draw.instanceCount;
    const { varyings, isSeparate } = program.feedback;
    const streams = listStreams(varyings, isSeparate, object.bindings);
    let room = vertexCount;
    for (const { binding, wordCount } of streams) {
      const endBytes = (active.vertexCount + vertexCount) * wordCount * WORD_BYTES;
      const restBytes = binding.buffer.sizeBytes - binding.offsetBytes;
      const sizeBytes = Math.min(binding.sizeBytes ?? restBytes, restBytes);
      if (endBytes <= sizeBytes) continue;
      if (draw.isFeedbackStrict) {
        return `transform feedback needs ${endBytes} bytes of buffer ${binding.buffer.name}`;
      }
      const fitting = Math.floor(sizeBytes / (wordCount * WORD_BYTES)) - active.vertexCount;
      room = Math.max(0, Math.min(room, fitting - (fitting % perPrimitive)));
    }
    if (room === 0) return null;
    const captured = this.#captureWords(program, mode, draw, count);
    if (typeof captured === 'string') return captured;
    const words = captured.subarray(0, (captured.length / vertexCount) * room);
    for (const stream of streams) writeStream(stream, words, active.vertexCount, room);
    active.vertexCount += room;
    this.#primitiveCount += room / perPrimitive;
    return null;
  }

  /**
   * Returns the captured words, vertex by vertex in order. Returns the reason if the draw is
   * rejected.
   */
  #captureWords(
    program: LinkedProgram,
    mode: number,
    { vertices: { first, list }, instanceCount, inputs, baseInstance, constants }: CapturedDraw,
    count: number,
  ): Uint32Array | string {
    const { recorder, recording } = this.#parts;
    const capturing = this.#programOf(program);
    const call = {
      topology: TOPOLOGY_BY_MODE.get(mode)!,
      first,
      count,
      instanceCount,
      inputs,
      baseInstance,
      constants,
      indices:
        list === null
          ? null
          : {
              bytes: new Uint8Array(list.buffer),
              offsetBytes: 0,
              componentType: 'uint32' as const,
            },
      lastVertex: list === null ? first + count - 1 : findLargest(list),
      state: UNUSED_STATE,
    };
    // The frame in progress is rendered only if the draw samples textures.
    const [sampler] = capturing.uniforms.samplers();
    return recording.renderFeedback(
      () => recorder.drawFeedback(call, capturing),
      sampler === undefined,
    );
  }

  #programOf(program: LinkedProgram): DrawProgram {
    const known = this.#programs.get(program);
    if (known !== undefined) return known;
    const { attributes, uniforms, blocks, feedback, given } = program;
    if (given.vertexSource === null) {
      throw new RenderError('FRAME_UNSUPPORTED', 'transform feedback without a vertex shader');
    }
    const words = feedback.varyings.flatMap((varying) => varying.words);
    const source = makeCaptureSource(program.source.vertexSource, words);
    const { inputs } = feedback;
    const made =
      inputs === null
        ? { source, attributes, uniforms, blocks }
        : { source, blocks, ...restrictInputs(program, inputs) };
    this.#programs.set(program, made);
    return made;
  }
}

/** Returns those inputs of a program that its capturing form has. */
function restrictInputs(
  { attributes, uniforms }: LinkedProgram,
  { attributes: captured, uniforms: read, samplers }: ReflectedProgram,
): Pick<DrawProgram, 'attributes' | 'uniforms'> {
  const samplerNames = new Set(samplers.map(({ name }) => name));
  return {
    attributes: placeAttributes(captured, attributes),
    uniforms: {
      builtInNames: read.map(({ name }) => name).filter(isFilledByContext),
      snapshot: () => uniforms.snapshot(),
      samplers: () => uniforms.samplers().filter((each) => samplerNames.has(each.reflected.name)),
    },
  };
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

/**
 * Writes the words of each vertex to one buffer.
 *
 * @param captured All words of all vertices.
 */
function writeStream(
  { binding, firstWord, wordCount }: FeedbackStream,
  captured: Uint32Array,
  writtenVertices: number,
  vertexCount: number,
): void {
  const stride = captured.length / vertexCount;
  const words = new Uint32Array(vertexCount * wordCount);
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const from = vertex * stride + firstWord;
    words.set(captured.subarray(from, from + wordCount), vertex * wordCount);
  }
  const { buffer, offsetBytes } = binding;
  buffer.write(
    offsetBytes + writtenVertices * wordCount * WORD_BYTES,
    new Uint8Array(words.buffer),
  );
}
