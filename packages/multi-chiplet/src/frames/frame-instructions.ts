/**
 * Budget of shader instructions of a frame: the sum over its visibility phases and coarse bins,
 * each counted once. The sum does not depend on hosts or order, so a frame always exceeds its
 * budget or never does. The excess is detected as soon as enough bins are rendered.
 */
import { RenderError } from '@tessera/frame';

/** Counts the shader instructions of a frame. */
export class FrameInstructions {
  readonly #limit: number;
  readonly #exceeded = new AbortController();
  #spent = 0;

  /** @param limit Upper bound on the instructions of the frame. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Signal that is aborted once the frame exceeds its budget. */
  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** Adds the instructions of a phase or bin; `undefined` if they were not counted. */
  add(instructions: number | undefined): void {
    this.#spent += instructions ?? 0;
    if (this.#spent > this.#limit) this.#exceeded.abort();
  }

  /**
   * Returns if the frame is within its budget.
   *
   * @throws {RenderError} SHADER_BUDGET_EXCEEDED if it is not.
   */
  throwIfExceeded(): void {
    if (!this.exceeded.aborted) return;
    const message = `the shaders of the frame executed more than ${this.#limit} instructions`;
    throw new RenderError('SHADER_BUDGET_EXCEEDED', message);
  }
}
