/** Reads the options of commands. */
import { parseArgs } from 'node:util';
import { RenderError } from '@tessera/frame';

type OptionsConfig = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/**
 * Parses options and positional arguments.
 *
 * @throws {RenderError} REQUEST_INVALID for an unknown option.
 */
export function parseOptions<const Options extends OptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Node appends advice about positional arguments to an unknown option.
    const text = (error as Error).message.replace(/^Unknown option '([^']*)'.*/s, UNKNOWN_OPTION);
    throw new RenderError('REQUEST_INVALID', text, { cause: error });
  }
}

const UNKNOWN_OPTION = "unknown option '$1'; --help lists the options";

/** Reads an integer. @throws {RenderError} REQUEST_INVALID, naming option, value and range. */
export function integerOption(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${name}: '${text}' is not an integer from ${min} to ${max}`,
    );
  }
  return value;
}

/**
 * Reads an integer like {@link integerOption}, or returns `undefined` if the option was not given.
 */
export function optionalInteger(
  name: string,
  text: string | undefined,
  min: number,
  max: number,
): number | undefined {
  return text === undefined ? undefined : integerOption(name, text, min, max);
}

/** Reads a word. @throws {RenderError} REQUEST_INVALID, naming option, value and choices. */
export function wordOption<const Word extends string>(
  name: string,
  text: string,
  words: readonly Word[],
): Word {
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new RenderError('REQUEST_INVALID', `${name}: '${text}' is none of ${words.join(', ')}`);
}

/** Reads a number. @throws {RenderError} REQUEST_INVALID, naming option and value. */
export function numberOption(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new RenderError('REQUEST_INVALID', `${name}: '${text}' is not a number`);
  }
  return value;
}

/**
 * Reads a number of pixels, or a percentage of them.
 *
 * @param pixels Pixels of the image.
 * @throws {RenderError} REQUEST_INVALID, naming option and value.
 */
export function pixelsOption(name: string, text: string, pixels: number): number {
  const isShare = text.endsWith('%');
  const value = numberOption(name, isShare ? text.slice(0, -1) : text);
  if (value < 0) throw new RenderError('REQUEST_INVALID', `${name}: '${text}' is negative`);
  return isShare ? Math.floor((value / 100) * pixels) : value;
}
