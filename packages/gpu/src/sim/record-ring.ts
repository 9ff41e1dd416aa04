/**
 * Records that the functional side writes and modules read: fixed-size, numbered from 0, in a ring that
 * grows when more are wanted at once than it holds. Numbers are never reused in a run.
 */
export class RecordRing {
  /** Words of all records; record n starts at `at(n)`. Changes when the ring grows. */
  words: Int32Array<ArrayBuffer>;
  /** Records written so far. */
  end = 0;
  /** Records before this one are read and may be overwritten. */
  start = 0;
  readonly stride: number;
  private mask: number;

  /** @param stride Words of a record. @param capacity Records at first, a power of two. */
  constructor(stride: number, capacity: number) {
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
  at(number: number): number {
    return (number & this.mask) * this.stride;
  }

  /**
   * Makes room for a record and returns the index of its first word; the caller fills it. `words` may be
   * another array afterwards.
   */
  append(): number {
    if (this.end - this.start > this.mask) this.grow();
    return (this.end++ & this.mask) * this.stride;
  }

  private grow(): void {
    const { stride, words } = this;
    const capacity = 2 * (this.mask + 1);
    const larger = new Int32Array(stride * capacity);
    for (let number = this.start; number < this.end; number++) {
      const from = (number & this.mask) * stride;
      larger.set(words.subarray(from, from + stride), (number & (capacity - 1)) * stride);
    }
    this.words = larger;
    this.mask = capacity - 1;
  }
}
