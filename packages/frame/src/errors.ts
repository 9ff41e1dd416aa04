/** Failures that are not bugs. They load without the table of their codes. */
import type { ErrorCode } from './error-codes.ts';

/** A failure that is not a bug: invalid input, or a lost chiplet. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: ErrorCode;

  /**
   * @param message Message on one line, with the place, the value found and the permitted values.
   */
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
