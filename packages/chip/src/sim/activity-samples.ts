/**
 * What the modules did over the course of a run, in stretches of equal length: busy, starved and stalled cycles of
 * each. When there are too many stretches, pairs are joined, so that a run of any length has a bounded number.
 */

import { divide } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import { type Schedule, STATE_COUNT } from './schedule.ts';

export class ActivitySamples {
  /** Stretches that have ended. */
  count: i32 = 0;
  private readonly schedule: Schedule;
  private readonly moduleCount: i32;
  private readonly limit: i32;
  private readonly intervalCycles: i32;
  /** Ends of the stretches; the Schedule's `cycles` up to then, one stretch behind the other. */
  readonly ends: Int32Array;
  readonly sums: Int32Array;
  private every: i32 = 1;

  /** @param limit Most stretches, even. @param intervalCycles Between two calls of `sample`. */
  constructor(schedule: Schedule, moduleCount: i32, limit: i32, intervalCycles: i32) {
    this.schedule = schedule;
    this.moduleCount = moduleCount;
    this.limit = limit;
    this.intervalCycles = intervalCycles;
    this.ends = new Int32Array(limit + 1);
    this.sums = new Int32Array((limit + 1) * moduleCount * STATE_COUNT);
  }

  reset(): void {
    this.count = 0;
    this.every = 1;
  }

  /** Ends a stretch at `cycle`, a multiple of the interval, if one is due. */
  sample(cycle: i32): void {
    if (divide(cycle, this.intervalCycles) % this.every !== 0) return;
    if (this.count === this.limit) {
      this.join();
      if (divide(cycle, this.intervalCycles) % this.every !== 0) return;
    }
    this.end(cycle);
  }

  /** Ends the last stretch with the run. */
  finish(cycle: i32): void {
    if (this.count === 0 || this.ends[this.count - 1]! < cycle) this.end(cycle);
  }

  private end(cycle: i32): void {
    for (let module = 0; module < this.moduleCount; module++) this.schedule.account(module, cycle);
    this.ends[this.count] = cycle;
    this.sums.set(this.schedule.cycles, this.count * this.schedule.cycles.length);
    this.count++;
  }

  /** Keeps every other end. */
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
