/**
 * Names of one kind of object: reserved by `gen…`, given an object by the first bind, free again
 * after `delete…`.
 */
export class ObjectTable<T> {
  /** Objects by name; `null` for a reserved name without an object. */
  readonly #objects = new Map<number, T | null>();
  #next = 1;

  /** Reserves the smallest names never used. */
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

  /** Returns the object of a name, created on first use, even if the name was never reserved. */
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

  /** Frees a name and returns its object. */
  remove(name: number): T | null {
    const found = this.get(name);
    this.#objects.delete(name);
    return found;
  }
}
