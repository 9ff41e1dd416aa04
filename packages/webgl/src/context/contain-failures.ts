/**
 * Containment of exceptions that WebGL does not prescribe. A program expects errors from
 * `getError`, so a call that meets a bug or a limit of the renderer raises one and has no result.
 */
import { GL } from '../interface/constants.ts';
import type { ContextCore } from './context-core.ts';

/**
 * Returns whether a call may throw an error: a TypeError of WebIDL, whose message names the call,
 * or an exception of the DOM for an image that the page cannot read.
 */
export function isPrescribed(caller: string, error: unknown): boolean {
  if (error instanceof DOMException) return true;
  return error instanceof TypeError && error.message.startsWith(`${caller}: `);
}

/**
 * Reports a failure and raises OUT_OF_MEMORY, after which the results of the call are undefined
 * (OpenGL ES 3.0, section 2.5). Returns the result of the call.
 *
 * @throws {TypeError} If the call was made on an object that is not a context.
 */
export function containFailure(
  core: ContextCore | undefined,
  caller: string,
  thrown: unknown,
): null {
  if (core === undefined) throw new TypeError(`${caller}: Illegal invocation`);
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  core.reportFailure({ call: caller, error });
  core.raise(GL.OUT_OF_MEMORY, caller, error.message);
  return null;
}
