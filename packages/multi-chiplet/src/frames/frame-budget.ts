/**
 * Budget of a frame: of shader instructions, or of bytes of records. What the visibility phases and
 * coarse bins take, each counted once, does not depend on hosts or order, so a frame always exceeds
 * its budget or never does. The excess is detected as soon as enough bins are rendered.
 */
import type { RenderError } from '@tessera/frame';

/** Counts what a frame takes. */
export class FrameBudget {
  readonly #limit: number;
  readonly #makeError: (limit: number) => RenderError;
  readonly #exceeded = new AbortController();
  #spent = 0;

  /**
   * @param limit Upper bound on the sum.
   * @param makeError Returns the error of a frame that exceeds it.
   */
  constructor(limit: number, makeError: (limit: number) => RenderError) {
    this.#limit = limit;
    this.#makeError = makeError;
  }

  /** Signal that is aborted once the frame exceeds its budget. */
  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** Adds what a phase or bin took; `undefined` if it was not counted. */
  add(amount: number | undefined): void {
    this.#spent += amount ?? 0;
    if (this.#spent > this.#limit) this.#exceeded.abort();
  }

  /**
   * Returns if the frame is within its budget.
   *
   * @throws {RenderError} The error of the budget if it is not.
   */
  throwIfExceeded(): void {
    if (this.exceeded.aborted) throw this.#makeError(this.#limit);
  }
}
