/** Table of the exit statuses. docs/cli.md lists the same; a test compares them. */
import { ERROR_CODES, RenderError } from '@tessera/frame';
import { ProgramError } from '@tessera/webgl/program-runner';

/** Meaning of each exit status. */
export const EXIT_STATUSES = {
  0: 'done',
  1: 'a bug, an exceeded limit of `compare`, `record` or `report-diff`, damage found by `verify`, a service that does not answer, or lost chiplets',
  2: 'bad input: an unknown option, a file that cannot be read, a model, capture, shader or program with errors',
} as const;

/** An exit status of the table. */
export type ExitStatus = keyof typeof EXIT_STATUSES;

/** Error of a service that does not answer. */
export class ServiceSilentError extends Error {
  override readonly name = 'ServiceSilentError';
}

/** Returns the exit status of an error, or null for a bug. */
export function exitStatusOf(error: unknown): ExitStatus | null {
  if (error instanceof ServiceSilentError) return 1;
  if (error instanceof ProgramError) return 2;
  if (!(error instanceof RenderError)) return null;
  return ERROR_CODES[error.code].httpStatus < 500 ? 2 : 1;
}
