/** Place of an error in a request. */
import { RenderError } from '@tessera/frame';

/**
 * Returns the result of a check.
 *
 * @throws {RenderError} The error of the check, with the name of the field before its message.
 */
export function atField<T>(field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    throw new RenderError(error.code, `${field}: ${error.message}`, { cause: error });
  }
}
