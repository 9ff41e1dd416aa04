/** Growing array of vectors of four 32-bit floats. */
export class FloatColumn {
  #values = new Float32Array(64);
  #length = 0;

  get count(): number {
    return this.#length >> 2;
  }

  push([x, y, z, w]: readonly [number, number, number, number]): void {
    if (this.#length === this.#values.length) {
      const grown = new Float32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = x;
    this.#values[this.#length++] = y;
    this.#values[this.#length++] = z;
    this.#values[this.#length++] = w;
  }

  /** Returns whether the last component of every vector is 1. */
  isLastOne(): boolean {
    for (let at = 3; at < this.#length; at += 4) if (this.#values[at] !== 1) return false;
    return true;
  }

  /** Returns the vectors so far. Vectors pushed later do not affect them. */
  bytes(): Uint8Array {
    return new Uint8Array(this.#values.slice(0, this.#length).buffer);
  }
}
