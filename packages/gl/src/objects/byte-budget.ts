/** Bytes that buffers and textures may hold together; what does not fit raises GL_OUT_OF_MEMORY. */
export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Exchanges `oldBytes` for `newBytes`; false, and nothing happens, if they do not fit. */
  exchange(oldBytes: number, newBytes: number): boolean {
    const usedBytes = this.#usedBytes - oldBytes + newBytes;
    if (usedBytes > this.#maxBytes) return false;
    this.#usedBytes = usedBytes;
    return true;
  }
}
