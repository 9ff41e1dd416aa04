/**
 * Bytes of messages over time, by chiplet. Time is divided into intervals of equal length, which
 * doubles when there would be too many. The sums do not depend on the order of the messages.
 */
import type { ChipletId, RemoteTraffic } from '@tessera/frame';

/** Bytes that chiplets sent and received in intervals of equal length from cycle 0. */
export interface IntervalTraffic {
  readonly intervalCycles: number;
  /** Bytes by chiplet and interval. */
  readonly sent: readonly (readonly number[])[];
  readonly received: readonly (readonly number[])[];
}

/** Accesses of remote memory, in total and over time. */
export interface SimulatedRemote extends RemoteTraffic {
  readonly intervals: IntervalTraffic;
}

/** Binary logarithm of the first length of an interval, in cycles. */
const FIRST_LENGTH_LOG2 = 8;
/** Upper bound on the number of intervals. */
const MAX_INTERVALS = 256;

/** Sums the bytes of messages in intervals. */
export class TrafficIntervals {
  #lengthLog2 = FIRST_LENGTH_LOG2;
  /** Number of intervals from the first to the last with a message. */
  #count = 0;
  readonly #sent: readonly Float64Array[];
  readonly #received: readonly Float64Array[];

  constructor(chipletCount: number) {
    const makeSums = () =>
      Array.from({ length: chipletCount }, () => new Float64Array(MAX_INTERVALS));
    this.#sent = makeSums();
    this.#received = makeSums();
  }

  /** Adds a message that leaves a chiplet in a cycle. */
  addSent(chipletId: ChipletId, bytes: number, cycle: number): void {
    this.#add(this.#sent, chipletId, bytes, cycle);
  }

  /** Adds a message that arrives at a chiplet in a cycle. */
  addReceived(chipletId: ChipletId, bytes: number, cycle: number): void {
    this.#add(this.#received, chipletId, bytes, cycle);
  }

  /** Traffic up to now. All chiplets have the same number of intervals. */
  get traffic(): IntervalTraffic {
    const used = (sums: Float64Array) => [...sums.subarray(0, this.#count)];
    return {
      intervalCycles: 2 ** this.#lengthLog2,
      sent: this.#sent.map(used),
      received: this.#received.map(used),
    };
  }

  #add(sums: readonly Float64Array[], chipletId: ChipletId, bytes: number, cycle: number): void {
    while (cycle >> this.#lengthLog2 >= MAX_INTERVALS) this.#double();
    const interval = cycle >> this.#lengthLog2;
    if (interval >= this.#count) this.#count = interval + 1;
    sums[chipletId]![interval]! += bytes;
  }

  /** Joins each two intervals. */
  #double(): void {
    this.#lengthLog2++;
    for (const own of [...this.#sent, ...this.#received]) {
      for (let i = 0; i < MAX_INTERVALS / 2; i++) own[i] = own[2 * i]! + own[2 * i + 1]!;
      own.fill(0, MAX_INTERVALS / 2);
    }
    this.#count = Math.ceil(this.#count / 2);
  }
}
