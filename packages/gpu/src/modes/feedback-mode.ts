/**
 * Transform feedback: writes the outputs of vertex shaders to memory (OpenGL ES 3.0, section 2.15).
 * It runs in place of the visibility phase of a pass, on the chiplet that sees every primitive
 * once, so the order of the vertices needs no other chiplet. Nothing is culled, binned or
 * rasterized, and there is no visibility stream.
 *
 *     draws ─► vertex fetch ─► vertex shading ─► assembly ─► words of the corners, in order
 *
 * The words of a pass are consecutive in memory, where a visibility stream would be.
 */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import { addCounters, type Counters, primitiveCountOf, VARYING_SLOT } from '@tessera/frame';
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import type { GeometryUnit } from '../geometry/geometry-unit.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { FeedbackLines } from '../run-log/feedback-lines.ts';
import { alternativeCyclesOf } from '../timing/chip-timing.ts';
import { type BinRecorder, NO_RECT } from './bin-recorder.ts';
import type { VisibilityResult } from './visibility-mode.ts';

const WORD_BYTES = 4;

/** Recorder of a run and the lines that the run writes. */
interface FeedbackRecording {
  readonly recorder: BinRecorder;
  readonly lines: FeedbackLines;
}

/** Transform feedback, one pass at a time. */
export class FeedbackMode {
  readonly #memory: ChipletMemory;
  readonly #geometry: GeometryUnit;
  readonly #ids: Uint32Array;

  constructor(memory: ChipletMemory, spec: ChipletSpec, geometry: GeometryUnit) {
    this.#memory = memory;
    this.#geometry = geometry;
    this.#ids = new Uint32Array(spec.batchPrimitives);
  }

  /**
   * Writes the outputs of all vertices of a pass. Textures that vertex shaders read must be in
   * memory.
   *
   * @param recorder Records the work for the simulated chip.
   * @throws {RenderError} LIMIT_EXCEEDED if memory has no room for the words, errors of the
   *   shaders.
   */
  write(frame: ResidentFrame, passIndex: number, recorder: BinRecorder | null): VisibilityResult {
    const { draws } = frame.pass(passIndex);
    this.#memory.instructions.begin();
    recorder?.begin(passIndex, { rect: NO_RECT });
    const bound = draws.map((_, drawIndex) => frame.draw(passIndex, drawIndex));
    const feedback = bound.map((draw) => new Uint32Array(wordCountOf(draw)));
    const sizeBytes = bound.reduce((sum, draw) => sum + WORD_BYTES * wordCountOf(draw), 0);
    const baseBytes = frame.addresses.user.streamBase(passIndex, sizeBytes);
    const recording =
      recorder === null ? null : { recorder, lines: new FeedbackLines(baseBytes, sizeBytes) };
    const counters: Counters = {
      'visibility.verticesShaded': 0,
      'visibility.instructionsExecuted': 0,
      'visibility.primitivesIn': 0,
      'visibility.primitivesWritten': 0,
    };
    for (const [drawIndex, draw] of bound.entries()) {
      const words = feedback[drawIndex]!;
      if (words.length > 0) addCounters(counters, this.#runDraw(frame, draw, recording, words));
    }
    const run = recorder?.finish(0) ?? null;
    if (run !== null) addCounters(counters, run.counters);
    const timings = run?.timings ?? null;
    const records = run?.records ?? null;
    return {
      stream: { passIndex, bins: [] },
      summary: {
        passIndex,
        bins: [],
        counters,
        shaderInstructions: this.#memory.instructions.spent,
        cycles: timings?.cycles ?? null,
        ...(timings === null ? {} : alternativeCyclesOf(timings, ({ cycles }) => cycles)),
        spans: timings?.spans ?? [],
        ...(records === null ? {} : { records }),
      },
      earlyBin: null,
      feedback,
    };
  }

  /** Writes the outputs of one draw to `words`. Returns its counters. */
  #runDraw(
    frame: ResidentFrame,
    draw: BoundDraw,
    recording: FeedbackRecording | null,
    words: Uint32Array,
  ): Counters {
    const { constantsPtr, textureTablesPtr } = this.#memory;
    const { vertexStage, corners, program } = draw;
    const { varyingComponentCount } = program;
    const count = primitiveCountOf(draw.draw);
    frame.uploadDrawState(draw, constantsPtr, textureTablesPtr);
    recording?.recorder.beginDraw(draw, vertexStage, false);
    const ids = this.#ids;
    let verticesShaded = 0;
    for (let first = 0; first < count; first += ids.length) {
      this.#memory.stopWords.throwIfStopped();
      const taken = Math.min(ids.length, count - first);
      for (let i = 0; i < taken; i++) ids[i] = first + i;
      const geometry = this.#geometry;
      geometry.loadSegment(draw, vertexStage, ids, 0, taken, constantsPtr, textureTablesPtr);
      verticesShaded += geometry.vertexCount;
      geometry.copyOutputs(
        corners * taken,
        VARYING_SLOT,
        varyingComponentCount,
        words,
        first * corners * varyingComponentCount,
      );
      if (recording !== null) recordSegment(recording, draw, geometry, ids, taken);
    }
    return {
      'visibility.verticesShaded': verticesShaded,
      'visibility.instructionsExecuted': verticesShaded * vertexStage.instructionCount,
      'visibility.primitivesIn': count,
      'visibility.primitivesWritten': count,
    };
  }
}

/** Records a segment of `count` primitives. */
function recordSegment(
  { recorder, lines }: FeedbackRecording,
  draw: BoundDraw,
  geometry: GeometryUnit,
  ids: Uint32Array,
  count: number,
): void {
  const { corners, program } = draw;
  const { cornerVertices } = geometry;
  recorder.beginSegment(geometry, ids, 0);
  for (let k = 0; k < count; k++) {
    lines.add(corners * program.varyingComponentCount * WORD_BYTES);
    recorder.addPrimitive(draw, cornerVertices, k * corners, 0, lines.count, false, lines.first);
  }
  recorder.endBatch();
}

/** Returns the number of words that a draw writes: all varyings of every corner. */
function wordCountOf({ draw, corners, program }: BoundDraw): number {
  return primitiveCountOf(draw) * corners * program.varyingComponentCount;
}
