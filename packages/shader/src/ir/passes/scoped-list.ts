/** Variant of `ScopedMap` whose keys are small numbers. */
export class ScopedList<V> {
  readonly #values: (V | undefined)[] = [];
  readonly #changedKeys: number[] = [];
  readonly #valuesBefore: (V | undefined)[] = [];

  get(key: number): V | undefined {
    return this.#values[key];
  }

  /** Sets `key`, a natural number; `undefined` removes it. */
  set(key: number, value: V | undefined): void {
    const values = this.#values;
    // JavaScript engines access a list without gaps faster.
    while (values.length <= key) values.push(undefined);
    this.#changedKeys.push(key);
    this.#valuesBefore.push(values[key]);
    values[key] = value;
  }

  /** Returns the current point, to which {@link rewind} can return. */
  mark(): number {
    return this.#changedKeys.length;
  }

  /** Undoes all changes since `mark`. */
  rewind(mark: number): void {
    while (this.#changedKeys.length > mark) {
      this.#values[this.#changedKeys.pop()!] = this.#valuesBefore.pop();
    }
  }
}
