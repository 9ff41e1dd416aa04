/** Words that are written and read in order, in a ring that grows when more are wanted at once than it holds. */
import { RenderError } from '@tessera/frame';

/** Most words that a ring holds at once: a quarter of a gigabyte. */
export const MAX_WORDS = 2 ** 26;

export class WordRing {
  /** Word n is `words[n & mask]`. Both change when the ring grows. */
  words: Int32Array<ArrayBuffer>;
  mask: number;
  /** Words written so far. */
  end = 0;
  /** Words before this one may be overwritten. */
  start = 0;
  private readonly what: string;

  /** @param what Names the words in the error of a full ring. @param capacity Words at first, a power of two. */
  constructor(what: string, capacity: number) {
    this.what = what;
    this.words = new Int32Array(capacity);
    this.mask = capacity - 1;
  }

  /** Forgets all words. */
  reset(): void {
    this.start = 0;
    this.end = 0;
  }

  /**
   * Makes room for `count` more words.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the ring would hold more than it may.
   */
  reserve(count: number): void {
    const wanted = this.end - this.start + count;
    if (wanted <= this.mask + 1) return;
    if (wanted > MAX_WORDS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${this.what}: a primitive batch has more than the ${MAX_WORDS} words that are kept with timing=cycle`,
      );
    }
    const capacity = 2 ** (32 - Math.clz32(wanted - 1));
    const larger = new Int32Array(capacity);
    for (let word = this.start; word < this.end; ) {
      const from = word & this.mask;
      const count = Math.min(
        this.end - word,
        this.mask + 1 - from,
        capacity - (word & (capacity - 1)),
      );
      larger.set(this.words.subarray(from, from + count), word & (capacity - 1));
      word += count;
    }
    this.words = larger;
    this.mask = capacity - 1;
  }

  /** Appends a word; there must be room for it. */
  push(word: number): void {
    this.words[this.end++ & this.mask] = word;
  }
}
