/** First-in, first-out queue of any length. */
export class Fifo<T> {
  readonly #entries: T[] = [];
  #first = 0;

  /** Oldest entry; undefined if there is none. */
  get first(): T | undefined {
    return this.#entries[this.#first];
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  /** Removes the oldest entry. */
  shift(): void {
    this.#first++;
    if (this.#first < 64 || this.#first * 2 < this.#entries.length) return;
    this.#entries.splice(0, this.#first);
    this.#first = 0;
  }
}
