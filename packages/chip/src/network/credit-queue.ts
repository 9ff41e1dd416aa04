import type { f64, i32 } from '../portable/number-types.ts';

const FIRST_CAPACITY = 8;

/** Reports of room in a buffer, in the order in which they arrive at the sending router. */
export class CreditQueue {
  /** Cycle in which the next report arrives; infinite if there is none. */
  nextCycle: f64 = Infinity;
  /** Ring of the reports, whose length is a power of two. */
  private cycles: Float64Array = new Float64Array(FIRST_CAPACITY);
  private bytes: Float64Array = new Float64Array(FIRST_CAPACITY);
  private first: i32 = 0;
  private count: i32 = 0;

  /** Adds a report. Most of them arrive after those that were added before. */
  add(cycle: f64, bytes: f64): void {
    if (this.count === this.cycles.length) this.grow();
    const mask = this.cycles.length - 1;
    let at = this.count++;
    for (; at > 0; at--) {
      const before = (this.first + at - 1) & mask;
      if (this.cycles[before]! <= cycle) break;
      this.cycles[(before + 1) & mask] = this.cycles[before]!;
      this.bytes[(before + 1) & mask] = this.bytes[before]!;
    }
    this.cycles[(this.first + at) & mask] = cycle;
    this.bytes[(this.first + at) & mask] = bytes;
    this.nextCycle = this.cycles[this.first]!;
  }

  /** Removes the next report, and returns its number of bytes. */
  shift(): f64 {
    const bytes = this.bytes[this.first]!;
    this.first = (this.first + 1) & (this.cycles.length - 1);
    this.count--;
    this.nextCycle = this.count === 0 ? Infinity : this.cycles[this.first]!;
    return bytes;
  }

  private grow(): void {
    const length = this.cycles.length;
    const cycles = new Float64Array(2 * length);
    const bytes = new Float64Array(2 * length);
    for (let i = 0; i < length; i++) {
      const from = (this.first + i) & (length - 1);
      cycles[i] = this.cycles[from]!;
      bytes[i] = this.bytes[from]!;
    }
    this.cycles = cycles;
    this.bytes = bytes;
    this.first = 0;
  }
}
