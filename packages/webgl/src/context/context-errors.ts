/** The error flag of a context (OpenGL ES 2.0, section 2.5): the first error stays until it is asked for. */

/** An error that a call raised. */
export interface WebGlErrorRecord {
  readonly code: number;
  readonly message: string;
}

export class ContextErrors {
  #code = 0;
  #count = 0;
  readonly #onError: ((error: WebGlErrorRecord) => void) | undefined;

  /** @param onError Called for every error, also for those that the flag does not show. */
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

  /** The flag, which is down afterwards. */
  take(): number {
    const code = this.#code;
    this.#code = 0;
    return code;
  }
}
