/**
 * Error flag of a context (OpenGL ES 2.0, section 2.5). The first error stays until the program
 * reads it.
 */
import { GL } from './constants.ts';

/** Error raised by a call, with the message that `getError` does not return. */
export interface GlErrorRecord {
  readonly code: number;
  readonly message: string;
  /** Whether every implementation raises the error in this state. */
  readonly isCertain: boolean;
}

/** Error flag of one context. */
export class GlErrors {
  #code: number = GL.NO_ERROR;
  readonly #onError: ((error: GlErrorRecord) => void) | undefined;

  /** @param onError Called for every error, including those that the flag does not show. */
  constructor(onError?: (error: GlErrorRecord) => void) {
    this.#onError = onError;
  }

  /** Sets the flag unless it is set. The call that raised the error must have no other effect. */
  raise(code: number, message: string): void {
    this.#note({ code, message, isCertain: false });
  }

  /**
   * Sets the flag as {@link raise}, for an error that depends neither on limits nor on extensions:
   * every implementation raises it in this state.
   */
  raiseCertain(code: number, message: string): void {
    this.#note({ code, message, isCertain: true });
  }

  #note(error: GlErrorRecord): void {
    if (this.#code === GL.NO_ERROR) this.#code = error.code;
    this.#onError?.(error);
  }

  /** Returns and clears the flag. */
  take(): number {
    const code = this.#code;
    this.#code = GL.NO_ERROR;
    return code;
  }
}
