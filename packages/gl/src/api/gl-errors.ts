/** The error flag of a context (OpenGL ES 2.0, section 2.5): the first error stays until it is asked for. */
import { GL } from './constants.ts';

/** An error that a call raised, beside the number that `getError` gives. */
export interface GlErrorRecord {
  readonly code: number;
  readonly message: string;
}

export class GlErrors {
  #code: number = GL.NO_ERROR;
  readonly #onError: ((error: GlErrorRecord) => void) | undefined;

  /** @param onError Called for every error, also for those that the flag does not show. */
  constructor(onError?: (error: GlErrorRecord) => void) {
    this.#onError = onError;
  }

  /** Sets the flag unless it is set. The call that raised it has no other effect. */
  raise(code: number, message: string): void {
    if (this.#code === GL.NO_ERROR) this.#code = code;
    this.#onError?.({ code, message });
  }

  /** The flag, which is down afterwards. */
  take(): number {
    const code = this.#code;
    this.#code = GL.NO_ERROR;
    return code;
  }
}
