/** Errors that are expected answers, because a client receives them as a 4xx problem. */
import { ERROR_CODES, RenderError } from '@tessera/frame';

/**
 * Returns the code of an expected error.
 *
 * @throws The error itself, if a client would receive a 5xx status for it.
 */
export function refusalCode(error: unknown): string {
  if (!(error instanceof RenderError)) throw error;
  const status = ERROR_CODES[error.code].httpStatus;
  if (status < 400 || status > 499) throw error;
  return error.code;
}
