/**
 * Checks for values from outside. A check returns the value with its type, or throws a
 * {@link MalformedError} that names the field. `object` rejects unknown fields.
 */

/** Error for a malformed value from outside; the message names the field. */
export class MalformedError extends Error {
  override readonly name = 'MalformedError';
  readonly path: string;
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(path === '' ? problem : `${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** Function that returns `value` as a `T` or throws a {@link MalformedError}. */
export type Check<T> = (value: unknown) => T;
/** Type that a check returns. */
export type Checked<C> = C extends Check<infer T> ? T : never;

function refuse(problem: string): never {
  throw new MalformedError('', problem);
}

/** Rethrows an error with `step`, a field name or an index, in front of its path. */
function rethrowWithin(step: string | number, error: unknown): never {
  if (!(error instanceof MalformedError)) throw error;
  const name = typeof step === 'number' ? `[${step}]` : step;
  const isIndexed = error.path === '' || error.path.startsWith('[');
  throw new MalformedError(`${name}${isIndexed ? '' : '.'}${error.path}`, error.problem);
}

/** Returns a short description of a rejected value. */
function describe(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return `${value}`;
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  return Array.isArray(value) ? 'an array' : typeof value;
}

/** Returns a check for integers from `min` to `max`. */
export function integer(min: number, max: number): Check<number> {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : refuse(`${describe(value)} is not an integer from ${min} to ${max}`);
}

/** Checks for a finite number. */
export const finiteNumber: Check<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : refuse(`${describe(value)} is not a finite number`);

/** Checks for a boolean. */
export const boolean: Check<boolean> = (value) =>
  typeof value === 'boolean' ? value : refuse(`${describe(value)} is not a boolean`);

/** Returns a check for strings of `minLength` to `maxLength` characters. */
export function string(minLength: number, maxLength: number): Check<string> {
  return (value) =>
    typeof value === 'string' && value.length >= minLength && value.length <= maxLength
      ? value
      : refuse(`${describe(value)} is not a string of ${minLength} to ${maxLength} characters`);
}

/**
 * Returns a check for strings that match a regular expression.
 *
 * @param what Description of the expected value, with an article.
 */
export function pattern(expression: RegExp, what: string): Check<string> {
  return (value) =>
    typeof value === 'string' && expression.test(value)
      ? value
      : refuse(`${describe(value)} is not ${what}`);
}

/** Returns a check for one of the allowed values. */
export function oneOf<const T extends string | number>(allowed: readonly T[]): Check<T> {
  const values: readonly unknown[] = allowed;
  return (value) =>
    values.includes(value)
      ? (value as T) // one of the allowed values
      : refuse(`${describe(value)} is not one of ${allowed.join(', ')}`);
}

/** Returns a check that also accepts null. */
export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value) => (value === null ? null : check(value));
}

/** Returns a check for an optional field. Null counts as missing. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

/** Returns a check for arrays of at most `maxLength` entries. */
export function array<T>(check: Check<T>, maxLength: number): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return refuse(`${describe(value)} is not an array`);
    if (value.length > maxLength) return refuse(`${value.length} entries; at most ${maxLength}`);
    const checked = new Array<T>(value.length);
    let i = 0;
    try {
      for (; i < value.length; i++) checked[i] = check(value[i]);
    } catch (error) {
      rethrowWithin(i, error);
    }
    return checked;
  };
}

/** Returns a check for arrays of exactly four entries. */
export function fourOf<T>(check: Check<T>): Check<[T, T, T, T]> {
  const entries = array(check, 4);
  return (value) => {
    const [a, b, c, d, ...rest] = entries(value);
    if (a === undefined || b === undefined || c === undefined || d === undefined || rest.length > 0)
      return refuse('not 4 entries');
    return [a, b, c, d];
  };
}

/**
 * Returns a check for bytes. The result is a view into the message, or a copy if the view would
 * keep a much larger buffer alive.
 */
export function bytes(maxBytes: number): Check<Uint8Array> {
  return (value) => {
    if (!(value instanceof Uint8Array)) return refuse(`${describe(value)} is not bytes`);
    if (value.length > maxBytes) return refuse(`${value.length} bytes; at most ${maxBytes}`);
    // A Buffer is a Uint8Array too, but its `slice` differs. Return a plain one.
    const view = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return view.byteLength * 2 < view.buffer.byteLength ? view.slice() : view;
  };
}

/** Returns a check for a typed array of at most `maxLength` words. */
export function typedArray<T extends { readonly length: number }>(
  Words: { new (length: number): T; readonly name: string },
  maxLength: number,
): Check<T> {
  return (value) => {
    if (!(value instanceof Words)) return refuse(`${describe(value)} is not ${Words.name}`);
    if (value.length > maxLength) return refuse(`${value.length} words; at most ${maxLength}`);
    return value;
  };
}

type Shape = Readonly<Record<string, Check<unknown>>>;
type CheckedShape<S extends Shape> = { [K in keyof S]: Checked<S[K]> };

/** Returns a check for an object with exactly the fields of `shape`. */
export function object<S extends Shape>(shape: S): Check<CheckedShape<S>> {
  const checks = Object.entries(shape);
  const known = new Set(Object.keys(shape));
  return (value) => {
    const fields = plainObject(value);
    for (const name in fields) {
      if (!known.has(name)) refuse(`unknown field ${describe(name)}`);
    }
    const checked: Record<string, unknown> = {};
    let at = '';
    try {
      for (const [name, check] of checks) {
        at = name;
        checked[name] = check(fields[name]);
      }
    } catch (error) {
      rethrowWithin(at, error);
    }
    return checked as CheckedShape<S>; // every field was returned by its check
  };
}

/** Returns a check for an object whose fields are all optional and have values of one type. */
export function partialRecord<K extends string, T>(
  keys: readonly K[],
  check: Check<T>,
): Check<Partial<Record<K, T>>> {
  const known = new Set<string>(keys);
  return (value) => {
    const checked: Partial<Record<string, T>> = {};
    for (const [name, field] of Object.entries(plainObject(value))) {
      if (!known.has(name)) refuse(`unknown field ${describe(name)}`);
      try {
        checked[name] = check(field);
      } catch (error) {
        rethrowWithin(name, error);
      }
    }
    return checked as Partial<Record<K, T>>; // contains only known names
  };
}

/**
 * Returns a check for an object with arbitrary field names of up to 100 characters and values of
 * one type.
 */
export function record<T>(check: Check<T>, maxFields: number): Check<Record<string, T>> {
  return (value) => {
    const fields = Object.entries(plainObject(value));
    if (fields.length > maxFields) refuse(`${fields.length} fields; at most ${maxFields}`);
    const checked: [string, T][] = [];
    for (const [name, field] of fields) {
      if (name.length > 100) refuse(`the name of field ${describe(name)} is too long`);
      try {
        checked.push([name, check(field)]);
      } catch (error) {
        rethrowWithin(name, error);
      }
    }
    return Object.fromEntries(checked);
  };
}

/** Returns a check for an object with one of several shapes, selected by the field `tag`. */
export function variant<F extends Shape>(tag: string, shapes: F): Check<Checked<F[keyof F]>> {
  return (value) => {
    const shape = plainObject(value)[tag];
    if (typeof shape !== 'string' || !Object.hasOwn(shapes, shape)) {
      throw new MalformedError(
        tag,
        `${describe(shape)} is not one of ${Object.keys(shapes).join(', ')}`,
      );
    }
    return shapes[shape]!(value) as Checked<F[keyof F]>; // accepted by the check of its shape
  };
}

function plainObject(value: unknown): Record<string, unknown> {
  const isPlain =
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return refuse(`${describe(value)} is not an object`);
  return value as Record<string, unknown>; // a plain object
}
