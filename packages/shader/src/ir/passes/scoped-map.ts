/** Map whose changes can be undone to an earlier point, at the end of a region. */
export class ScopedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #log: { readonly key: K; readonly before: V | undefined }[] = [];

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** Sets `key`; `undefined` removes it. */
  set(key: K, value: V | undefined): void {
    this.#log.push({ key, before: this.#entries.get(key) });
    this.#put(key, value);
  }

  /** Returns the current point, to which {@link rewind} can return. */
  mark(): number {
    return this.#log.length;
  }

  /** Undoes all changes since `mark`. */
  rewind(mark: number): void {
    while (this.#log.length > mark) {
      const { key, before } = this.#log.pop()!;
      this.#put(key, before);
    }
  }

  #put(key: K, value: V | undefined): void {
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, value);
  }
}
