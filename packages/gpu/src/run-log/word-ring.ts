/** Ring of words that are written and read in order. It grows when it must hold more words. */
import { RenderError } from '@tessera/frame';

/** Maximum number of words in a ring: a quarter of a gigabyte. */
export const MAX_WORDS = 2 ** 26;

/** Ring of 32-bit words. */
export class WordRing {
  /** Storage: word n is `words[n & mask]`. Both fields change when the ring grows. */
  words: Int32Array<ArrayBuffer>;
  mask: number;
  /** Number of words written so far. */
  end = 0;
  /** Index of the first word that must be kept. */
  start = 0;
  private readonly what: string;

  /**
   * @param what Name of the words in the error for a full ring.
   * @param capacity Initial number of words, a power of two.
   */
  constructor(what: string, capacity: number) {
    this.what = what;
    this.words = new Int32Array(capacity);
    this.mask = capacity - 1;
  }

  /** Removes all words. */
  reset(): void {
    this.start = 0;
    this.end = 0;
  }

  /**
   * Makes room for `count` more words.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the ring would exceed its maximum.
   */
  reserve(count: number): void {
    const wanted = this.end - this.start + count;
    if (wanted <= this.mask + 1) return;
    if (wanted > MAX_WORDS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${this.what}: a primitive batch has more than ${MAX_WORDS} words, the limit with timing=cycle`,
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

  /** Appends a word. The caller must have reserved room for it. */
  push(word: number): void {
    this.words[this.end++ & this.mask] = word;
  }
}
