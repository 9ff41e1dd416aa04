/**
 * Parsers for values from outside. A parser returns the value with its type, or throws
 * FRAME_INVALID with the path of the field. It only checks that a value is present and of the right
 * kind; validate-frame.ts checks what the values mean.
 */
import { fail } from './frame-checks.ts';

/**
 * Function that returns `value` as a `T`, or throws FRAME_INVALID naming the field, whose path is
 * `at`.
 */
export type Parser<T> = (value: unknown, at: string) => T;
type Given<F> = F extends Parser<infer T> ? T : never;

/** Parses a number. */
export const number: Parser<number> = (value, at) =>
  typeof value === 'number' ? value : refuse(value, at, 'a number');

/** Parses a string. */
export const text: Parser<string> = (value, at) =>
  typeof value === 'string' ? value : refuse(value, at, 'a string');

/** Parses a boolean. */
export const flag: Parser<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : refuse(value, at, 'true or false');

/** Returns a parser for one of the given strings. */
export function word<const T extends string>(words: readonly T[]): Parser<T> {
  return (value, at) =>
    words.find((one) => one === value) ?? refuse(value, at, `one of ${words.join(', ')}`);
}

/** Parses bytes, given as a Uint8Array or in Base64. */
export const bytes: Parser<Uint8Array> = (value, at) => {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return refuse(value, at, 'bytes or Base64');
  try {
    return Uint8Array.fromBase64(value);
  } catch {
    return fail(at, 'the text is not Base64 (RFC 4648, section 4)');
  }
};

/** Returns a parser for an array whose entries all have one type. */
export function list<T>(parse: Parser<T>): Parser<T[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((entry, i) => parse(entry, `${at}[${i}]`))
      : refuse(value, at, 'an array');
}

/** Returns a parser for an array of exactly four entries. */
export function four<T>(parse: Parser<T>): Parser<[T, T, T, T]> {
  const entries = list(parse);
  return (value, at) => {
    const [a, b, c, d, ...others] = entries(value, at);
    const isShort = a === undefined || b === undefined || c === undefined || d === undefined;
    if (isShort || others.length > 0) return fail(at, 'the array does not have 4 entries');
    return [a, b, c, d];
  };
}

/** Returns a parser that also accepts null. */
export function nullable<T>(parse: Parser<T>): Parser<T | null> {
  return (value, at) => (value === null ? null : parse(value, at));
}

/** Returns a parser for an optional field. It returns `fallback` if the field is missing. */
export function optional<T, const F>(parse: Parser<T>, fallback: F): Parser<T | F> {
  return (value, at) => (value === undefined ? fallback : parse(value, at));
}

/** Returns a parser for an object with arbitrary field names whose values all have one type. */
export function recordOf<T>(parse: Parser<T>): Parser<Record<string, T>> {
  return (value, at) => {
    const fields = plainObject(value, at);
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, parse(field, `${at}.${name}`)]),
    );
  };
}

/**
 * Returns a parser for an object with exactly these fields. Fields whose parsed value is
 * `undefined` are omitted from the result.
 */
export function object<S extends Readonly<Record<string, Parser<unknown>>>>(
  shape: S,
): Parser<{ [Name in keyof S]: Given<S[Name]> }> {
  return (value, at) => {
    const fields = plainObject(value, at);
    for (const name of Object.keys(fields)) {
      if (!Object.hasOwn(shape, name)) fail(placeOf(at), `unknown field '${name.slice(0, 40)}'`);
    }
    const given: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries(shape)) {
      const field = parse(fields[name], at === '' ? name : `${at}.${name}`);
      if (field !== undefined) given[name] = field;
    }
    return given as { [Name in keyof S]: Given<S[Name]> }; // every field was returned by its parser
  };
}

/**
 * Returns a parser for an object with the fields of `defaults`. A field that is missing, at any
 * depth, gets its default.
 */
export function partOf<T extends object>(defaults: T): Parser<T> {
  return (value, at) => {
    const fields = value === undefined ? {} : plainObject(value, at);
    const merged = { ...defaults } as Record<string, unknown>; // filled field by field below
    for (const [name, field] of Object.entries(fields)) {
      if (!Object.hasOwn(defaults, name)) fail(placeOf(at), `unknown field '${name.slice(0, 40)}'`);
      merged[name] = likeDefault(merged[name], field, `${at}.${name}`);
    }
    return merged as T; // has the fields of `defaults`, each with the type of its default
  };
}

function likeDefault(fallback: unknown, value: unknown, at: string): unknown {
  if (typeof fallback === 'number') return number(value, at);
  if (typeof fallback === 'string') return text(value, at);
  if (typeof fallback === 'boolean') return flag(value, at);
  if (Array.isArray(fallback)) {
    const entries = list((entry, place) => likeDefault(fallback[0], entry, place))(value, at);
    if (entries.length !== fallback.length)
      fail(at, `${entries.length} entries instead of ${fallback.length}`);
    return entries;
  }
  if (typeof fallback === 'object' && fallback !== null) return partOf(fallback)(value, at);
  throw new Error(`native parser: the default at ${at} has no supported type`);
}

function plainObject(value: unknown, at: string): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || ArrayBuffer.isView(value)) return refuse(value, at, 'an object');
  return value as Record<string, unknown>; // a plain object, because decoders produce no others
}

function refuse(value: unknown, at: string, wanted: string): never {
  let found = Array.isArray(value) ? 'an array' : typeof value;
  if (value === null) found = 'null';
  else if (ArrayBuffer.isView(value)) found = 'bytes';
  else if (typeof value === 'string') found = JSON.stringify(value.slice(0, 40));
  fail(placeOf(at), value === undefined ? `missing: ${wanted}` : `${found} is not ${wanted}`);
}

function placeOf(at: string): string {
  return at === '' ? 'frame' : at;
}
