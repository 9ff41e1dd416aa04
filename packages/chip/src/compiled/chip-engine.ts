/**
 * The simulated chip as seen by its host. {@link CompiledChip} runs the compiled model, and a test
 * kit runs its sources. Words go in and out as views of the chip's memory.
 */
import { COUNT_WORDS } from '../records/count-slots.generated.ts';
import { REMOTE_WORDS } from '../records/record-layout.ts';
import { cycleModelCode } from './cycle-model-code.ts';

/** Ring of records with room for more. The view is valid until the next call of `reserve`. */
export interface RingView {
  readonly words: Int32Array;
  /** Capacity in records, less one. */
  readonly mask: number;
  /** Number of records written so far. */
  readonly end: number;
}

/**
 * Forms the trace of a vertex warp and appends it; see VertexTraceSource. Returns the number of its
 * first word.
 */
export type VertexTraceMaker = (draw: number, vertices: Int32Array, count: number) => number;

/** Options of a simulated chip. */
export interface ChipOptions {
  /** Words of TIMING_SPEC_WORDS. */
  readonly spec: Int32Array;
  /** Upper bound on the intervals of activity kept for all modules together. */
  readonly maxUnitSpans: number;
  /** Whether every module is clocked in every cycle, which gives the same cycles. */
  readonly isNaive: boolean;
  readonly formVertexTrace: VertexTraceMaker;
  /** Called every few thousand cycles to ask whether the run is to stop; see RunControl. */
  readonly isStopped: () => boolean;
}

/** Simulated chip that runs one run after another. */
export interface ChipEngine {
  /** Names of the modules by number. */
  readonly moduleNames: readonly string[];
  /** Starts a run of no bins. */
  begin(): void;
  /**
   * Adds a bin.
   *
   * @param plan Words of RUN_PLAN_WORDS.
   */
  addBin(plan: Int32Array): void;
  /** Removes lines from all caches; see Chip. */
  dropLines(first: number, end: number): void;
  /**
   * Shares the memory of the chiplet with others; see Chip.
   *
   * @param words Words of SHARED_MEMORY_WORDS.
   */
  shareMemory(words: Int32Array): void;
  /**
   * Returns the messages to other chiplets since the last call, each of REMOTE_WORDS. The view is
   * valid until the chip runs.
   */
  takeMessages(): Int32Array;
  /** Whether nothing happens before the chip gets a bin or a message. */
  readonly isIdle: boolean;
  /** Adds the cycles of warps to a table of so many words; see Chip. */
  profileWarps(words: number): void;
  /** Cycles of warps; see RunRecords. */
  readonly warpWaits: Float64Array;
  /** Names the modules that wait for each other. @throws {Error} Always. */
  failAsleep(): void;
  /** Sets what leaves with the newest bin; see Chip. */
  endBin(outputBytes: number, streamBytes: number): void;
  /** Lets the pixels of the newest bin stay in memory; see Chip. */
  storeBin(line: number, count: number, isInterleaved: boolean): void;
  /** Sets the homes of drawn textures from the words of the ring `targetHomes`. */
  placeTargets(): void;
  /** Stores lines that arrive over the link in local memory; see Chip. */
  storeArrival(line: number, count: number, cycle: number): void;
  /** Number of arrivals that are stored. */
  readonly storedCount: number;
  /** Returns the cycle after which an arrival was stored. */
  storedAt(arrival: number): number;
  /** Returns the cycle in which a bin had left the chiplet; 0 before. */
  leftAt(bin: number): number;
  /** Returns the cycle in which a bin's visibility stream has left; see Chip. */
  streamLeftAt(bin: number): number;
  /** Returns the number of segments of a bin's stream that leave in a known cycle. */
  segmentsSent(bin: number): number;
  /** Returns the cycle in which the last byte of a segment leaves. */
  segmentLeftAt(bin: number, segment: number): number;
  /** Closes the newest bin before its first primitive; see Chip. */
  closeBin(): void;
  /** Lets primitives of a closed bin be read from a cycle on; see Chip. */
  openBin(bin: number, primitives: number, cycle: number): void;
  /** Returns the number of cycles in which a bin waited for segments. */
  waitedCyclesOf(bin: number): number;
  /**
   * Makes room for `count` more records.
   *
   * @param ring Number in RING.
   */
  reserve(ring: number, count: number): RingView;
  /** Lets the chip read the records before `end`. */
  publish(ring: number, end: number): void;
  /** Makes room for `count` words of attribute arrays in total. */
  reserveArrays(count: number): Float64Array;
  /** Simulates until the published records are used up; see Chip. */
  advance(): void;
  finish(): void;
  /** Brings the counts and the states of all modules up to the current cycle, within a run. */
  measure(): void;
  /** Simulates whole bins up to a cycle or an event; see Chip. */
  runTo(until: number): void;
  /** Whether the command processor wants another bin in this cycle. */
  readonly wantsBin: boolean;
  /** Number of bins that have left the chiplet. */
  readonly leftCount: number;
  readonly cycle: number;
  /** Whether a set of the second-level cache was full when a line was to be added. */
  readonly hasFilledL2Set: boolean;
  /** Counts of the last run by the slots of COUNT. */
  readonly counts: Float64Array;
  /** Cycles by module and state; see Schedule. */
  readonly stateCycles: Int32Array;
  /** Cycles by module and what it waits for; see Schedule. */
  readonly waitCycles: Int32Array;
  /** Bytes of the chip's memory, which the heap of the process does not include. */
  readonly memoryBytes: number;
  /** Intervals of activity; see ActivitySamples. */
  readonly intervalCount: number;
  readonly intervalEnds: Int32Array;
  readonly intervalSums: Int32Array;
}

/** Exports of the compiled chip, which assembly/chip-exports.ts defines. */
interface ChipExports {
  readonly memory: WebAssembly.Memory;
  wordsPtr(): number;
  statusPtr(): number;
  create(maxUnitSpans: number, isNaive: number): void;
  begin(): void;
  addBin(): void;
  dropLines(first: number, end: number): void;
  shareMemory(): void;
  profileWarps(words: number): void;
  warpWaitsPtr(): number;
  warpWaitsLength(): number;
  outboxPtr(): number;
  clearOutbox(): void;
  isIdle(): number;
  failAsleep(): void;
  endBin(outputBytes: number, streamBytes: number): void;
  storeBin(line: number, count: number, isInterleaved: number): void;
  placeTargets(): void;
  storeArrival(line: number, count: number, cycle: number): void;
  storedAt(arrival: number): number;
  leftAt(bin: number): number;
  streamLeftAt(bin: number): number;
  segmentsSent(bin: number): number;
  segmentLeftAt(bin: number, segment: number): number;
  closeBin(): void;
  openBin(bin: number, primitives: number, cycle: number): void;
  waitedCyclesOf(bin: number): number;
  advance(): void;
  finish(): void;
  measure(): void;
  runTo(until: number): void;
  wantsBin(): number;
  hasFilledL2Set(): number;
  reserve(ring: number, count: number): number;
  ringLength(ring: number): number;
  ringMask(ring: number): number;
  ringEnd(ring: number): number;
  publish(ring: number, end: number): void;
  reserveArrays(count: number): number;
  arraysLength(): number;
  countsPtr(): number;
  stateCyclesPtr(): number;
  waitCyclesPtr(): number;
  intervalCount(): number;
  intervalEndsPtr(): number;
  intervalSumsPtr(): number;
  moduleCount(): number;
  moduleName(module: number): number;
}

const NO_MESSAGES = new Int32Array(0);

/**
 * Words of the status in chip-exports.ts. A call for each would take longer than an idle window.
 */
const STATUS = { cycle: 0, leftCount: 1, storedCount: 2, outboxCount: 3 } as const;

let compiled: WebAssembly.Module | null = null;

/** Returns the compiled model. It is compiled once per thread. */
function cycleModel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(cycleModelCode());
  return compiled;
}

/** Simulated chip in WebAssembly. */
export class CompiledChip implements ChipEngine {
  readonly moduleNames: readonly string[];
  readonly #exports: ChipExports;
  #view: Int32Array;
  readonly #statusIndex: number;

  /** @param module Build of the cycle model; tests pass another one. */
  constructor(
    { spec, maxUnitSpans, isNaive, formVertexTrace, isStopped }: ChipOptions,
    module = cycleModel(),
  ) {
    const { exports } = new WebAssembly.Instance(module, {
      'chip-exports': {
        formVertexTrace: (draw: number, vertices: number, count: number) =>
          formVertexTrace(draw, this.#words(vertices, count).slice(), count),
        isRunStopped: () => (isStopped() ? 1 : 0),
      },
      env: {
        abort: (message: number) => {
          throw new Error(this.#text(message));
        },
      },
    });
    // The assertion is safe because the module is compiled from chip-exports.ts.
    this.#exports = exports as unknown as ChipExports;
    this.#view = new Int32Array(this.#exports.memory.buffer);
    this.#words(this.#exports.wordsPtr(), spec.length).set(spec);
    this.#statusIndex = this.#exports.statusPtr() >>> 2;
    this.#exports.create(maxUnitSpans, isNaive ? 1 : 0);
    this.moduleNames = Array.from({ length: this.#exports.moduleCount() }, (_, module) =>
      this.#text(this.#exports.moduleName(module)),
    );
  }

  begin(): void {
    this.#exports.begin();
  }

  addBin(plan: Int32Array): void {
    this.#words(this.#exports.wordsPtr(), plan.length).set(plan);
    this.#exports.addBin();
  }

  dropLines(first: number, end: number): void {
    this.#exports.dropLines(first, end);
  }

  shareMemory(words: Int32Array): void {
    this.#words(this.#exports.wordsPtr(), words.length).set(words);
    this.#exports.shareMemory();
  }

  profileWarps(words: number): void {
    this.#exports.profileWarps(words);
  }

  get warpWaits(): Float64Array {
    const { memory } = this.#exports;
    const [ptr, length] = [this.#exports.warpWaitsPtr(), this.#exports.warpWaitsLength()];
    return new Float64Array(memory.buffer, ptr, length);
  }

  takeMessages(): Int32Array {
    const count = this.#statusWord(STATUS.outboxCount);
    if (count === 0) return NO_MESSAGES;
    this.#exports.clearOutbox();
    return this.#words(this.#exports.outboxPtr(), count * REMOTE_WORDS);
  }

  get isIdle(): boolean {
    return this.#exports.isIdle() !== 0;
  }

  failAsleep(): void {
    this.#exports.failAsleep();
  }

  endBin(outputBytes: number, streamBytes: number): void {
    this.#exports.endBin(outputBytes, streamBytes);
  }

  storeBin(line: number, count: number, isInterleaved: boolean): void {
    this.#exports.storeBin(line, count, isInterleaved ? 1 : 0);
  }

  placeTargets(): void {
    this.#exports.placeTargets();
  }

  storeArrival(line: number, count: number, cycle: number): void {
    this.#exports.storeArrival(line, count, cycle);
  }

  get storedCount(): number {
    return this.#statusWord(STATUS.storedCount);
  }

  storedAt(arrival: number): number {
    return this.#exports.storedAt(arrival);
  }

  leftAt(bin: number): number {
    return this.#exports.leftAt(bin);
  }

  streamLeftAt(bin: number): number {
    return this.#exports.streamLeftAt(bin);
  }

  segmentsSent(bin: number): number {
    return this.#exports.segmentsSent(bin);
  }

  segmentLeftAt(bin: number, segment: number): number {
    return this.#exports.segmentLeftAt(bin, segment);
  }

  closeBin(): void {
    this.#exports.closeBin();
  }

  openBin(bin: number, primitives: number, cycle: number): void {
    this.#exports.openBin(bin, primitives, cycle);
  }

  waitedCyclesOf(bin: number): number {
    return this.#exports.waitedCyclesOf(bin);
  }

  reserve(ring: number, count: number): RingView {
    const ptr = this.#exports.reserve(ring, count);
    return {
      words: this.#words(ptr, this.#exports.ringLength(ring)),
      mask: this.#exports.ringMask(ring),
      end: this.#exports.ringEnd(ring),
    };
  }

  publish(ring: number, end: number): void {
    this.#exports.publish(ring, end);
  }

  reserveArrays(count: number): Float64Array {
    const ptr = this.#exports.reserveArrays(count);
    return new Float64Array(this.#exports.memory.buffer, ptr, this.#exports.arraysLength());
  }

  advance(): void {
    this.#exports.advance();
  }

  finish(): void {
    this.#exports.finish();
  }

  measure(): void {
    this.#exports.measure();
  }

  get cycle(): number {
    return this.#statusWord(STATUS.cycle);
  }

  runTo(until: number): void {
    this.#exports.runTo(until);
  }

  get wantsBin(): boolean {
    return this.#exports.wantsBin() !== 0;
  }

  get leftCount(): number {
    return this.#statusWord(STATUS.leftCount);
  }

  get hasFilledL2Set(): boolean {
    return this.#exports.hasFilledL2Set() !== 0;
  }

  get counts(): Float64Array {
    const { memory } = this.#exports;
    return new Float64Array(memory.buffer, this.#exports.countsPtr(), COUNT_WORDS);
  }

  get stateCycles(): Int32Array {
    return this.#words(this.#exports.stateCyclesPtr());
  }

  get waitCycles(): Int32Array {
    return this.#words(this.#exports.waitCyclesPtr());
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  get intervalCount(): number {
    return this.#exports.intervalCount();
  }

  get intervalEnds(): Int32Array {
    return this.#words(this.#exports.intervalEndsPtr());
  }

  get intervalSums(): Int32Array {
    return this.#words(this.#exports.intervalSumsPtr());
  }

  #statusWord(word: number): number {
    return this.#memory[this.#statusIndex + word]!;
  }

  /** All words of the chip's memory. Memory that has grown has detached the view before. */
  get #memory(): Int32Array {
    if (this.#view.length === 0) this.#view = new Int32Array(this.#exports.memory.buffer);
    return this.#view;
  }

  /**
   * Returns words of the chip's memory from an address on. Memory that has grown invalidates
   * earlier views.
   */
  #words(ptr: number, count?: number): Int32Array {
    const first = ptr >>> 2;
    return this.#memory.subarray(first, count === undefined ? undefined : first + count);
  }

  /** Returns a string of AssemblyScript: UTF-16, with its length in bytes in the word before it. */
  #text(ptr: number): string {
    const { buffer } = this.#exports.memory;
    const bytes = new Uint32Array(buffer, ptr - 4, 1)[0]!;
    return String.fromCharCode(...new Uint16Array(buffer, ptr, bytes >> 1));
  }
}
