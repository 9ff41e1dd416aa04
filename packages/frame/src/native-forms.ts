/**
 * Forms of values that came from outside: a form gives the value with its type, or throws FRAME_INVALID with the
 * place. What the values mean is checked by validate-frame.ts; here it is only that they are there and of which kind.
 */
import { fail } from './frame-checks.ts';

export type Form<T> = (value: unknown, at: string) => T;
type Given<F> = F extends Form<infer T> ? T : never;

export const number: Form<number> = (value, at) =>
  typeof value === 'number' ? value : refuse(value, at, 'a number');

export const text: Form<string> = (value, at) =>
  typeof value === 'string' ? value : refuse(value, at, 'a string');

export const flag: Form<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : refuse(value, at, 'true or false');

/** One of these words. */
export function word<const T extends string>(words: readonly T[]): Form<T> {
  return (value, at) =>
    words.find((one) => one === value) ?? refuse(value, at, `one of ${words.join(', ')}`);
}

/** Bytes as they are, or in Base64. */
export const bytes: Form<Uint8Array> = (value, at) => {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== 'string') return refuse(value, at, 'bytes or Base64');
  try {
    return Uint8Array.fromBase64(value);
  } catch {
    return fail(at, 'no Base64 (RFC 4648, section 4)');
  }
};

export function list<T>(form: Form<T>): Form<T[]> {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((entry, i) => form(entry, `${at}[${i}]`))
      : refuse(value, at, 'an array');
}

/** Exactly four. */
export function four<T>(form: Form<T>): Form<[T, T, T, T]> {
  const entries = list(form);
  return (value, at) => {
    const [a, b, c, d, ...others] = entries(value, at);
    const isShort = a === undefined || b === undefined || c === undefined || d === undefined;
    if (isShort || others.length > 0) return fail(at, 'not 4 entries');
    return [a, b, c, d];
  };
}

export function nullable<T>(form: Form<T>): Form<T | null> {
  return (value, at) => (value === null ? null : form(value, at));
}

/** A field that may be missing, and is `fallback` then. */
export function missing<T, const F>(form: Form<T>, fallback: F): Form<T | F> {
  return (value, at) => (value === undefined ? fallback : form(value, at));
}

/** An object of any names with values of one form. */
export function named<T>(form: Form<T>): Form<Record<string, T>> {
  return (value, at) => {
    const fields = plainObject(value, at);
    return Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, form(field, `${at}.${name}`)]),
    );
  };
}

/** An object with these fields and no others; those that are `undefined` in the end are left out. */
export function object<S extends Readonly<Record<string, Form<unknown>>>>(
  shape: S,
): Form<{ [Name in keyof S]: Given<S[Name]> }> {
  return (value, at) => {
    const fields = plainObject(value, at);
    for (const name of Object.keys(fields)) {
      if (!Object.hasOwn(shape, name)) fail(at, `the field '${name.slice(0, 40)}' is unknown`);
    }
    const given: Record<string, unknown> = {};
    for (const [name, form] of Object.entries(shape)) {
      const field = form(fields[name], at === '' ? name : `${at}.${name}`);
      if (field !== undefined) given[name] = field;
    }
    return given as { [Name in keyof S]: Given<S[Name]> }; // every field went through its form
  };
}

/** An object like `defaults`, of which any field may be missing at any depth. */
export function partOf<T extends object>(defaults: T): Form<T> {
  return (value, at) => {
    const fields = value === undefined ? {} : plainObject(value, at);
    const merged = { ...defaults } as Record<string, unknown>; // to be filled field by field
    for (const [name, field] of Object.entries(fields)) {
      if (!Object.hasOwn(defaults, name)) fail(at, `the field '${name.slice(0, 40)}' is unknown`);
      merged[name] = likeDefault(merged[name], field, `${at}.${name}`);
    }
    return merged as T; // the fields of the defaults, each of the default's kind
  };
}

function likeDefault(fallback: unknown, value: unknown, at: string): unknown {
  if (typeof fallback === 'number') return number(value, at);
  if (typeof fallback === 'string') return text(value, at);
  if (typeof fallback === 'boolean') return flag(value, at);
  if (Array.isArray(fallback)) {
    const entries = list((entry, place) => likeDefault(fallback[0], entry, place))(value, at);
    if (entries.length !== fallback.length) fail(at, `not ${fallback.length} entries`);
    return entries;
  }
  if (typeof fallback === 'object' && fallback !== null) return partOf(fallback)(value, at);
  throw new Error(`native form: no default to go by at ${at}`);
}

function plainObject(value: unknown, at: string): Record<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || ArrayBuffer.isView(value)) return refuse(value, at, 'an object');
  return value as Record<string, unknown>; // an object of a decoder, which makes plain ones
}

function refuse(value: unknown, at: string, wanted: string): never {
  let found = Array.isArray(value) ? 'an array' : typeof value;
  if (value === null) found = 'null';
  else if (ArrayBuffer.isView(value)) found = 'bytes';
  else if (typeof value === 'string') found = JSON.stringify(value.slice(0, 40));
  fail(
    at === '' ? 'frame' : at,
    value === undefined ? `missing: ${wanted}` : `${found} is not ${wanted}`,
  );
}
