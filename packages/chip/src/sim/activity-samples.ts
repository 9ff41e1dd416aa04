/**
 * Activity of the modules over a run: busy, starved and stalled cycles of each module in intervals
 * of equal length. When there are too many intervals, pairs are joined. A run of any length
 * therefore has a bounded number of intervals.
 */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { type Schedule, STATE_COUNT } from './schedule.ts';

/** Options of the samples. */
export interface ActivitySamplesOptions {
  readonly schedule: Schedule;
  readonly moduleCount: i32;
  /** Upper bound on the number of intervals, even. */
  readonly limit: i32;
  /** Cycles between two calls of `sample`. */
  readonly sampleCycles: i32;
}

/** Cycles by module and state at the end of each interval. */
export class ActivitySamples {
  /** Number of finished intervals. */
  count: i32 = 0;
  private readonly schedule: Schedule;
  private readonly moduleCount: i32;
  private readonly limit: i32;
  private readonly sampleCycles: i32;
  /** Last cycle of each interval, and the schedule's `cycles` up to it, interval after interval. */
  readonly ends: Int32Array;
  readonly sums: Int32Array;
  private every: i32 = 1;

  constructor(options: ActivitySamplesOptions) {
    const ends = options.limit + 1;
    this.schedule = options.schedule;
    this.moduleCount = options.moduleCount;
    this.limit = options.limit;
    this.sampleCycles = options.sampleCycles;
    this.ends = new Int32Array(ends);
    this.sums = new Int32Array(ends * options.moduleCount * STATE_COUNT);
  }

  reset(): void {
    this.count = 0;
    this.every = 1;
  }

  /**
   * Ends an interval at `cycle`, a multiple of `sampleCycles`, if the end of an interval is due.
   */
  sample(cycle: i32): void {
    if (divide(cycle, this.sampleCycles) % this.every !== 0) return;
    if (this.count === this.limit) {
      this.join();
      if (divide(cycle, this.sampleCycles) % this.every !== 0) return;
    }
    this.end(cycle);
  }

  /** Ends the last interval with the run. */
  finish(cycle: i32): void {
    if (this.count === 0 || this.ends[this.count - 1]! < cycle) this.end(cycle);
  }

  private end(cycle: i32): void {
    for (let module = 0; module < this.moduleCount; module++) this.schedule.account(module, cycle);
    this.ends[this.count] = cycle;
    const cycles = this.schedule.cycles;
    const first = this.count * cycles.length;
    for (let i = 0; i < cycles.length; i++) this.sums[first + i] = cycles[i]!;
    this.count++;
  }

  /** Joins pairs of intervals by keeping every second end. */
  private join(): void {
    const words = this.moduleCount * STATE_COUNT;
    for (let i = 1; i < this.count; i += 2) {
      this.ends[i >> 1] = this.ends[i]!;
      this.sums.copyWithin((i >> 1) * words, i * words, (i + 1) * words);
    }
    this.count >>= 1;
    this.every *= 2;
  }
}
