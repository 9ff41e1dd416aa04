/** Which errors are answers: those that a client gets as a 4xx problem. */
import { ERROR_CODES, RenderError } from '@tessera/frame';

/** The code of a refusal. @throws The error itself, if a client would get a 5xx for it. */
export function refusalCode(error: unknown): string {
  if (!(error instanceof RenderError)) throw error;
  const status = ERROR_CODES[error.code].httpStatus;
  if (status < 400 || status > 499) throw error;
  return error.code;
}
