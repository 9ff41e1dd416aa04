/**
 * Visibility mode: from the draws of a pass to the visibility stream of each coarse bin (patent US
 * 12,051,154, ¶35, fig. 3: 306–316).
 *
 *   draws ─► vertex fetch ─► position shading ─► assembly, cull, clip, set-up ─► coarse bins ─► streams
 */
import {
  addCounters,
  type BinSummary,
  type Counters,
  type VisibilityStream,
  type VisibilitySummary,
} from '@tessera/frame';
import type { BinRecorder } from './bin-recorder.ts';
import { CoarseBinner } from './binning/coarse-binner.ts';
import type { ChipletSpec } from './chiplet-spec.ts';
import { type BoundDraw, primitiveCountOf } from './command/bound-draw.ts';
import type { ResidentFrame } from './command/resident-frame.ts';
import { type GeometryUnit, OUTSIDE } from './geometry/geometry-unit.ts';
import type { ChipletMemory } from './memory/chiplet-memory.ts';
import { FACE_CULLED, NO_SAMPLE, ZERO_AREA } from './raster/raster-record.ts';

/** What the visibility phase of a pass gives. */
export interface VisibilityResult {
  readonly stream: VisibilityStream;
  readonly summary: VisibilitySummary;
}

/** The units that work in visibility mode, one pass at a time. */
export class VisibilityMode {
  readonly #memory: ChipletMemory;
  readonly #geometry: GeometryUnit;
  readonly #ids: Uint32Array;
  #counters = zeroCounters();
  #recorder: BinRecorder | null = null;

  constructor(memory: ChipletMemory, spec: ChipletSpec, geometry: GeometryUnit) {
    this.#memory = memory;
    this.#geometry = geometry;
    this.#ids = new Uint32Array(spec.batchPrimitives);
  }

  /**
   * Runs the visibility phase of one pass. Textures that vertex shaders read must be in memory.
   *
   * @param recorder Takes down what happens, so that it is simulated in time.
   */
  computeVisibility(
    frame: ResidentFrame,
    passIndex: number,
    recorder: BinRecorder | null = null,
  ): VisibilityResult {
    const { draws } = frame.pass(passIndex);
    const binner = new CoarseBinner(this.#memory, frame.frame.commands.grid);
    this.#counters = zeroCounters();
    this.#recorder = recorder;
    recorder?.begin({ x: 0, y: 0, width: 0, height: 0 }, 0);
    for (const [drawIndex, draw] of draws.entries()) {
      if (primitiveCountOf(draw) === 0) continue;
      this.#runDraw(frame, frame.draw(passIndex, drawIndex), binner);
      binner.endDraw(drawIndex);
    }
    const bins = binner.encode(draws.length);
    const timing = recorder?.finish(bins.reduce((sum, { length }) => sum + length, 0)) ?? null;
    const counters: Counters = { ...this.#counters };
    if (timing !== null) addCounters(counters, timing.counters);
    return {
      stream: { passIndex, bins },
      summary: {
        passIndex,
        bins: summarizeBins(binner, bins),
        counters,
        cycles: timing?.cycles ?? null,
        spans: timing?.spans ?? [],
      },
    };
  }

  #runDraw(frame: ResidentFrame, draw: BoundDraw, binner: CoarseBinner): void {
    const { constantsPtr, textureTablesPtr } = this.#memory;
    const stage = draw.visibilityStage;
    const count = primitiveCountOf(draw.draw);
    frame.uploadDrawState(draw, constantsPtr, textureTablesPtr);
    this.#recorder?.beginDraw(draw, stage);
    binner.beginDraw({
      fragmentInstructions: draw.fragmentInstructions,
      primitiveVertexInstructions: draw.corners * draw.vertexStage.instructionCount,
      isTriangle: draw.corners === 3,
    });
    for (let first = 0; first < count; first += this.#ids.length) {
      const taken = Math.min(this.#ids.length, count - first);
      for (let i = 0; i < taken; i++) this.#ids[i] = first + i;
      this.#geometry.loadSegment(draw, stage, this.#ids, 0, taken, constantsPtr, textureTablesPtr);
      const { vertexCount } = this.#geometry;
      this.#recorder?.beginSegment(vertexCount);
      this.#counters['visibility.verticesShaded'] += vertexCount;
      this.#counters['visibility.instructionsExecuted'] += vertexCount * stage.instructionCount;
      this.#counters['visibility.primitivesIn'] += taken;
      for (let k = 0; k < taken; k++) this.#binPrimitive(draw, k, first + k, binner);
      this.#recorder?.endBatch();
    }
  }

  /** Culls primitive `k` of the segment or lists it, as `id`, in the bins it may touch. */
  #binPrimitive(draw: BoundDraw, k: number, id: number, binner: CoarseBinner): void {
    const counters = this.#counters;
    const made = this.#geometry.setUpPrimitive(draw, k, 0, null);
    let listed = 0;
    for (let record = 0; record < made; record++) listed += binner.add(record, id);
    counters['visibility.primitivesListed'] += listed;
    if (this.#recorder !== null) {
      const { cornerVertices, wasClipped } = this.#geometry;
      const firstCorner = k * draw.corners;
      this.#recorder.addPrimitive(draw, cornerVertices, firstCorner, made, listed, wasClipped);
    }
    if (listed > 0) return;
    switch (made > 0 ? NO_SAMPLE : this.#geometry.lastOutcome) {
      case OUTSIDE:
        counters['visibility.primitivesOutsideView']++;
        break;
      case FACE_CULLED:
        counters['visibility.primitivesFaceCulled']++;
        break;
      case ZERO_AREA:
        counters['visibility.primitivesZeroArea']++;
        break;
      case NO_SAMPLE:
        counters['visibility.primitivesNoSample']++;
        break;
    }
  }
}

function summarizeBins(binner: CoarseBinner, bins: readonly Uint8Array[]): BinSummary[] {
  return binner.loads().map((load, binId) => ({
    binId,
    ...load,
    streamBytes: bins[binId]!.length,
  }));
}

function zeroCounters() {
  return {
    'visibility.verticesShaded': 0,
    'visibility.instructionsExecuted': 0,
    'visibility.primitivesIn': 0,
    'visibility.primitivesOutsideView': 0,
    'visibility.primitivesFaceCulled': 0,
    'visibility.primitivesZeroArea': 0,
    'visibility.primitivesNoSample': 0,
    'visibility.primitivesListed': 0,
  } satisfies Counters;
}
