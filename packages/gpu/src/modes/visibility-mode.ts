/**
 * Visibility mode: turns the draws of a pass into the visibility stream of each coarse bin (patent
 * US 12,051,154, ¶35, fig. 3: 306–320).
 *
 *     draws ─► vertex fetch ─► position shading ─► assembly, cull, clip, setup ─► coarse bins
 *       coarse bins ─► visibility streams
 *       coarse bins ─► pixels of one coarse bin (if it runs the full shader and memory has room)
 */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  addCounters,
  type BinSummary,
  type Counters,
  primitiveCountOf,
  type VisibilityPart,
  type VisibilitySegment,
  type VisibilityStream,
  type VisibilitySummary,
} from '@tessera/frame';
import { CoarseBinner, type CodedSegment } from '../binning/coarse-binner.ts';
import {
  CoarseDepth,
  type CoarseDepthUse,
  coarseDepthUseOf,
  countTiles,
} from '../binning/coarse-depth.ts';
import { IdArrayPool } from '../binning/id-array-pool.ts';
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import type { GeometryUnit } from '../geometry/geometry-unit.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { clearWords } from '../output/target/clear.ts';
import type { TriangleCoverage } from '../raster/coverage/triangle-coverage.ts';
import { DEPTH_24_MAX } from '../records/depth-24.ts';
import { FACE_CULLED, NO_SAMPLE, OUTSIDE, SET_UP, ZERO_AREA } from '../records/raster-record.ts';
import { alternativeCyclesOf, type RunTimings } from '../timing/chip-timing.ts';
import type { RunTiming } from '../timing/timed-chip.ts';
import { type BinRecorder, type FinishedRun, NO_RECT } from './bin-recorder.ts';
import type { BinRenderMode } from './bin-render-mode.ts';
import type { EarlyBin } from './rendered-bin.ts';

/** Result of the visibility phase of a pass. */
export interface VisibilityResult {
  readonly stream: VisibilityStream;
  readonly summary: Omit<VisibilitySummary, 'earlyBin'>;
  /** Coarse bin rendered within the phase, or `null`. */
  readonly earlyBin: EarlyBin | null;
  /** Words of each draw if the pass is transform feedback, else empty. */
  readonly feedback: readonly Uint32Array[];
}

/** State of the phase in progress. */
interface Phase {
  readonly frame: ResidentFrame;
  readonly passIndex: number;
  readonly binner: CoarseBinner;
  coarseDepth: CoarseDepth | null;
  readonly earlyBinId: number | null;
  readonly recorder: BinRecorder | null;
  readonly culls: boolean;
  /** Numbers of primitives of the pass at which the parts end, and the finished parts. */
  readonly partEnds: readonly number[];
  readonly parts: VisibilityPart[];
  /** Segments of the current part that ended; null if visibility is not streamed. */
  segments: CodedSegment[] | null;
  /** Entries of the current segment, and its first draw. */
  segmentEntries: number;
  segmentDraw: number;
  /** Number of primitives of the draws before the current one. */
  primitivesBefore: number;
}

/** Units of a chiplet in visibility mode, one pass at a time. */
export class VisibilityMode {
  readonly #memory: ChipletMemory;
  readonly #geometry: GeometryUnit;
  readonly #coverage: TriangleCoverage;
  readonly #idArrays = new IdArrayPool();
  readonly #binRenderMode: BinRenderMode;
  readonly #ids: Uint32Array;
  readonly #segmentEntries: number;
  #counters = zeroCounters();

  /** @param binRenderMode Renders the bin that is rendered within the phase. */
  constructor(
    memory: ChipletMemory,
    spec: ChipletSpec,
    geometry: GeometryUnit,
    coverage: TriangleCoverage,
    binRenderMode: BinRenderMode,
  ) {
    this.#memory = memory;
    this.#geometry = geometry;
    this.#coverage = coverage;
    this.#binRenderMode = binRenderMode;
    this.#ids = new Uint32Array(spec.batchPrimitives);
    this.#segmentEntries = spec.streamSegmentEntries;
  }

  /**
   * Runs the visibility phase of one pass. Textures that vertex shaders read must be in memory.
   *
   * @param recorder Records the work of the phase for the simulated chip.
   */
  computeVisibility(
    frame: ResidentFrame,
    passIndex: number,
    recorder: BinRecorder | null = null,
  ): VisibilityResult {
    const { draws } = frame.pass(passIndex);
    this.#counters = zeroCounters();
    this.#memory.instructions.begin();
    const phase = this.#begin(frame, passIndex, recorder);
    const { binner, parts } = phase;
    for (const [drawIndex, draw] of draws.entries()) {
      const count = primitiveCountOf(draw);
      if (count === 0) continue;
      this.#runDraw(phase, frame.draw(passIndex, drawIndex));
      binner.endDraw(drawIndex);
      phase.primitivesBefore += count;
    }
    if (phase.partEnds.length > 1) parts.push(this.#finishPart(phase, null));
    const bins = binner.encode(draws.length);
    const shared = { passIndex, bins: summarizeBins(binner, bins) };
    const stream = { passIndex, bins };
    if (parts.length > 0) {
      const counters: Counters = {};
      for (const part of parts) addCounters(counters, part.counters);
      const shaderInstructions = this.#memory.instructions.spent;
      const summary = { ...shared, counters, shaderInstructions, cycles: null, spans: [], parts };
      return { stream, summary, earlyBin: null, feedback: [] };
    }
    const { segments } = phase;
    const { run, earlyBin } = this.#end(phase, bins);
    const shaderInstructions = this.#memory.instructions.spent;
    const account = this.#account(run, earlyBin !== null, segments);
    const summary = { ...shared, shaderInstructions, ...account };
    return { stream, summary, earlyBin, feedback: [] };
  }

  /** Returns counters and cycles of a run. */
  #account(
    run: FinishedRun | null,
    hasEarlyBin: boolean,
    segments: readonly CodedSegment[] | null,
  ): Omit<VisibilityPart, 'streamBytes'> {
    const counters: Counters = { ...this.#counters };
    if (run !== null) addCounters(counters, run.counters);
    const timing = run?.timings ?? null;
    const records = run?.records ?? undefined;
    // With an early bin, the run continues after the streams have left.
    const cyclesOf = ({ cycles, streamCycles }: RunTiming) => (hasEarlyBin ? streamCycles : cycles);
    return {
      counters,
      cycles: timing === null ? null : cyclesOf(timing),
      ...(timing === null ? {} : alternativeCyclesOf(timing, cyclesOf)),
      spans: timing?.spans ?? [],
      ...(records === undefined ? {} : { records }),
      // A pass without primitives has none.
      ...(segments === null || segments.length === 0
        ? {}
        : { segments: timeSegments(segments, timing) }),
    };
  }

  /**
   * Finishes a part of the phase, which is the run of one chiplet.
   *
   * @param drawIndex Draw in progress, or null after all draws.
   */
  #finishPart(phase: Phase, drawIndex: number | null) {
    const { frame, passIndex, binner, recorder, segments } = phase;
    const streamBytes = binner.endPart(drawIndex, frame.pass(passIndex).draws.length);
    const run = recorder?.finish(sentBytes(segments, streamBytes)) ?? null;
    const part = this.#account(run, false, segments);
    if (segments !== null) phase.segments = [];
    return { ...part, streamBytes };
  }

  /** Starts the next part, within a draw. */
  #beginPart(phase: Phase, draw: BoundDraw): void {
    const { passIndex, recorder } = phase;
    this.#counters = zeroCounters();
    recorder?.begin(passIndex, { rect: NO_RECT });
    recorder?.beginDraw(draw, draw.visibilityStage);
    // Its chiplet does not know to which depths earlier parts raise those of the target.
    if (phase.coarseDepth !== null) phase.coarseDepth = this.#makeDepth(phase.frame, DEPTH_24_MAX);
  }

  #makeDepth({ frame }: ResidentFrame, storedDepth: number): CoarseDepth {
    const { widthPx, heightPx } = frame.commands.grid;
    return new CoarseDepth(this.#memory, { widthPx, heightPx, storedDepth });
  }

  /**
   * Returns the numbers of primitives at which parts end: equal shares, of at least a batch of
   * primitives.
   */
  #divide(frame: ResidentFrame, passIndex: number): number[] {
    const total = frame.primitiveCounts(passIndex).reduce((sum, count) => sum + count, 0);
    const { visibilityChiplets = 1 } = frame.frame.commands;
    const most = Math.max(1, Math.floor(total / this.#ids.length));
    const count = Math.min(visibilityChiplets, most);
    return Array.from({ length: count }, (_, part) => Math.round((total * (part + 1)) / count));
  }

  #begin(frame: ResidentFrame, passIndex: number, recorder: BinRecorder | null): Phase {
    const { grid, visibilitySwitches, visibilityDelivery } = frame.frame.commands;
    const { cullsPrimitives, cullsOccluded } = visibilitySwitches;
    const { clear, contents, sampleCount = 1 } = frame.pass(passIndex);
    const { earlyBinId } = frame.visibilityPlan(passIndex);
    if (earlyBinId === null) recorder?.begin(passIndex, { rect: NO_RECT });
    else this.#binRenderMode.beginEarlyBin(frame, passIndex, earlyBinId, recorder);
    this.#coverage.begin(sampleCount);
    const storedDepth = contents?.isDepthLoaded ? DEPTH_24_MAX : clearWords(clear).depth;
    return {
      frame,
      passIndex,
      binner: new CoarseBinner(this.#memory, this.#coverage, this.#idArrays, grid, cullsPrimitives),
      // Its tiles hold one sample per pixel.
      coarseDepth: cullsOccluded && sampleCount === 1 ? this.#makeDepth(frame, storedDepth) : null,
      earlyBinId,
      recorder,
      culls: cullsPrimitives,
      partEnds: this.#divide(frame, passIndex),
      parts: [],
      segments: visibilityDelivery === 'stream' ? [] : null,
      segmentEntries: 0,
      segmentDraw: 0,
      primitivesBefore: 0,
    };
  }

  #end(
    { frame, passIndex, earlyBinId, recorder, segments }: Phase,
    streams: readonly Uint8Array[],
  ): { run: FinishedRun | null; earlyBin: EarlyBin | null } {
    if (earlyBinId === null) {
      const bytes = sentBytes(segments, sumLengths(streams));
      return { run: recorder?.finish(bytes) ?? null, earlyBin: null };
    }
    this.#counters['visibility.earlyBins']++;
    const { run, bin } = this.#binRenderMode.endEarlyBin(frame, passIndex, earlyBinId, streams);
    return { run, earlyBin: bin };
  }

  #runDraw(phase: Phase, draw: BoundDraw): void {
    const { frame, binner, coarseDepth, earlyBinId, recorder, parts, partEnds } = phase;
    const { constantsPtr, textureTablesPtr } = this.#memory;
    const stage = draw.visibilityStage;
    const isFull = stage === draw.vertexStage;
    this.#counters[isFull ? 'visibility.drawsFull' : 'visibility.drawsMinimal']++;
    const count = primitiveCountOf(draw.draw);
    const depthUse =
      coarseDepth === null ? NO_DEPTH_USE : coarseDepthUseOf(draw.draw, draw.program);
    frame.uploadDrawState(draw, constantsPtr, textureTablesPtr);
    recorder?.beginDraw(draw, stage);
    binner.beginDraw({
      fragmentInstructions: draw.fragmentInstructions,
      primitiveVertexInstructions: draw.corners * draw.vertexStage.instructionCount,
      isTriangle: draw.isFilled,
    });
    for (let first = 0; first < count; ) {
      this.#memory.stopWords.throwIfStopped();
      const start = phase.primitivesBefore + first;
      if (start === partEnds[parts.length]) {
        parts.push(this.#finishPart(phase, draw.drawIndex));
        this.#beginPart(phase, draw);
      }
      const left = Math.min(count - first, partEnds[parts.length]! - start);
      const taken = Math.min(this.#ids.length, left);
      const counters = this.#counters;
      for (let i = 0; i < taken; i++) this.#ids[i] = first + i;
      this.#geometry.loadSegment(draw, stage, this.#ids, 0, taken, constantsPtr, textureTablesPtr);
      const { vertexCount } = this.#geometry;
      recorder?.beginSegment(this.#geometry, this.#ids, 0);
      counters['visibility.verticesShaded'] += vertexCount;
      counters['visibility.instructionsExecuted'] += vertexCount * stage.instructionCount;
      counters['visibility.primitivesIn'] += taken;
      const listedBefore = counters['visibility.primitivesListed'];
      for (let k = 0; k < taken; ) {
        const next = this.#binTriangles(phase, draw, k, taken, first);
        if (next === k) this.#binPrimitive(phase, draw, depthUse, k, first + k++);
        else k = next;
      }
      const listed = counters['visibility.primitivesListed'] - listedBefore;
      if (recorder !== null) recorder.streamEntries += listed;
      this.#endSegment(phase, draw, listed, start + taken === partEnds[parts.length]);
      const isClosed =
        earlyBinId !== null && this.#binRenderMode.endEarlySegment(taken === this.#ids.length);
      if (!isClosed) recorder?.endBatch();
      first += taken;
    }
  }

  /**
   * Ends a segment of the stream with a batch if it has enough entries, or with the last batch of a
   * part.
   *
   * @param listed Number of entries of the batch.
   */
  #endSegment(phase: Phase, { drawIndex }: BoundDraw, listed: number, isLast: boolean): void {
    const { segments, recorder } = phase;
    if (segments === null) return;
    phase.segmentEntries += listed;
    if (phase.segmentEntries < this.#segmentEntries && !isLast) return;
    const segment = phase.binner.endSegment(phase.segmentDraw, drawIndex);
    segments.push(segment);
    if (recorder !== null) recorder.segmentBytes = segment.bytes;
    phase.segmentEntries = 0;
    phase.segmentDraw = drawIndex;
  }

  /**
   * Bins primitives `k` to `end` − 1 of the segment like {@link #binPrimitive}, in one batch of
   * setup. Their ids are consecutive; `firstId` is the id of the segment's first primitive. Stops
   * at the first primitive that the batch path cannot handle.
   *
   * @returns Index of the first primitive not binned.
   */
  #binTriangles(
    { binner, coarseDepth, earlyBinId, recorder, culls }: Phase,
    draw: BoundDraw,
    k: number,
    end: number,
    firstId: number,
  ): number {
    // With either, a primitive's coarse depth and early-bin entries must be complete before the
    // next setup.
    if (coarseDepth !== null || earlyBinId !== null) return k;
    const geometry = this.#geometry;
    const { primitiveCapacity } = this.#memory;
    const next = geometry.setUpTriangles(draw, k, end, 0, primitiveCapacity, k, 0, null);
    const { outcomes, cornerVertices } = geometry;
    this.#coverage.testBoxes(0, geometry.recordsMade);
    const { covers } = this.#coverage;
    let record = 0;
    let listed = 0;
    for (let primitive = k; primitive < next; primitive++) {
      const outcome = outcomes[primitive]!;
      const isMade = outcome === SET_UP;
      const id = firstId + primitive;
      let lists = 0;
      if (isMade) {
        lists = binner.addTriangle(record, id, covers[record] === 1);
        record++;
      } else if (!culls) {
        lists = binner.addToAll(id);
      }
      listed += lists;
      if (lists === 0) this.#countDropped(isMade ? NO_SAMPLE : outcome, false);
      const at = primitive * draw.corners;
      recorder?.addPrimitive(draw, cornerVertices, at, isMade ? 1 : 0, lists, false);
    }
    this.#counters['visibility.primitivesListed'] += listed;
    return next;
  }

  /** Culls primitive `k` of the segment, or lists it as `id` in the bins it may touch. */
  #binPrimitive(
    phase: Phase,
    draw: BoundDraw,
    depthUse: CoarseDepthUse,
    k: number,
    id: number,
  ): void {
    const { frame, binner, coarseDepth, earlyBinId, recorder } = phase;
    const usesDepth = depthUse.isTested || depthUse.lowersBound;
    const scratch = earlyBinId === null ? 0 : this.#binRenderMode.findFreeRecords();
    const made = this.#geometry.setUpPrimitive(draw, k, scratch, usesDepth ? 'depth' : null);
    const outcome = this.#geometry.lastOutcome;
    const tested = depthUse.isTested ? coarseDepth : null;
    let listed = 0;
    let tiles = 0;
    for (let record = scratch; record < scratch + made; record++) {
      listed += binner.add(record, id, tested);
      if (coarseDepth === null) continue;
      if (usesDepth || depthUse.raisesBound) tiles += countTiles(this.#memory, record);
      if (depthUse.lowersBound) coarseDepth.lower(record);
      if (depthUse.raisesBound) coarseDepth.raise(record);
    }
    if (made === 0 && !phase.culls) listed = binner.addToAll(id);
    const hidden = binner.countHidden(id);
    this.#counters['visibility.primitivesListed'] += listed;
    this.#counters['visibility.entriesOccluded'] += hidden;
    // The early bin may set up the primitive again, which overwrites its records from here.
    const early =
      earlyBinId !== null && binner.isListed(earlyBinId, id)
        ? this.#binRenderMode.addEarlyPrimitive(frame, draw, k, id)
        : 0;
    if (recorder !== null) {
      const { cornerVertices, wasClipped } = this.#geometry;
      const [at, steps] = [k * draw.corners, listed + tiles];
      recorder.addPrimitive(draw, cornerVertices, at, made, steps, wasClipped, 0, early);
    }
    if (listed === 0) this.#countDropped(made > 0 ? NO_SAMPLE : outcome, hidden > 0);
  }

  #countDropped(outcome: number, isHidden: boolean): void {
    const counters = this.#counters;
    if (isHidden) {
      counters['visibility.primitivesOccluded']++;
      return;
    }
    switch (outcome) {
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

const NO_DEPTH_USE: CoarseDepthUse = { isTested: false, lowersBound: false, raisesBound: false };

/** Returns the bytes that leave with a run: segments, or streams of a number of bytes. */
function sentBytes(segments: readonly CodedSegment[] | null, streamBytes: number): number {
  if (segments === null || segments.length === 0) return streamBytes;
  return segments.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Returns segments with the cycles in which they leave. */
function timeSegments(
  segments: readonly CodedSegment[],
  timing: RunTimings | null,
): VisibilitySegment[] {
  return segments.map((segment, i) => ({
    ...segment,
    endCycle: timing === null ? null : timing.segmentCycles[i]!,
    ...(timing === null || timing.alternatives.length === 0
      ? {}
      : {
          alternativeEndCycles: timing.alternatives.map(({ segmentCycles }) => segmentCycles[i]!),
        }),
  }));
}

function sumLengths(bins: readonly Uint8Array[]): number {
  return bins.reduce((sum, { length }) => sum + length, 0);
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
    'visibility.primitivesOccluded': 0,
    'visibility.entriesOccluded': 0,
    'visibility.drawsMinimal': 0,
    'visibility.drawsFull': 0,
    'visibility.earlyBins': 0,
    'visibility.primitivesListed': 0,
  } satisfies Counters;
}
