/**
 * What bins took in earlier frames, as a prediction for the next: exponential smoothing, so that a bin that was
 * costly once does not count as costly for ever.
 */
export class BinHistory {
  readonly #damping: number;
  readonly #cyclesByBin = new Map<string, number>();

  /** @param damping Part of the difference that a prediction takes over, above 0 and at most 1. */
  constructor(damping: number) {
    if (!(damping > 0 && damping <= 1)) {
      throw new RangeError(`history damping: ${damping} is not above 0 and at most 1`);
    }
    this.#damping = damping;
  }

  /** Predicted cycles of a bin; `undefined` if none of its name was rendered. */
  predict(passKey: string, binIndex: number): number | undefined {
    return this.#cyclesByBin.get(`${passKey} ${binIndex}`);
  }

  /** Takes down what a bin took. */
  note(passKey: string, binIndex: number, cycles: number): void {
    const key = `${passKey} ${binIndex}`;
    const predicted = this.#cyclesByBin.get(key) ?? cycles;
    this.#cyclesByBin.set(key, predicted + this.#damping * (cycles - predicted));
  }
}
