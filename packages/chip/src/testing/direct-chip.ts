/** The simulated chip as TypeScript, which the compiled chip must equal. */
import { Chip } from '../chip.ts';
import type {
  ChipEngine,
  ChipOptions,
  RingView,
  VertexTraceMaker,
} from '../compiled/chip-engine.ts';
import { REMOTE_WORDS } from '../records/record-layout.ts';
import { TimingSpec } from '../records/timing-spec.generated.ts';
import { RunControl } from '../sim/run-control.ts';
import { VertexTraceSource } from '../sim/vertex-trace-source.ts';

class CalledTraces extends VertexTraceSource {
  readonly #make: VertexTraceMaker;

  constructor(make: VertexTraceMaker) {
    super();
    this.#make = make;
  }

  override form(draw: number, vertices: Int32Array, count: number): number {
    return this.#make(draw, vertices, count);
  }
}

/** Runs the TypeScript sources of the cycle model behind the interface of the compiled chip. */
export class DirectChip implements ChipEngine {
  readonly #chip: Chip;

  constructor({ spec, maxUnitSpans, isNaive, formVertexTrace }: ChipOptions) {
    const timing = new TimingSpec();
    timing.load(spec);
    this.#chip = new Chip({
      spec: timing,
      traces: new CalledTraces(formVertexTrace),
      control: new RunControl(),
      maxUnitSpans,
      isNaive,
    });
  }

  get moduleNames(): readonly string[] {
    return this.#chip.units.modules.map(({ name }) => name);
  }

  begin(): void {
    this.#chip.begin();
  }

  addBin(plan: Int32Array): void {
    this.#chip.addBin(plan);
  }

  dropLines(first: number, end: number): void {
    this.#chip.dropLines(first, end);
  }

  shareMemory(words: Int32Array): void {
    this.#chip.shareMemory(words);
  }

  profileWarps(words: number): void {
    this.#chip.profileWarps(words);
  }

  get warpWaits(): Float64Array {
    return this.#chip.records.warpWaits;
  }

  takeMessages(): Int32Array {
    const { words, end } = this.#chip.outbox;
    this.#chip.clearOutbox();
    return words.subarray(0, end * REMOTE_WORDS);
  }

  get isIdle(): boolean {
    return this.#chip.isIdle;
  }

  failAsleep(): void {
    this.#chip.failAsleep();
  }

  endBin(outputBytes: number, streamBytes: number): void {
    this.#chip.endBin(outputBytes, streamBytes);
  }

  storeBin(line: number, count: number, isInterleaved: boolean): void {
    this.#chip.storeBin(line, count, isInterleaved);
  }

  placeTargets(): void {
    this.#chip.placeTargets();
  }

  storeArrival(line: number, count: number, cycle: number): void {
    this.#chip.storeArrival(line, count, cycle);
  }

  get storedCount(): number {
    return this.#chip.storedCount;
  }

  storedAt(arrival: number): number {
    return this.#chip.storedAt(arrival);
  }

  leftAt(bin: number): number {
    return this.#chip.leftAt(bin);
  }

  streamLeftAt(bin: number): number {
    return this.#chip.streamLeftAt(bin);
  }

  segmentsSent(bin: number): number {
    return this.#chip.segmentsSent(bin);
  }

  segmentLeftAt(bin: number, segment: number): number {
    return this.#chip.segmentLeftAt(bin, segment);
  }

  closeBin(): void {
    this.#chip.closeBin();
  }

  openBin(bin: number, primitives: number, cycle: number): void {
    this.#chip.openBin(bin, primitives, cycle);
  }

  waitedCyclesOf(bin: number): number {
    return this.#chip.waitedCyclesOf(bin);
  }

  reserve(ring: number, count: number): RingView {
    const records = this.#chip.records.rings[ring]!;
    records.reserve(count);
    const { words, mask, end } = records;
    return { words, mask, end };
  }

  publish(ring: number, end: number): void {
    this.#chip.records.rings[ring]!.end = end;
  }

  reserveArrays(count: number): Float64Array {
    this.#chip.records.reserveArrays(count);
    return this.#chip.records.arrays;
  }

  advance(): void {
    this.#chip.advance();
  }

  finish(): void {
    this.#chip.finish();
  }

  measure(): void {
    this.#chip.measure();
  }

  get cycle(): number {
    return this.#chip.clock.cycle;
  }

  runTo(until: number): void {
    this.#chip.runTo(until);
  }

  get wantsBin(): boolean {
    return this.#chip.wantsBin;
  }

  get leftCount(): number {
    return this.#chip.leftCount;
  }

  get hasFilledL2Set(): boolean {
    return this.#chip.hasFilledL2Set;
  }

  get counts(): Float64Array {
    return this.#chip.counts;
  }

  get stateCycles(): Int32Array {
    return this.#chip.units.schedule.cycles;
  }

  get waitCycles(): Int32Array {
    return this.#chip.units.schedule.waits;
  }

  /** Its memory is that of the process. */
  get memoryBytes(): number {
    return 0;
  }

  get intervalCount(): number {
    return this.#chip.clock.activity.count;
  }

  get intervalEnds(): Int32Array {
    return this.#chip.clock.activity.ends;
  }

  get intervalSums(): Int32Array {
    return this.#chip.clock.activity.sums;
  }
}
