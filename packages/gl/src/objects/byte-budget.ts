/** Total size of buffers and textures. An allocation beyond it raises GL_OUT_OF_MEMORY. */
export class ByteBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Replaces `oldBytes` by `newBytes`. Returns `false`, without effect, if they do not fit. */
  exchange(oldBytes: number, newBytes: number): boolean {
    const usedBytes = this.#usedBytes - oldBytes + newBytes;
    if (usedBytes > this.#maxBytes) return false;
    this.#usedBytes = usedBytes;
    return true;
  }
}
