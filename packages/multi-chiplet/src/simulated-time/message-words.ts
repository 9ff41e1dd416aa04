import { REMOTE_WORDS } from '@tessera/chip/records';

const FIRST_CAPACITY = 256;

/** Messages in words of REMOTE, first in, first out. */
export class MessageWords {
  /** Words of all messages, those that were removed included. Growing replaces the array. */
  words = new Int32Array(FIRST_CAPACITY * REMOTE_WORDS);
  /** Index of the first word of the oldest message, and of the word after the last one. */
  start = 0;
  end = 0;

  /** The messages. The view is valid until one is added. */
  get all(): Int32Array {
    return this.words.subarray(this.start, this.end);
  }

  /** Makes room for messages, and returns the index of their first word. The caller fills it. */
  add(wordCount: number): number {
    if (this.end + wordCount > this.words.length) this.#makeRoom(wordCount);
    const at = this.end;
    this.end += wordCount;
    return at;
  }

  /** Removes messages up to a word. */
  removeTo(word: number): void {
    this.start = word;
    if (word < this.end) return;
    this.start = 0;
    this.end = 0;
  }

  #makeRoom(wordCount: number): void {
    const used = this.end - this.start;
    const words =
      2 * (used + wordCount) > this.words.length
        ? new Int32Array(2 * (used + wordCount))
        : this.words;
    words.set(this.words.subarray(this.start, this.end));
    this.words = words;
    this.start = 0;
    this.end = used;
  }
}
