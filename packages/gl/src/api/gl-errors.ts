/**
 * Error flag of a context (OpenGL ES 2.0, section 2.5). The first error stays until the program
 * reads it.
 */
import { GL } from './constants.ts';

/** Error raised by a call, with the message that `getError` does not return. */
export interface GlErrorRecord {
  readonly code: number;
  readonly message: string;
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
    if (this.#code === GL.NO_ERROR) this.#code = code;
    this.#onError?.({ code, message });
  }

  /** Returns and clears the flag. */
  take(): number {
    const code = this.#code;
    this.#code = GL.NO_ERROR;
    return code;
  }
}
