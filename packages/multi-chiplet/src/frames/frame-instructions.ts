/**
 * The budget of shader instructions of a frame: the sum over its visibility phases and coarse bins, each counted once, whoever renders
 * it. The sum is the same in any order, so a frame fails or does not whatever the hosts do; that it is over is seen as soon as enough
 * is rendered.
 */
import { RenderError } from '@tessera/frame';

export class FrameInstructions {
  readonly #limit: number;
  readonly #exceeded = new AbortController();
  #spent = 0;

  /** @param limit Most instructions of the frame. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Aborted once the frame took more than it may. */
  get exceeded(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** Adds what a phase or bin took; `undefined` where nobody counted. */
  add(instructions: number | undefined): void {
    this.#spent += instructions ?? 0;
    if (this.#spent > this.#limit) this.#exceeded.abort();
  }

  /** @throws {RenderError} SHADER_BUDGET_EXCEEDED if the frame took more than it may. */
  throwIfExceeded(): void {
    if (!this.exceeded.aborted) return;
    const message = `the shaders of the frame took over ${this.#limit} instructions`;
    throw new RenderError('SHADER_BUDGET_EXCEEDED', message);
  }
}
