/**
 * Records that the functional side writes and modules read: fixed-size, numbered from 0, in a ring that
 * grows when more are wanted at once than it holds. Numbers are never reused in a run.
 */
import type { i32 } from '../portable/number-types.ts';

export class RecordRing {
  /** Words of all records; record n starts at `at(n)`. Changes when the ring grows. */
  words: Int32Array;
  /** Records written so far. */
  end: i32 = 0;
  /** Records before this one are read and may be overwritten. */
  start: i32 = 0;
  readonly stride: i32;
  /** Records that it holds, less one. */
  mask: i32;

  /** @param stride Words of a record. @param capacity Records at first, a power of two. */
  constructor(stride: i32, capacity: i32) {
    this.stride = stride;
    this.words = new Int32Array(stride * capacity);
    this.mask = capacity - 1;
  }

  /** Forgets all records. */
  reset(): void {
    this.start = 0;
    this.end = 0;
  }

  /** Index of the first word of record `number`. */
  at(number: i32): i32 {
    return (number & this.mask) * this.stride;
  }

  /**
   * Makes room for a record and returns the index of its first word; the caller fills it. `words` may be
   * another array afterwards.
   */
  append(): i32 {
    if (this.end - this.start > this.mask) this.grow();
    return (this.end++ & this.mask) * this.stride;
  }

  /** Makes room for `count` more records. `words` may be another array afterwards. */
  reserve(count: i32): void {
    while (this.end - this.start + count > this.mask + 1) this.grow();
  }

  private grow(): void {
    const stride = this.stride;
    const words = this.words;
    const larger = new Int32Array(2 * words.length);
    const mask = 2 * this.mask + 1;
    for (let record = this.start; record < this.end; record++) {
      const from = (record & this.mask) * stride;
      const to = (record & mask) * stride;
      for (let word = 0; word < stride; word++) larger[to + word] = words[from + word]!;
    }
    this.words = larger;
    this.mask = mask;
  }
}
