/**
 * Predicts the cycles of a bin from its cycles in earlier frames. Exponential smoothing lets the
 * influence of a costly frame fade.
 */
export class BinHistory {
  readonly #damping: number;
  readonly #cyclesByBin = new Map<string, number>();

  /**
   * @param damping Share of the prediction error by which a prediction is corrected, above 0 and at
   *   most 1.
   */
  constructor(damping: number) {
    if (!(damping > 0 && damping <= 1)) {
      throw new RangeError(`history damping: ${damping} is not above 0 and at most 1`);
    }
    this.#damping = damping;
  }

  /**
   * Returns the predicted cycles of a bin, or `undefined` if no bin of that pass and index was
   * rendered.
   */
  predict(passKey: string, binIndex: number): number | undefined {
    return this.#cyclesByBin.get(`${passKey} ${binIndex}`);
  }

  /** Records the cycles that a bin took. */
  note(passKey: string, binIndex: number, cycles: number): void {
    const key = `${passKey} ${binIndex}`;
    const predicted = this.#cyclesByBin.get(key) ?? cycles;
    this.#cyclesByBin.set(key, predicted + this.#damping * (cycles - predicted));
  }
}
