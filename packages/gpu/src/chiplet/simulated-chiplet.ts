/** Synchronous chiplet: memory, units, and the two modes as plain calls. */

import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, requireChipletSpec } from '@tessera/chiplet-spec';
import { type CoarseBinId, type PreparedFrame, type RectPx, StopWords } from '@tessera/frame';
import { KernelLibrary } from '../command/kernel-library.ts';
import { ResidentFrame } from '../command/resident-frame.ts';
import { GeometryUnit } from '../geometry/geometry-unit.ts';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { BinRecorder } from '../modes/bin-recorder.ts';
import { BinRecorders } from '../modes/bin-recorders.ts';
import { BinRenderMode } from '../modes/bin-render-mode.ts';
import { countSubTiles, type SubTileCounts } from '../modes/count-sub-tiles.ts';
import { FeedbackMode } from '../modes/feedback-mode.ts';
import type { Observation } from '../modes/fragment-probe.ts';
import type { RenderedBin } from '../modes/rendered-bin.ts';
import { VisibilityMode, type VisibilityResult } from '../modes/visibility-mode.ts';
import { TriangleCoverage } from '../raster/coverage/triangle-coverage.ts';
import type { TraversalSwitches } from '../raster/hardware/seven-level-traversal.ts';
import type { LineObserver } from '../run-log/quad-traces.ts';
import type { WarpTallies } from '../run-log/warp-tallies.ts';
import { LineTable } from '../texture/layout/line-table.ts';
import { TexturePool } from '../texture/layout/texture-pool.ts';

/**
 * Chiplet with functional or cycle timing, as the frame requests. Kernels and textures stay cached
 * between frames.
 *
 * @example const chiplet = new SimulatedChiplet(); const resident = chiplet.admitFrame(frame);
 * const { stream } = chiplet.computeVisibility(resident, 0); const { rgba } =
 * chiplet.renderBin(resident, 0, 5, stream.bins[5]);
 */
export class SimulatedChiplet {
  readonly spec: ChipletSpec;
  readonly #memory: ChipletMemory;
  readonly #library: KernelLibrary;
  readonly #textures: TexturePool;
  readonly #geometry: GeometryUnit;
  readonly #visibilityMode: VisibilityMode;
  readonly #feedbackMode: FeedbackMode;
  readonly #binRenderMode: BinRenderMode;
  readonly #recorders: BinRecorders;
  /** Observer of the lines that fragments read, for frames with records; `null` for none. */
  lineObserver: LineObserver | null = null;
  /** Tallies of the pass in progress, for frames with records; `null` for none. */
  warpTallies: WarpTallies | null = null;
  /** Frame whose textures are in memory. */
  #placedFrame: ResidentFrame | null = null;

  /**
   * @param stopWords Words by which another thread stops the work in progress. Calls then throw
   *   FRAME_CANCELLED.
   * @throws {RangeError} If a field of the specification is missing or out of range.
   */
  constructor(given: ChipletSpec = DEFAULT_CHIPLET_SPEC, stopWords = new StopWords()) {
    const spec = requireChipletSpec(given);
    this.spec = spec;
    this.#memory = new ChipletMemory(spec, stopWords);
    this.#library = new KernelLibrary(this.#memory, spec);
    this.#textures = new TexturePool(
      this.#memory.memory,
      this.#memory.texturePoolPtr,
      this.#memory.texturePoolBytes,
      new LineTable(this.#memory.memory, this.#memory.lineTable, spec.textureLayout),
    );
    this.#recorders = new BinRecorders(spec, this.#memory, this.#library.executionLog);
    const geometry = new GeometryUnit(this.#memory);
    this.#geometry = geometry;
    const coverage = new TriangleCoverage(this.#memory);
    this.#binRenderMode = new BinRenderMode(this.#memory, spec, geometry, coverage);
    this.#feedbackMode = new FeedbackMode(this.#memory, spec, geometry);
    this.#visibilityMode = new VisibilityMode(
      this.#memory,
      spec,
      geometry,
      coverage,
      this.#binRenderMode,
    );
  }

  /** Admits a frame. Its draws are bound on demand. */
  admitFrame(frame: PreparedFrame): ResidentFrame {
    return new ResidentFrame(this.#memory, this.#library, this.spec, frame);
  }

  /**
   * Runs the visibility phase of a pass, or its transform feedback.
   *
   * @throws {RenderError} For errors in the frame's content.
   */
  computeVisibility(frame: ResidentFrame, passIndex: number): VisibilityResult {
    this.#placeTextures(frame);
    const copyWork = this.#timerFor(frame)?.copyWork.time(frame);
    const recorder = this.#recorderFor(frame);
    const result = frame.pass(passIndex).isFeedback
      ? this.#feedbackMode.write(frame, passIndex, recorder)
      : this.#visibilityMode.computeVisibility(frame, passIndex, recorder);
    return { ...result, summary: { ...result.summary, copyWork } };
  }

  /**
   * Renders a coarse bin or a part of it from its visibility stream.
   *
   * @param part Part of the bin, on borders of fine bins; without it the whole bin.
   * @throws {RenderError} See BinRenderMode.
   */
  renderBin(
    frame: ResidentFrame,
    passIndex: number,
    binId: CoarseBinId,
    stream: Uint8Array,
    part?: RectPx,
  ): RenderedBin {
    this.#placeTextures(frame);
    const recorder = this.#recorderFor(frame);
    return this.#binRenderMode.renderBin(frame, passIndex, binId, stream, recorder, part);
  }

  /**
   * Renders a coarse bin like {@link renderBin} without timing, under observation.
   *
   * @throws {RenderError} See BinRenderMode.
   */
  observeBin(
    frame: ResidentFrame,
    passIndex: number,
    binId: CoarseBinId,
    stream: Uint8Array,
    observation: Observation,
  ): RenderedBin {
    this.#placeTextures(frame);
    const [recorder, part] = [null, undefined];
    return this.#binRenderMode.renderBin(
      frame,
      passIndex,
      binId,
      stream,
      recorder,
      part,
      observation,
    );
  }

  /** Reuses the pixel buffers of a bin that the caller has released. */
  recycle(bin: Pick<RenderedBin, 'colors'>): void {
    this.#binRenderMode.recycle(bin);
  }

  /**
   * Counts the sub-tiles of a pass's primitives by level, with and without the bounding-box test.
   */
  countSubTiles(
    frame: ResidentFrame,
    passIndex: number,
    switches: Omit<TraversalSwitches, 'hasBoxTest'>,
  ): SubTileCounts {
    this.#placeTextures(frame);
    const { batchPrimitives } = this.spec;
    return countSubTiles(this.#memory, this.#geometry, frame, passIndex, batchPrimitives, switches);
  }

  /** Returns the recorder of phases and bins. @throws {RenderError} As {@link #timerFor}. */
  #recorderFor(resident: ResidentFrame): BinRecorder | null {
    const { timing, coupling = 'none' } = resident.frame.commands;
    if (timing === 'functional' || coupling === 'none') return this.#timerFor(resident);
    const recorder = this.#recorders.keeping;
    recorder.frame = resident;
    recorder.quadTraces.lineObserver = this.lineObserver;
    recorder.warpCounting.tallies = this.warpTallies;
    return recorder;
  }

  /**
   * Returns the recorder that times its records.
   *
   * @throws {RenderError} REQUEST_INVALID for alternatives with other records.
   */
  #timerFor(resident: ResidentFrame): BinRecorder | null {
    const { timing, alternativeSpecs = [] } = resident.frame.commands;
    if (timing === 'functional') return null;
    const recorder = this.#recorders.require(alternativeSpecs);
    recorder.frame = resident;
    return recorder;
  }

  #placeTextures(frame: ResidentFrame): void {
    if (this.#placedFrame === frame) return;
    // If placement is stopped, textures of both frames may have moved.
    this.#placedFrame = null;
    frame.placeTextures(this.#textures);
    this.#placedFrame = frame;
  }
}
