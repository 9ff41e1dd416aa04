/** THE table of exit statuses. docs/cli.md lists the same; a test compares. */
import { ERROR_CODES, RenderError } from '@tessera/frame';

export const EXIT_STATUSES = {
  0: 'done',
  1: 'a bug, a limit of `compare` that was passed, damage that `verify` found, or a circumstance: a service that does not answer, chiplets that were lost',
  2: 'bad input: an unknown option, a file that cannot be read, a model, capture or shader with errors',
} as const;

export type ExitStatus = keyof typeof EXIT_STATUSES;

/** A service that was asked gives no answer. */
export class ServiceSilentError extends Error {
  override readonly name = 'ServiceSilentError';
}

/** For an error that is no bug; `null` for a bug. */
export function exitStatusOf(error: unknown): ExitStatus | null {
  if (error instanceof ServiceSilentError) return 1;
  if (!(error instanceof RenderError)) return null;
  return ERROR_CODES[error.code].httpStatus < 500 ? 2 : 1;
}
