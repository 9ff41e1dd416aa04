/**
 * Lines of memory that transform feedback writes. The words of all primitives are consecutive. A
 * primitive completes the lines that end in its words, and the last primitive completes the last
 * line.
 */
import { LINE_BYTES } from '@tessera/chip/records';

/** Lines of one run. */
export class FeedbackLines {
  /** First line that the last primitive completed; 0 for none. */
  first = 0;
  /** Number of lines that the last primitive completed. */
  count = 0;
  readonly #baseLine: number;
  readonly #sizeBytes: number;
  #writtenBytes = 0;

  /**
   * @param baseBytes Address of the first word, at the start of a line.
   * @param sizeBytes Size of all words of the run.
   */
  constructor(baseBytes: number, sizeBytes: number) {
    this.#baseLine = baseBytes / LINE_BYTES;
    this.#sizeBytes = sizeBytes;
  }

  /** Adds the words of the next primitive. */
  add(bytes: number): void {
    const from = Math.floor(this.#writtenBytes / LINE_BYTES);
    this.#writtenBytes += bytes;
    const lines = this.#writtenBytes / LINE_BYTES;
    const isLast = this.#writtenBytes === this.#sizeBytes;
    this.count = (isLast ? Math.ceil(lines) : Math.floor(lines)) - from;
    this.first = this.count === 0 ? 0 : this.#baseLine + from;
  }
}
