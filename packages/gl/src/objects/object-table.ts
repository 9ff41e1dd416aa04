/** Names of one kind of object: reserved by `gen…`, filled at the first bind, free again after `delete…`. */
export class ObjectTable<T> {
  /** `null`: reserved, no object yet. */
  readonly #objects = new Map<number, T | null>();
  #next = 1;

  /** The smallest names that were never used. */
  reserve(count: number): number[] {
    const names: number[] = [];
    while (names.length < count) {
      if (!this.#objects.has(this.#next)) {
        this.#objects.set(this.#next, null);
        names.push(this.#next);
      }
      this.#next++;
    }
    return names;
  }

  /** The object of that name, made at its first use (also under a name that was never reserved). */
  obtain(name: number, make: (name: number) => T): T {
    const found = this.#objects.get(name);
    if (found !== undefined && found !== null) return found;
    const made = make(name);
    this.#objects.set(name, made);
    return made;
  }

  get(name: number): T | null {
    return this.#objects.get(name) ?? null;
  }

  /** Frees the name; gives the object that had it. */
  remove(name: number): T | null {
    const found = this.get(name);
    this.#objects.delete(name);
    return found;
  }
}
