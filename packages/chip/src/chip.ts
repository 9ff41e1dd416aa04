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
import type { RecordRing } from './records/record-ring.ts';
import type { RunRecords } from './records/run-records.ts';
import type { TimingSpec } from './records/timing-spec.generated.ts';
import { Clock } from './sim/clock.ts';
import type { RunControl } from './sim/run-control.ts';
import { NEVER } from './sim/schedule.ts';
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
  private readonly control: RunControl;
  /** Number of bins when the command processor last could want another one. */
  private wantedBin: i32 = 0;

  constructor(options: ChipModelOptions) {
    const control = options.control;
    this.control = control;
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
    units.memory.priority.reset();
    units.memory.reset();
    units.bins.reset();
    units.colorCache.reset();
    units.depthCache.reset();
    units.hierarchicalDepth.reset();
    this.clock.reset();
    this.wantedBin = 0;
    this.control.isShared = false;
    units.l2Cache.remote.isOn = false;
  }

  /**
   * Shares the memory of the chiplet with others, from the start of a run on.
   *
   * @param words Words of SHARED_MEMORY_WORDS.
   */
  shareMemory(words: Int32Array): void {
    const remote = this.units.l2Cache.remote;
    remote.isOn = true;
    remote.homes.begin(words);
    this.control.isShared = true;
  }

  /**
   * Adds the cycles of warps to RunRecords.warpWaits, from the start of a run on.
   *
   * @param words Number of words that the places of all draws need.
   */
  profileWarps(words: i32): void {
    this.units.records.profile(words);
  }

  /**
   * Adds a bin, or a visibility phase, to the run. Its records follow those of the bin before.
   *
   * @param words Words of RUN_PLAN_WORDS.
   */
  addBin(words: Int32Array): void {
    const units = this.units;
    const bins = units.bins;
    bins.add(words);
    const plan = bins.at(bins.count - 1).plan;
    units.pageWalker.tableLine = plan.pageTableLine;
    if (units.l2Cache.remote.isOn) units.l2Cache.remote.homes.open(plan);
    // It may have to clear the target.
    units.schedule.wake(units.outputMerger.id, this.clock.cycle);
    this.clock.wakeSource();
  }

  /**
   * Removes the lines from `first` to before `end` from all caches, without writing them back. No
   * request for them may be under way.
   */
  dropLines(first: i32, end: i32): void {
    const units = this.units;
    units.memory.l2.dropLines(first, end);
    if (this.control.isShared) units.memory.l2.remote.dropLines(first, end);
    units.pageWalker.dropLines(first, end);
    units.vertexFetch.cache.dropLines(first, end);
    for (let i = 0; i < units.textureUnits.length; i++) {
      units.textureUnits[i]!.cache.dropLines(first, end);
    }
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

  /**
   * Lets the pixels of the newest bin stay in memory, from line `line` on. The end of the bin must
   * not be written yet.
   *
   * @param isInterleaved Whether their pages are in the memories of all chiplets in turn.
   */
  storeBin(line: i32, count: i32, isInterleaved: boolean): void {
    const places = this.units.bins.at(this.units.bins.count - 1);
    places.storedLine = line;
    places.storedLines = count;
    places.isInterleaved = isInterleaved;
  }

  /**
   * Stores lines that arrive over the link in local memory, from cycle `cycle` on, which is not
   * before that of an earlier call.
   */
  storeArrival(line: i32, count: i32, cycle: i32): void {
    this.units.copyEngine.store(line, count, cycle);
  }

  /** Number of arrivals that are stored. */
  get storedCount(): i32 {
    return this.units.copyEngine.storedCount;
  }

  /** Cycle after which an arrival was stored. */
  storedAt(arrival: i32): i32 {
    return this.units.copyEngine.storedAt(arrival);
  }

  /**
   * Sets the homes of drawn textures in an address space, from the words of the ring `targetHomes`.
   */
  placeTargets(): void {
    const records = this.units.records;
    this.units.l2Cache.remote.homes.targets.load(records.targetHomes.words);
    records.targetHomes.reset();
  }

  /** Cycle in which a bin had left the chiplet; 0 before. */
  leftAt(bin: i32): i32 {
    return this.units.bins.at(bin).leftAt;
  }

  /**
   * Cycle in which the last byte of a bin's visibility stream leaves; 0 if there is no stream, or
   * while the cycle is not known.
   */
  streamLeftAt(bin: i32): i32 {
    const bins = this.units.bins;
    return bins.released < bin ? 0 : this.units.outputBus.streamEnd(bin);
  }

  /** Number of segments of a bin's streamed visibility that leave in a known cycle. */
  segmentsSent(bin: i32): i32 {
    return this.units.outputBus.segmentsSent(bin);
  }

  /** Cycle in which the last byte of a segment that was counted leaves. */
  segmentLeftAt(bin: i32, segment: i32): i32 {
    return this.units.bins.at(bin).segments.leftAtOf(segment);
  }

  /** Closes the newest bin before its first primitive, because its visibility is streamed. */
  closeBin(): void {
    const bins = this.units.bins;
    bins.at(bins.count - 1).gate.close();
  }

  /**
   * Lets the command processor read the first primitives of a closed bin from a cycle on that is
   * not simulated.
   *
   * @param primitives ALL_PRIMITIVES for all and for the end of the bin.
   */
  openBin(bin: i32, primitives: i32, cycle: i32): void {
    this.units.bins.at(bin).gate.openFor(primitives, cycle);
    this.clock.wakeGate(cycle);
  }

  /** Number of cycles in which a bin waited for segments of its visibility. */
  waitedCyclesOf(bin: i32): i32 {
    return this.units.bins.at(bin).gate.waitedCycles;
  }

  /** Number of bins that have left the chiplet. */
  get leftCount(): i32 {
    return this.units.bins.released;
  }

  /** Whether the command processor has read all records and wants another bin in this cycle. */
  get wantsBin(): boolean {
    return this.control.needsRecords;
  }

  /**
   * Simulates until the records written so far are used up, and frees those that no module needs.
   */
  advance(): void {
    const control = this.control;
    do this.clock.run(NEVER);
    while (
      control.hasEvent &&
      !control.needsRecords &&
      !control.isFinished &&
      !control.isStopped()
    );
    this.free();
  }

  /**
   * Simulates to the end of the run and sums its counts. All records must have been written. If a
   * bin has not left, the run ends when the last one has left and memory is quiet.
   */
  finish(): void {
    const bins = this.units.bins;
    bins.isClosed = true;
    if (bins.released < bins.count) this.advance();
    else this.clock.accountAll();
    countRun(this.units, this.clock.cycle, this.counts);
  }

  /** Brings the counts and the states of all modules up to the current cycle. */
  measure(): void {
    this.clock.account();
    countRun(this.units, this.clock.cycle, this.counts);
  }

  /**
   * Simulates up to cycle `until`. Returns earlier when the command processor wants another bin, in
   * that cycle, and after a cycle in which a bin with a stream was binned or a bin has left. All
   * records of the bins so far must have been written. If the command processor gets no bin in the
   * cycle in which it wants one, it sleeps until a bin is added.
   *
   * @throws {Error} If bins can never leave.
   */
  runTo(until: i32): void {
    const clock = this.clock;
    const bins = this.units.bins;
    if (this.control.needsRecords && bins.count === this.wantedBin) clock.rest();
    if (this.control.isShared) this.wakeForMessages();
    clock.run(until);
    this.wantedBin = bins.count;
    const isWoken = this.control.isShared || this.control.isGated;
    if (clock.isIdle && bins.released < bins.count && !isWoken) clock.failAsleep();
    this.free();
  }

  /** Whether nothing happens before the chiplet gets a bin or a message. */
  get isIdle(): boolean {
    const units = this.units;
    const hasMessage =
      units.l2Cache.remote.nextReply() < NEVER || units.remoteServer.nextArrival() < NEVER;
    return !hasMessage && this.clock.isIdle;
  }

  /** Messages to other chiplets since the last `clearOutbox`. */
  get outbox(): RecordRing {
    return this.units.records.remoteOutbox;
  }

  clearOutbox(): void {
    this.units.records.remoteOutbox.reset();
  }

  /** Names the modules that wait for each other. @throws {Error} Always. */
  failAsleep(): void {
    this.clock.failAsleep();
  }

  private wakeForMessages(): void {
    const units = this.units;
    units.schedule.wake(units.l2Cache.id, units.l2Cache.remote.nextReply());
    units.schedule.wake(units.remoteServer.id, units.remoteServer.nextArrival());
  }

  private free(): void {
    const units = this.units;
    const records = units.records;
    records.commands.start = units.fineBinner.commandsDone;
    records.entries.start = units.tileTraversal.entriesDone;
    records.blocks.start = units.warpPacking.blocksDone;
    records.vertices.start = units.vertexFetch.verticesDone;
  }

  /** Whether a set of the second-level cache was full when a line was to be added. */
  get hasFilledL2Set(): boolean {
    return this.units.memory.l2.hasFilledSet;
  }
}
