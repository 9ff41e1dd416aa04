/**
 * Executes a list of calls on a context and returns the outcome of each call. The text of this file
 * also runs in a browser, so it imports types only.
 */
import type { Argument, Call, ObjectKind } from './calls/call-list.ts';

/** Result of one call. */
export interface Outcome {
  /**
   * First GL error code after the call, 0 without an error; the class of the exception that the
   * call threw; or null if the call was not made, because its extension is missing.
   */
  readonly status: number | string | null;
  /** Message and stack of the exception. */
  readonly message?: string;
  /** Returned value in a form that can be compared, for calls without an error. */
  readonly value?: unknown;
}

type Caller = Record<string, ((...given: unknown[]) => unknown) | undefined>;

/** Context and environment in which a list of calls is executed. */
export interface Execution {
  readonly gl: object;
  /** Objects of another context, by kind. */
  readonly foreign: Readonly<Partial<Record<ObjectKind, unknown>>>;
  readonly makeImage: (widthPx: number, heightPx: number) => unknown;
  /** Extensions that count as missing although the context has them. */
  readonly skippedExtensions: readonly string[];
}

/** Maximum number of flags that a context can hold after one call. */
const MAX_ERRORS = 8;
/** Maximum number of elements of a returned array that are compared. */
const MAX_ELEMENTS = 64;

/** Executes calls in order. Never throws. @param outcomes Receives the outcome of each call. */
export function executeCalls(
  { gl, foreign, makeImage, skippedExtensions }: Execution,
  calls: readonly Call[],
  outcomes: Outcome[],
): void {
  const results = new Map<number, unknown>();
  const numbers = new Map<unknown, number>();
  const extensions = new Map<string, Caller>();

  const toValue = (argument: Argument): unknown => {
    if (typeof argument !== 'object' || argument === null) return argument;
    if ('number' in argument) return Number(argument.number);
    if ('ref' in argument) return results.get(argument.ref) ?? null;
    if ('foreign' in argument) return foreign[argument.foreign] ?? null;
    if ('arrayBufferBytes' in argument) return new ArrayBuffer(argument.arrayBufferBytes);
    if ('list' in argument) return argument.list.map(toValue);
    if ('image' in argument) return makeImage(...argument.image);
    if ('odd' in argument) return makeOdd(argument.odd);
    const { view, length, values } = argument;
    if (view === 'DataView') return new DataView(new ArrayBuffer(length));
    const array = new globalThis[view](length);
    for (let i = 0; i < length && values.length > 0; i++) array[i] = values[i % values.length]!;
    return array;
  };

  const execute = ({ name, extension, arguments: given, result }: Call): Outcome => {
    const target = extension === undefined ? (gl as Caller) : extensions.get(extension);
    const call = target?.[name];
    if (target === undefined || typeof call !== 'function') return { status: null };
    if (name === 'getExtension' && skippedExtensions.includes(given[0] as string)) {
      return { status: null };
    }
    let returned: unknown;
    try {
      returned = call.apply(target, given.map(toValue));
    } catch (thrown) {
      const { name: kind, message, stack } = thrown as Error;
      takeError(gl as Caller);
      return { status: String(kind), message: `${message}\n${stack}` };
    }
    if (result !== undefined) {
      results.set(result, returned);
      if (typeof returned === 'object' && returned !== null) numbers.set(returned, result);
    }
    if (name === 'getExtension' && typeof returned === 'object' && returned !== null) {
      extensions.set(String(given[0]), returned as Caller);
      // Browsers name the classes of extension objects in different ways.
      returned = true;
    }
    const status = takeError(gl as Caller);
    return status === 0 ? { status, value: describe(returned, numbers) } : { status };
  };

  for (const call of calls) outcomes.push(execute(call));
}

/** Returns the first error code of a context and clears all its flags. */
function takeError(gl: Caller): number {
  const first = gl.getError!() as number;
  for (let i = 0; i < MAX_ERRORS && gl.getError!() !== 0; i++);
  return first;
}

function makeOdd(kind: string): unknown {
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'array':
      return [];
    case 'function':
      return () => {};
    case 'symbol':
      return Symbol('s');
    case 'bigint':
      return BigInt(7);
    case 'date':
      return new Date(0);
    default:
      return {};
  }
}

/** Returns a JSON value that is equal if two results are equal. */
function describe(value: unknown, numbers: ReadonlyMap<unknown, number>): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  const number = numbers.get(value);
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  if (number !== undefined) return `${kind} ${number}`;
  if (Array.isArray(value)) return value.map((element) => describe(element, numbers));
  if (ArrayBuffer.isView(value)) {
    const elements = Array.from(value as Float32Array).slice(0, MAX_ELEMENTS);
    return [kind, ...elements.map((element) => describe(element, numbers))];
  }
  if (kind === 'WebGLActiveInfo') {
    const { size, type, name } = value as { size: number; type: number; name: string };
    return [kind, size, type, name];
  }
  if (kind === 'WebGLShaderPrecisionFormat') {
    const { rangeMin, rangeMax, precision } = value as Record<string, unknown>;
    return [kind, rangeMin, rangeMax, precision];
  }
  return kind;
}
