/** As `ScopedMap`, for small numbers as keys: a list whose changes can be taken back to an earlier point. */
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
    // Without gaps the list stays one that the engine reads fast.
    while (values.length <= key) values.push(undefined);
    this.#changedKeys.push(key);
    this.#valuesBefore.push(values[key]);
    values[key] = value;
  }

  /** A point to {@link rewind} to. */
  mark(): number {
    return this.#changedKeys.length;
  }

  /** Takes back all changes since `mark`. */
  rewind(mark: number): void {
    while (this.#changedKeys.length > mark) {
      this.#values[this.#changedKeys.pop()!] = this.#valuesBefore.pop();
    }
  }
}
