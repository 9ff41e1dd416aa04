/** Errors of the programs that users run, reported with their place in the program. */
import { isAbsolute, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RenderError } from '@tessera/frame';
import { TESSERA_ROOT } from '../tessera-root.ts';
import { withoutRun } from './program-address.ts';

/** Error of a user's program: a missing file or module, a syntax error, or an exception. */
export class ProgramError extends Error {
  override readonly name = 'ProgramError';
}

/**
 * Runs code of the program. Converts its errors to {@link ProgramError}. Errors of Tessera that
 * have a code are passed through.
 *
 * @param path Path of the program's module, as the user gave it.
 */
export async function runOfProgram<T>(path: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RenderError || error instanceof ProgramError) throw error;
    throw toProgramError(path, error);
  }
}

/** Returns the error of a program for something that its code threw. */
export function toProgramError(path: string, thrown: unknown): ProgramError {
  if (thrown instanceof ProgramError) return thrown;
  const url = pathToFileURL(path).href;
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return new ProgramError(`${path}: threw ${thrown}`, options);
  const { name, message } = thrown;
  const { code, url: missing } = thrown as { readonly code?: unknown; readonly url?: unknown };
  if (code === 'ERR_MODULE_NOT_FOUND') {
    const isPackage = message.startsWith('Cannot find package');
    const advice = isPackage ? "; install it, or run 'npm ci' for those of the examples" : '';
    const text =
      missing !== undefined && withoutRun(String(missing)) === url
        ? 'there is no such file'
        : message + advice;
    return new ProgramError(`${path}: ${text}`, options);
  }
  const places = listPlaces(withoutRun(thrown.stack ?? ''));
  if (name === 'SyntaxError' && places.length === 0) {
    // Node does not tell the module that it could not parse.
    const text = `${name}: ${message}, in this file or one that it imports; node --check FILE shows the line`;
    return new ProgramError(`${path}: ${text}`, options);
  }
  const isOfTessera = (place: string) =>
    place.startsWith(TESSERA_ROOT) && !place.startsWith(`${url}:`);
  const place =
    places.find((each) => each.startsWith(`${url}:`)) ?? places.find((each) => !isOfTessera(each));
  const lines = [`${place === undefined ? path : showPlace(place)}: ${name}: ${message}`];
  if (places[0] !== undefined && places[0] !== place) {
    lines.push(`  thrown at ${showPlace(places[0])}`);
  }
  return new ProgramError(lines.join('\n'), options);
}

/**
 * Returns the places of a stack outside Node, the innermost first, such as `file:///a.mjs:2:7`. The
 * first line of the stack of a syntax error is a place too.
 */
function listPlaces(stack: string): string[] {
  const lines = stack.split('\n');
  return lines
    .map((line, i) =>
      (i === 0 ? /^(file:.*:\d+)$/ : /^ {4}at .*?(file:.*?:\d+:\d+)\)?$/).exec(line),
    )
    .flatMap((match) => (match === null ? [] : [match[1]!]));
}

/** Returns the place with a path relative to the working directory, if that is shorter. */
function showPlace(place: string): string {
  const [, url, position] = /^(.*?)(:\d+(?::\d+)?)$/.exec(place)!;
  return `${showPath(fileURLToPath(url!))}${position}`;
}

/** Returns a path relative to the working directory, if that is shorter. */
export function showPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}
