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

const FIRST_INTERVAL_CYCLES = 256;
/** Upper bound on the number of intervals. */
const MAX_INTERVALS = 256;

/** Sums the bytes of messages in intervals. */
export class TrafficIntervals {
  #intervalCycles = FIRST_INTERVAL_CYCLES;
  readonly #sent: number[][];
  readonly #received: number[][];

  constructor(chipletCount: number) {
    this.#sent = Array.from({ length: chipletCount }, () => []);
    this.#received = Array.from({ length: chipletCount }, () => []);
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
    const all = [...this.#sent, ...this.#received];
    const length = all.reduce((most, sums) => Math.max(most, sums.length), 0);
    const filled = (sums: readonly number[]) =>
      Array.from({ length }, (_, interval) => sums[interval] ?? 0);
    return {
      intervalCycles: this.#intervalCycles,
      sent: this.#sent.map(filled),
      received: this.#received.map(filled),
    };
  }

  #add(sums: readonly number[][], chipletId: ChipletId, bytes: number, cycle: number): void {
    while (cycle >= MAX_INTERVALS * this.#intervalCycles) this.#double();
    const own = sums[chipletId]!;
    const interval = Math.floor(cycle / this.#intervalCycles);
    while (own.length <= interval) own.push(0);
    own[interval]! += bytes;
  }

  /** Joins each two intervals. */
  #double(): void {
    this.#intervalCycles *= 2;
    for (const own of [...this.#sent, ...this.#received]) {
      const half = Math.ceil(own.length / 2);
      for (let i = 0; i < half; i++) own[i] = own[2 * i]! + (own[2 * i + 1] ?? 0);
      own.length = half;
    }
  }
}
