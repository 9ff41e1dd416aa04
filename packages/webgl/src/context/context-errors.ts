/**
 * Error flag of a context (OpenGL ES 2.0, section 2.5). The first error stays until `getError`
 * reads it.
 */

/** Error raised by a call. */
export interface WebGlErrorRecord {
  readonly code: number;
  readonly message: string;
}

/** Error flag, error count and error callback of a context. */
export class ContextErrors {
  #code = 0;
  #count = 0;
  readonly #onError: ((error: WebGlErrorRecord) => void) | undefined;

  /** @param onError Called for every error, including errors that the flag does not keep. */
  constructor(onError?: (error: WebGlErrorRecord) => void) {
    this.#onError = onError;
  }

  get count(): number {
    return this.#count;
  }

  raise(code: number, message: string): void {
    this.#count++;
    if (this.#code === 0) this.#code = code;
    this.#onError?.({ code, message });
  }

  /** Returns the error code and clears the flag. */
  take(): number {
    const code = this.#code;
    this.#code = 0;
    return code;
  }
}
