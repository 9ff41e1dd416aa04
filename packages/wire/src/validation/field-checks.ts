/**
 * Checks for values that came from outside. A check returns the value with its type, or throws a
 * {@link MalformedError} that names the place; `object` refuses fields that it does not know.
 */

/** A value from outside breaks the form; the message names the place. */
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

export type Check<T> = (value: unknown) => T;
/** What a check gives. */
export type Checked<C> = C extends Check<infer T> ? T : never;

function refuse(problem: string): never {
  throw new MalformedError('', problem);
}

/** Throws a complaint again with `step`, a field or an index, before its path. */
function rethrowWithin(step: string | number, error: unknown): never {
  if (!(error instanceof MalformedError)) throw error;
  const name = typeof step === 'number' ? `[${step}]` : step;
  const isIndexed = error.path === '' || error.path.startsWith('[');
  throw new MalformedError(`${name}${isIndexed ? '' : '.'}${error.path}`, error.problem);
}

/** Says what a refused value was without showing more than a little of it. */
function describe(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return `${value}`;
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (ArrayBuffer.isView(value)) return value.constructor.name;
  return Array.isArray(value) ? 'an array' : typeof value;
}

export function integer(min: number, max: number): Check<number> {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : refuse(`${describe(value)} is not an integer from ${min} to ${max}`);
}

export const finiteNumber: Check<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : refuse(`${describe(value)} is not a finite number`);

export const boolean: Check<boolean> = (value) =>
  typeof value === 'boolean' ? value : refuse(`${describe(value)} is not a boolean`);

export function string(minLength: number, maxLength: number): Check<string> {
  return (value) =>
    typeof value === 'string' && value.length >= minLength && value.length <= maxLength
      ? value
      : refuse(`${describe(value)} is not a string of ${minLength} to ${maxLength} characters`);
}

export function pattern(expression: RegExp, what: string): Check<string> {
  return (value) =>
    typeof value === 'string' && expression.test(value)
      ? value
      : refuse(`${describe(value)} is not ${what}`);
}

export function oneOf<const T extends string | number>(allowed: readonly T[]): Check<T> {
  const values: readonly unknown[] = allowed;
  return (value) =>
    values.includes(value)
      ? (value as T) // it is one of them
      : refuse(`${describe(value)} is none of ${allowed.join(', ')}`);
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value) => (value === null ? null : check(value));
}

/** A field that may be missing; `null` stands for one that is. */
export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

export function array<T>(check: Check<T>, maxLength: number): Check<T[]> {
  return (value) => {
    if (!Array.isArray(value)) return refuse(`${describe(value)} is not an array`);
    if (value.length > maxLength) return refuse(`${value.length} entries, at most ${maxLength}`);
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

/** An array of exactly four. */
export function fourOf<T>(check: Check<T>): Check<[T, T, T, T]> {
  const entries = array(check, 4);
  return (value) => {
    const [a, b, c, d, ...rest] = entries(value);
    if (a === undefined || b === undefined || c === undefined || d === undefined || rest.length > 0)
      return refuse('not 4 entries');
    return [a, b, c, d];
  };
}

/** Bytes: a view into the message, or a copy where the view would keep much more than itself alive. */
export function bytes(maxBytes: number): Check<Uint8Array> {
  return (value) => {
    if (!(value instanceof Uint8Array)) return refuse(`${describe(value)} is not bytes`);
    if (value.length > maxBytes) return refuse(`${value.length} bytes, at most ${maxBytes}`);
    // A Buffer is one too, but differs in `slice`; give a plain one.
    const view = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return view.byteLength * 2 < view.buffer.byteLength ? view.slice() : view;
  };
}

export function words(maxLength: number): Check<Uint32Array> {
  return (value) => {
    if (!(value instanceof Uint32Array)) return refuse(`${describe(value)} is not a Uint32Array`);
    if (value.length > maxLength) return refuse(`${value.length} words, at most ${maxLength}`);
    return value;
  };
}

type Shape = Readonly<Record<string, Check<unknown>>>;
type CheckedShape<S extends Shape> = { [K in keyof S]: Checked<S[K]> };

/** An object with exactly the fields of `shape`. */
export function object<S extends Shape>(shape: S): Check<CheckedShape<S>> {
  const checks = Object.entries(shape);
  const known = new Set(Object.keys(shape));
  return (value) => {
    const fields = plainObject(value);
    for (const name in fields) {
      if (!known.has(name)) refuse(`the field ${describe(name)} is unknown`);
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
    return checked as CheckedShape<S>; // every field went through its check
  };
}

/** An object whose fields are all optional and all of one kind. */
export function partialRecord<K extends string, T>(
  keys: readonly K[],
  check: Check<T>,
): Check<Partial<Record<K, T>>> {
  const known = new Set<string>(keys);
  return (value) => {
    const checked: Partial<Record<string, T>> = {};
    for (const [name, field] of Object.entries(plainObject(value))) {
      if (!known.has(name)) refuse(`the field ${describe(name)} is unknown`);
      try {
        checked[name] = check(field);
      } catch (error) {
        rethrowWithin(name, error);
      }
    }
    return checked as Partial<Record<K, T>>; // only known names were put in
  };
}

/** An object with fields of one kind and any names of up to 100 characters. */
export function record<T>(check: Check<T>, maxFields: number): Check<Record<string, T>> {
  return (value) => {
    const fields = Object.entries(plainObject(value));
    if (fields.length > maxFields) refuse(`${fields.length} fields, at most ${maxFields}`);
    const checked: [string, T][] = [];
    for (const [name, field] of fields) {
      if (name.length > 100) refuse(`the field ${describe(name)} has a long name`);
      try {
        checked.push([name, check(field)]);
      } catch (error) {
        rethrowWithin(name, error);
      }
    }
    return Object.fromEntries(checked);
  };
}

/** An object of one of several forms; the field `tag` says which. */
export function variant<F extends Shape>(tag: string, forms: F): Check<Checked<F[keyof F]>> {
  return (value) => {
    const form = plainObject(value)[tag];
    if (typeof form !== 'string' || !Object.hasOwn(forms, form)) {
      throw new MalformedError(
        tag,
        `${describe(form)} is none of ${Object.keys(forms).join(', ')}`,
      );
    }
    return forms[form]!(value) as Checked<F[keyof F]>; // one of the forms took it
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
