/**
 * The simulated chip of a chiplet: every unit as a module, linked by queues. Reads as the pipeline,
 * from its end to its start, which is the order in which modules are numbered and clocked:
 *
 *   output bus ◄ output merger ◄ texture units, shader cores ◄ task scheduler ◄ interpolator ◄
 *   warp packing ◄ early depth ◄ tile traversal ◄ fine-bin reader ◄ fine binner ◄ setup ◄
 *   clip, cull ◄ assembly ◄
 *   vertex fetch (vertex warps to the task scheduler) ◄ command processor
 *
 * This file and the folders beside it run in WebAssembly; README.md of the package says what such
 * files may use. As TypeScript they are the reference that the compiled chip must equal.
 */
import { countRun } from './chip-counts.generated.ts';
import { ChipLoop } from './chip-loop.generated.ts';
import { ChipUnits } from './chip-units.generated.ts';
import type { f64, i32 } from './portable/number-types.ts';
import { COUNT_WORDS } from './records/count-slots.generated.ts';
import type { RunRecords } from './records/run-records.ts';
import type { TimingSpec } from './records/timing-spec.generated.ts';
import { Clock } from './sim/clock.ts';
import type { RunControl } from './sim/run-control.ts';
import type { VertexTraceSource } from './sim/vertex-trace-source.ts';

/** Options of a chip. */
export interface ChipModelOptions {
  readonly spec: TimingSpec;
  /** Source of the traces of vertex warps. */
  readonly traces: VertexTraceSource;
  /** Flags between the modules, the clock and the host. */
  readonly control: RunControl;
  /** Upper bound on the intervals of activity kept for all modules together. */
  readonly maxUnitSpans: i32;
  /** Whether every module is clocked in every cycle, which gives the same cycles. */
  readonly isNaive: boolean;
}

/** Simulates one run after another: `begin`, `advance` whenever records arrive, `finish`. */
export class Chip {
  /** Modules, queues and the parts that they share. */
  readonly units: ChipUnits;
  /** Clock of the modules. */
  readonly clock: Clock;
  /** Counts of the last run by the slots of COUNT. */
  readonly counts: Float64Array = new Float64Array(COUNT_WORDS);

  constructor(options: ChipModelOptions) {
    const control = options.control;
    const units = new ChipUnits(options.spec, options.traces, control);
    this.units = units;
    this.clock = new Clock({
      schedule: units.schedule,
      loop: new ChipLoop(units, options.isNaive),
      queues: units.queues,
      control,
      maxUnitSpans: options.maxUnitSpans,
    });
  }

  /** Records of the functional side; the host appends to them. */
  get records(): RunRecords {
    return this.units.records;
  }

  /** Starts a run of no bins with an empty pipeline, cold caches and no records. */
  begin(): void {
    const units = this.units;
    units.records.reset();
    units.memory.reset();
    units.bins.reset();
    units.colorCache.reset();
    units.depthCache.reset();
    units.hierarchicalDepth.reset();
    this.clock.reset();
  }

  /**
   * Adds a bin, or a visibility phase, to the run. Its records follow those of the bin before.
   *
   * @param words Words of RUN_PLAN_WORDS.
   */
  addBin(words: Int32Array): void {
    this.units.bins.add(words);
    const bins = this.units.bins;
    this.units.pageWalker.tableLine = bins.at(bins.count - 1).plan.pageTableLine;
  }

  /**
   * Sets what leaves the chiplet with the newest bin. The end of the bin must not be written yet.
   *
   * @param outputBytes Bytes that leave over the output bus at the end of the bin.
   * @param streamBytes Bytes of a visibility stream that leaves earlier, once all primitives are
   *   binned.
   */
  endBin(outputBytes: f64, streamBytes: f64): void {
    const places = this.units.bins.at(this.units.bins.count - 1);
    places.outputBytes = outputBytes;
    places.streamBytes = streamBytes;
  }

  /** Cycle in which a bin had left the chiplet. */
  leftAt(bin: i32): i32 {
    return this.units.bins.at(bin).leftAt;
  }

  /**
   * Simulates until the records written so far are used up, and frees those that no module needs.
   */
  advance(): void {
    const units = this.units;
    const records = units.records;
    this.clock.run();
    records.commands.start = units.fineBinner.commandsDone;
    records.entries.start = units.tileTraversal.entriesDone;
    records.blocks.start = units.warpPacking.blocksDone;
    records.vertices.start = units.vertexFetch.verticesDone;
  }

  /** Simulates to the end of the run. All records must have been written. */
  finish(): void {
    this.units.bins.isClosed = true;
    this.clock.run();
    countRun(this.units, this.clock.cycle, this.counts);
  }

  /** Whether a set of the second-level cache was full when a line was to be added. */
  get hasFilledL2Set(): boolean {
    return this.units.memory.l2.hasFilledSet;
  }

  /**
   * Cycle in which the last byte of the first bin's visibility stream left; 0 if nothing else
   * leaves, or if there is no stream.
   */
  get streamEnd(): i32 {
    return this.units.outputBus.streamEnd(this.units.bins.at(0));
  }
}
