/**
 * Coarse-bin rendering mode: turns the visibility stream of one coarse bin into its pixels (patent
 * US 12,051,154, ¶31, ¶35). Visible geometry passes through the geometry stages in primitive
 * batches. A batch that closes is fine-binned and passes through the pixel phase.
 *
 *     visibility stream ─► vertex fetch, shading ─► assembly, clip, cull, setup ─► fine bins
 *       ─► tile traversal, early depth ─► fragment shading ─► output merger ─► pixels
 *
 * One bin may be rendered within the visibility phase, from its segments of shaded vertices instead
 * of a stream (fig. 3: 316–320). A pixel depends on the primitives that cover it and on their
 * order, never on the bin, the batch or the chiplet.
 *
 * It is one file because bins within and after the phase share their batch and counters.
 */

import { MAX_BIN_EDGE_PX } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  addCounters,
  type CoarseBinId,
  type Counters,
  coarseBinRect,
  decodeVisibilityBin,
  isPartOfBin,
  type RectPx,
  RenderError,
} from '@tessera/frame';
import { FineBinner } from '../binning/fine-binner.ts';
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import type { GeometryUnit } from '../geometry/geometry-unit.ts';
import { type ChipletMemory, MAX_CLIP_PRIMITIVES } from '../memory/chiplet-memory.ts';
import { BinReader } from '../output/target/bin-reader.ts';
import { clearQuad, clearWords, fillColors, fillTarget } from '../output/target/clear.ts';
import { loadTarget, readDepthStencil } from '../output/target/target-contents.ts';
import { TileTraversal } from '../raster/coverage/tile-traversal.ts';
import type { TriangleCoverage } from '../raster/coverage/triangle-coverage.ts';
import { DEPTH_24_MAX } from '../records/depth-24.ts';
import {
  DRAW_SLOT,
  FACE_CULLED,
  OUTSIDE,
  RECORD_I32,
  SET_UP,
  SOURCE_PRIMITIVE,
  ZERO_AREA,
} from '../records/raster-record.ts';
import { alternativeCyclesOf } from '../timing/chip-timing.ts';
import type { RunTiming } from '../timing/timed-chip.ts';
import { zeroBinCounters } from './bin-counters.ts';
import { BinQueries } from './bin-queries.ts';
import type { BinRecorder, FinishedRun } from './bin-recorder.ts';
import type { Observation } from './fragment-probe.ts';
import { FragmentShading } from './fragment-shading.ts';
import { PixelPhase } from './pixel-phase.ts';
import { PrimitiveBatch } from './primitive-batch.ts';
import {
  type EarlyRun,
  type OutputOfBin,
  outputBytesOf,
  type RenderedBin,
} from './rendered-bin.ts';

/** Reason for closing a primitive batch (patent ¶31). */
type CloseReason =
  | 'binning.batchesFull'
  | 'binning.batchesStateFull'
  | 'binning.batchesDependency'
  | 'binning.batchesEnd';

/** Place of a primitive in its pass. */
interface PrimitivePlace {
  readonly drawIndex: number;
  readonly id: number;
}

/** Units of a chiplet in bin-rendering mode, one coarse bin at a time. */
export class BinRenderMode {
  readonly #memory: ChipletMemory;
  readonly #spec: ChipletSpec;
  readonly #geometry: GeometryUnit;
  readonly #batch: PrimitiveBatch;
  readonly #fineBinner: FineBinner;
  readonly #traversal: TileTraversal;
  readonly #queries = new BinQueries();
  readonly #shading: FragmentShading;
  readonly #pixelPhase: PixelPhase;
  readonly #reader: BinReader;
  #counters = zeroBinCounters();
  /** Recorder of the bin in progress; without one, nothing is simulated in time. */
  #recorder: BinRecorder | null = null;
  /** Raster records that the early bin took, and its first primitive that it did not take. */
  #earlyRecords = 0;
  #earlyEnd: PrimitivePlace | null = null;

  constructor(
    memory: ChipletMemory,
    spec: ChipletSpec,
    geometry: GeometryUnit,
    coverage: TriangleCoverage,
  ) {
    this.#memory = memory;
    this.#spec = spec;
    this.#geometry = geometry;
    this.#batch = new PrimitiveBatch(memory, spec);
    this.#fineBinner = new FineBinner(memory, coverage, spec.fineBinPx);
    this.#traversal = new TileTraversal(memory);
    this.#shading = new FragmentShading(memory, this.#queries, spec.warpThreads / 4);
    this.#pixelPhase = new PixelPhase(
      memory,
      this.#batch,
      this.#fineBinner,
      this.#traversal,
      this.#shading,
    );
    this.#reader = new BinReader(memory);
  }

  /**
   * Renders one coarse bin or a part of it.
   *
   * @param frame Frame whose textures are in memory.
   * @param stream Visibility stream of the bin.
   * @param recorder Records the work for the simulated chip.
   * @param part Part of the bin, on borders of fine bins.
   * @param observation Observer of the fragments, and the last draw to run.
   * @throws {RenderError} LIMIT_EXCEEDED if the bin exceeds the chiplet's target memory,
   *   FRAME_INVALID if the stream does not fit the frame, errors of the shaders.
   */
  renderBin(
    frame: ResidentFrame,
    passIndex: number,
    binId: CoarseBinId,
    stream: Uint8Array,
    recorder: BinRecorder | null = null,
    part?: RectPx,
    { observer, lastDraw = Number.POSITIVE_INFINITY }: Observation = { observer: null },
  ): RenderedBin {
    const { grid } = frame.frame.commands;
    if (part !== undefined && !isPartOfBin(grid, binId, part)) {
      throw new Error(`coarse bin ${binId}: ${JSON.stringify(part)} is not a valid part of it`);
    }
    const rect = part ?? coarseBinRect(grid, binId);
    const visibleDraws = decodeVisibilityBin(stream, frame.primitiveCounts(passIndex));

    this.#recorder = recorder;
    this.#memory.instructions.begin();
    this.#beginBin(frame, passIndex, rect, {
      bytes: stream.length,
      primitives: visibleDraws.reduce((sum, { primitiveIds }) => sum + primitiveIds.length, 0),
    });
    this.#pixelPhase.observe(observer, rect, frame.targets(passIndex));
    for (const { drawIndex, primitiveIds } of visibleDraws) {
      if (drawIndex > lastDraw) break;
      this.#runDraw(frame, frame.draw(passIndex, drawIndex), primitiveIds);
    }
    if (this.#batch.primitiveCount > 0) this.#closeBatch('binning.batchesEnd');
    this.#queries.endDraws();
    this.#pixelPhase.endObservation();
    const bin = this.#readBin(frame, passIndex, rect);
    const run = this.#finishRecord(bin);
    const shaderInstructions = this.#memory.instructions.spent;
    const untimed = { ...bin, shaderInstructions, cycles: null, spans: [] };
    if (run === null) return untimed;
    addCounters(bin.counters, run.counters);
    if (run.timings === null) return { ...untimed, records: run.records };
    const { cycles, spans } = run.timings;
    const alternatives = alternativeCyclesOf(run.timings, ({ cycles }) => cycles);
    return { ...bin, shaderInstructions, cycles, ...alternatives, spans };
  }

  /**
   * Starts a bin that is rendered from the segments of the visibility phase (fig. 3: 316–320). The
   * segments hold shaded vertices, so the bin fetches and shades none, as long as its primitives
   * fit.
   *
   * @param binId Id of a bin that {@link canHold} accepts.
   */
  beginEarlyBin(
    frame: ResidentFrame,
    passIndex: number,
    binId: CoarseBinId,
    recorder: BinRecorder | null,
  ): void {
    this.#recorder = recorder;
    this.#pixelPhase.probe = null;
    this.#earlyRecords = 0;
    this.#earlyEnd = null;
    this.#beginBin(frame, passIndex, coarseBinRect(frame.frame.commands.grid, binId), null);
  }

  /** Reuses the pixel buffers of a bin that the caller has released. */
  recycle({ colors }: Pick<RenderedBin, 'colors'>): void {
    for (const color of colors) this.#reader.giveBack(color);
  }

  /**
   * Returns whether the target memory holds a bin of this size.
   *
   * @param sampleCount Samples per pixel.
   */
  canHold(rect: RectPx, sampleCount = 1): boolean {
    const edgePx = Math.max(rect.width, rect.height);
    return (
      edgePx <= MAX_BIN_EDGE_PX && quadCountOf(rect) * sampleCount <= this.#memory.binQuadCapacity
    );
  }

  /**
   * Returns the index of the first raster record that the early bin's batch does not use. Closes
   * the batch if few are left.
   */
  findFreeRecords(): number {
    if (this.#batch.isRecordFull) this.#closeBatch('binning.batchesFull');
    return this.#batch.recordCount;
  }

  /**
   * Adds primitive `k` of the segment in the geometry unit to the early bin, where it is visible.
   * From the first primitive on for which there may be no room, the bin takes none.
   *
   * @param id Number of the primitive in its draw.
   * @returns 1 plus the number of fine bins that list it; 0 if the bin did not take it.
   */
  addEarlyPrimitive(frame: ResidentFrame, draw: BoundDraw, k: number, id: number): number {
    const { drawIndex } = draw;
    if (this.#earlyRecords + MAX_CLIP_PRIMITIVES > this.#spec.earlyBinPrimitives) {
      this.#earlyEnd ??= { drawIndex, id };
    }
    if (this.#earlyEnd !== null) return 0;
    this.#queries.enterDraw(drawIndex);
    const slot = this.#batch.draws.length === 0 ? this.#batch.addDraw(frame, draw) : 0;
    this.#counters['geometry.primitivesIn']++;
    const before = this.#batch.recordCount;
    const entries = this.#binPrimitive(draw, slot, k);
    this.#earlyRecords += this.#batch.recordCount - before;
    return 1 + entries;
  }

  /**
   * Ends a segment. The visibility phase holds the state of one draw and the vertices of one
   * segment, so the batch closes with it.
   *
   * @param isFull Whether the segment has as many primitives as a batch holds.
   * @returns Whether there was a batch to close.
   */
  endEarlySegment(isFull: boolean): boolean {
    if (this.#batch.primitiveCount === 0) return false;
    this.#closeBatch(isFull ? 'binning.batchesFull' : 'binning.batchesStateFull');
    return true;
  }

  /**
   * Ends the early bin and the record of the whole phase. Draws the
   * primitives for which the phase had no room, as those of any bin.
   *
   * @param streams Visibility streams of all bins.
   */
  endEarlyBin(
    frame: ResidentFrame,
    passIndex: number,
    binId: CoarseBinId,
    streams: readonly Uint8Array[],
  ): EarlyRun {
    const rect = coarseBinRect(frame.frame.commands.grid, binId);
    const streamBytes = streams.reduce((sum, { length }) => sum + length, 0);
    this.#recorder?.endPhase();
    if (this.#earlyEnd !== null) this.#drawRest(frame, passIndex, streams[binId]!, this.#earlyEnd);
    this.#queries.endDraws();
    const bin = this.#readBin(frame, passIndex, rect);
    const run = this.#finishRecord(bin, streamBytes);
    const untimed = { binId, ...bin, shaderInstructions: 0, spans: [] };
    const timings = run?.timings ?? null;
    if (timings === null) return { bin: { ...untimed, cycles: null }, run };
    const cyclesOf = ({ cycles, streamCycles }: RunTiming) => cycles - streamCycles;
    const alternatives = alternativeCyclesOf(timings, cyclesOf);
    return { bin: { ...untimed, cycles: cyclesOf(timings), ...alternatives }, run };
  }

  /** Draws the primitives of an early bin from the first one on that it did not take. */
  #drawRest(
    frame: ResidentFrame,
    passIndex: number,
    stream: Uint8Array,
    end: PrimitivePlace,
  ): void {
    for (const visible of decodeVisibilityBin(stream, frame.primitiveCounts(passIndex))) {
      const { drawIndex, primitiveIds } = visible;
      if (drawIndex < end.drawIndex) continue;
      const isCut = drawIndex === end.drawIndex;
      const ids = isCut ? primitiveIds.filter((id) => id >= end.id) : primitiveIds;
      this.#runDraw(frame, frame.draw(passIndex, drawIndex), ids);
    }
    if (this.#batch.primitiveCount > 0) this.#closeBatch('binning.batchesEnd');
  }

  /**
   * Prepares target memory, units and recorder for a bin.
   *
   * @param stream Part of the visibility stream that the command processor reads; `null` within the
   *   visibility phase.
   */
  #beginBin(
    frame: ResidentFrame,
    passIndex: number,
    rect: RectPx,
    stream: { readonly bytes: number; readonly primitives: number } | null,
  ): void {
    const quadsPerRow = Math.ceil(rect.width / 2);
    const targets = frame.targets(passIndex);
    const { sampleCount } = targets;
    if (!this.canHold(rect, sampleCount)) {
      const samples = sampleCount > 1 ? ` of ${sampleCount} samples` : '';
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `coarse bin: ${rect.width} × ${rect.height} pixels${samples}; a chiplet holds at most ${this.#spec.maxBinPixels}, and ${MAX_BIN_EDGE_PX} along an edge`,
      );
    }
    const quadCount = quadCountOf(rect) * sampleCount;
    const { memory, binColorPtr, binDepthPtr, binStencilPtr } = this.#memory;
    const { clear, contents, queries = [] } = frame.pass(passIndex);
    const words = clearWords(clear);
    if (quadCount * targets.quadBytes > this.#memory.binColorBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `coarse bin: ${rect.width} × ${rect.height} pixels of ${targets.quadBytes / 4} bytes; a chiplet holds at most ${this.#memory.binColorBytes} bytes`,
      );
    }
    fillColors(memory, binColorPtr, quadCount, clearQuad(targets, clear));
    fillTarget(memory, binDepthPtr, quadCount, words.depth);
    fillTarget(memory, binStencilPtr, quadCount, words.stencil);
    if (contents !== null) {
      const { widthPx } = frame.frame.commands.grid;
      const { buffers } = frame.frame;
      loadTarget(this.#memory, targets, quadsPerRow, rect, widthPx, contents, buffers);
    }
    this.#counters = zeroBinCounters();
    this.#batch.clear();
    this.#fineBinner.beginBin(rect, sampleCount);
    this.#traversal.beginBin(rect.x, rect.y, quadsPerRow);
    this.#shading.beginBin(rect.x, rect.y, quadsPerRow, sampleCount);
    // Loaded samples have at most the largest depth.
    const clearDepth = contents?.isDepthLoaded ? DEPTH_24_MAX : words.depth;
    this.#recorder?.begin(passIndex, {
      ...{ rect, clearDepth, contents, targets },
      ...(stream === null ? { isEarly: true } : { stream }),
    });
    this.#queries.begin(queries, this.#recorder);
  }

  /** Feeds the visible primitives of one draw to batches. */
  #runDraw(frame: ResidentFrame, draw: BoundDraw, ids: Uint32Array): void {
    this.#queries.enterDraw(draw.drawIndex);
    if (this.#batch.storePrograms(draw)) this.#closeBatch('binning.batchesStateFull');
    this.#recorder?.beginDraw(draw, draw.vertexStage);
    let start = 0;
    while (start < ids.length) {
      this.#memory.stopWords.throwIfStopped();
      if (this.#batch.isFull) this.#closeBatch('binning.batchesFull');
      if (this.#batch.isStateFull) this.#closeBatch('binning.batchesStateFull');
      if (this.#batch.dependsOn(draw)) this.#closeBatch('binning.batchesDependency');
      let slot = this.#batch.addDraw(frame, draw);
      const end = Math.min(ids.length, start + this.#batch.primitiveRoom);
      const { constantsPtr, texturesPtr } = this.#batch.draws[slot]!;

      this.#geometry.loadSegment(
        draw,
        draw.vertexStage,
        ids,
        start,
        end,
        constantsPtr,
        texturesPtr,
      );
      this.#recorder?.beginSegment(this.#geometry, ids, start);
      this.#counters['geometry.verticesFetched'] += this.#geometry.vertexCount;
      this.#counters['geometry.vertexReuses'] += this.#geometry.reusedCorners;
      this.#counters['geometry.primitivesIn'] += end - start;
      for (let k = 0; k < end - start; ) {
        if (this.#batch.isRecordFull) {
          // Clipping produced more primitives than a batch holds. The shaded vertices stay valid.
          this.#closeBatch('binning.batchesFull');
          slot = this.#batch.addDraw(frame, draw);
        }
        const first = this.#batch.primitiveCount;
        let next = this.#setUpTriangles(draw, slot, k, end - start);
        if (next === k) this.#setUpPrimitive(draw, slot, next++);
        this.#pixelPhase.probe?.namePrimitives(first, next - k, ids, start + k);
        k = next;
      }
      start = end;
    }
  }

  /**
   * Sets up primitives `k` to `end` − 1 like {@link #setUpPrimitive}, in one batch of setup. Stops
   * at the first primitive that the batch path cannot handle.
   *
   * @returns Index of the first primitive not set up.
   */
  #setUpTriangles(draw: BoundDraw, slot: number, k: number, end: number): number {
    const batch = this.#batch;
    const geometry = this.#geometry;
    const { recordCount, primitiveCount, recordLimit } = batch;
    const next = geometry.setUpTriangles(
      draw,
      k,
      end,
      recordCount,
      recordLimit,
      primitiveCount,
      slot,
      batch.draws[slot]!,
    );
    const { outcomes, recordsMade } = geometry;
    batch.addPrimitives(next - k, recordsMade);
    const counters = this.#counters;
    counters['raster.primitivesSetUp'] += recordsMade;
    counters['geometry.primitivesCulled'] += geometry.trianglesCulled;
    if (this.#recorder === null) {
      counters['binning.primitivesBinned'] += this.#fineBinner.addTriangles(
        recordCount,
        recordsMade,
      );
      return next;
    }
    // The recorder needs each primitive's number of entries.
    let record = recordCount;
    for (let primitive = k; primitive < next; primitive++) {
      const pieces = outcomes[primitive] === SET_UP ? 1 : 0;
      const entries = this.#fineBinner.addTriangles(record, pieces);
      record += pieces;
      counters['binning.primitivesBinned'] += entries;
      this.#record(draw, primitive, pieces, entries, false);
    }
    return next;
  }

  /** Adds primitive `k` of the segment to the batch and records it. */
  #setUpPrimitive(draw: BoundDraw, slot: number, k: number): void {
    const recordsBefore = this.#batch.recordCount;
    const entries = this.#binPrimitive(draw, slot, k);
    const { wasClipped } = this.#geometry;
    this.#record(draw, k, this.#batch.recordCount - recordsBefore, entries, wasClipped);
  }

  /**
   * Runs primitive `k` of the segment through assembly, clipping, culling, setup and fine binning.
   *
   * @returns Number of fine-bin lists that contain it.
   */
  #binPrimitive(draw: BoundDraw, slot: number, k: number): number {
    const batch = this.#batch;
    const first = batch.recordCount;
    const made = this.#geometry.setUpPrimitive(draw, k, first, batch.draws[slot]!);
    const source = batch.addPrimitive(made);
    if (this.#geometry.wasClipped) this.#counters['geometry.primitivesClipped']++;
    if (made === 0) {
      const outcome = this.#geometry.lastOutcome;
      if (outcome === OUTSIDE || outcome === FACE_CULLED || outcome === ZERO_AREA) {
        this.#counters['geometry.primitivesCulled']++;
      }
      return 0;
    }
    this.#counters['raster.primitivesSetUp'] += made;
    const { i32, rasterRecordsPtr } = this.#memory;
    const isTriangle = draw.isFilled;
    let entries = 0;
    for (let record = first; record < first + made; record++) {
      const at = (rasterRecordsPtr >> 2) + record * RECORD_I32;
      i32[at + SOURCE_PRIMITIVE] = source;
      i32[at + DRAW_SLOT] = slot;
      entries += this.#fineBinner.add(record, isTriangle);
    }
    this.#counters['binning.primitivesBinned'] += entries;
    return entries;
  }

  #record(draw: BoundDraw, k: number, pieces: number, entries: number, wasClipped: boolean): void {
    if (this.#recorder === null) return;
    const { cornerVertices } = this.#geometry;
    this.#recorder.addPrimitive(
      draw,
      cornerVertices,
      k * draw.corners,
      pieces,
      entries,
      wasClipped,
    );
  }

  /** Runs the pixel phase on the batch, fine bin by fine bin, and empties it. */
  #closeBatch(reason: CloseReason): void {
    this.#counters[reason]++;
    this.#pixelPhase.run(this.#recorder);
    this.#recorder?.endBatch();
    this.#counters['raster.primitivesCovered'] += this.#batch.countCovered();
    this.#fineBinner.clear();
    this.#batch.clear();
  }

  /** Returns the final pixels and counters of the bin. */
  #readBin(
    frame: ResidentFrame,
    passIndex: number,
    rect: RectPx,
  ): Omit<RenderedBin, 'shaderInstructions' | 'cycles' | 'spans'> {
    const quadsPerRow = Math.ceil(rect.width / 2);
    const layout = frame.targets(passIndex);
    const size = { quadsPerRow, widthPx: rect.width, heightPx: rect.height };
    const { contents, isResolved } = frame.pass(passIndex);
    const colors = this.#reader.readColors(layout, size, isResolved);
    const depthStencil = contents?.isDepthStencilStored
      ? readDepthStencil(this.#memory, quadsPerRow, rect, layout.sampleCount)
      : null;
    const traversal = this.#traversal;
    const shading = this.#shading;
    const counters: Counters = {
      ...this.#counters,
      'raster.quadsCovered': traversal.quadsCovered,
      'raster.fragmentsCovered': traversal.fragmentsCovered,
      'raster.fragmentsEarlyKilled': traversal.fragmentsEarlyKilled,
      'shading.fragmentsShaded': shading.fragmentsShaded,
      'shading.helperLanes': shading.helperLanes,
      'shading.fragmentsDiscarded': shading.fragmentsDiscarded,
      'output.fragmentsLateKilled': shading.fragmentsLateKilled,
      'output.fragmentsWritten': shading.fragmentsWritten,
      'output.binPixels': rect.width * rect.height,
    };
    const queryCounts = this.#queries.counts();
    const counted = queryCounts.length === 0 ? {} : { queryCounts };
    return { rect, colors, depthStencil, counters, ...counted };
  }

  /** Finishes the record of the run, if there is one. */
  #finishRecord(bin: OutputOfBin, streamBytes = 0): FinishedRun | null {
    if (this.#recorder === null) return null;
    const run = this.#recorder.finish(outputBytesOf(bin), streamBytes);
    if (this.#recorder.fragmentsCovered !== this.#traversal.fragmentsCovered) {
      throw new Error('bin render mode: the seven levels and the kernel cover different samples');
    }
    return run;
  }
}

function quadCountOf({ width, height }: RectPx): number {
  return Math.ceil(width / 2) * Math.ceil(height / 2);
}
