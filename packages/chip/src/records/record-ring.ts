import type { i32 } from '../portable/number-types.ts';

/**
 * Ring of records of a fixed size, numbered from 0. The functional side writes the records and
 * modules read them. The ring grows when it must hold more records at once. Numbers are never
 * reused in a run.
 */
export class RecordRing {
  /** Words of all records. Record n starts at `at(n)`. Growing replaces the array. */
  words: Int32Array;
  /** Number of records written so far. */
  end: i32 = 0;
  /** First record that is still needed. Records before it may be overwritten. */
  start: i32 = 0;
  readonly stride: i32;
  /** Capacity in records minus 1. */
  mask: i32;

  /**
   * @param stride Number of words per record.
   * @param capacity Initial capacity in records, a power of two.
   */
  constructor(stride: i32, capacity: i32) {
    this.stride = stride;
    this.words = new Int32Array(stride * capacity);
    this.mask = capacity - 1;
  }

  /** Discards all records. */
  reset(): void {
    this.start = 0;
    this.end = 0;
  }

  /** Returns the index of the first word of record `number`. */
  at(number: i32): i32 {
    return (number & this.mask) * this.stride;
  }

  /**
   * Makes room for one record and returns the index of its first word. The caller fills it. `words`
   * may be replaced.
   */
  append(): i32 {
    if (this.end - this.start > this.mask) this.grow();
    return (this.end++ & this.mask) * this.stride;
  }

  /** Makes room for `count` more records. `words` may be replaced. */
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
