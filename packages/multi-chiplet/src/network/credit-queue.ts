/** Reports of room in a buffer, in the order in which they arrive at the sending router. */
export class CreditQueue {
  readonly #cycles: number[] = [];
  readonly #bytes: number[] = [];
  #first = 0;

  /** Cycle in which the next report arrives; infinite if there is none. */
  get nextCycle(): number {
    return this.#first < this.#cycles.length
      ? this.#cycles[this.#first]!
      : Number.POSITIVE_INFINITY;
  }

  /** Adds a report. Most of them arrive after those that were added before. */
  add(cycle: number, bytes: number): void {
    const cycles = this.#cycles;
    let at = cycles.length;
    cycles.push(cycle);
    this.#bytes.push(bytes);
    for (; at > this.#first && cycles[at - 1]! > cycle; at--) {
      cycles[at] = cycles[at - 1]!;
      this.#bytes[at] = this.#bytes[at - 1]!;
    }
    cycles[at] = cycle;
    this.#bytes[at] = bytes;
  }

  /** Removes the next report, and returns its number of bytes. */
  shift(): number {
    const bytes = this.#bytes[this.#first++]!;
    if (this.#first >= 64 && this.#first * 2 >= this.#cycles.length) {
      this.#cycles.splice(0, this.#first);
      this.#bytes.splice(0, this.#first);
      this.#first = 0;
    }
    return bytes;
  }
}
