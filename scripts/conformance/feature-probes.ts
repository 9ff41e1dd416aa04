/**
 * Features that a page asks for and does not get, seen from outside of the page: extensions,
 * interfaces, antialiasing, and what the page prints. A page that lacks one leaves out assertions,
 * often without reporting that to its harness.
 */

/** Receives the name of a feature that is missing. */
export type NoteMissing = (feature: string) => void;

/** Interfaces of browsers that some pages of the suite use if they exist. */
const OPTIONAL_INTERFACES = [
  'ImageDecoder',
  'OffscreenCanvas',
  'SharedArrayBuffer',
  'VideoDecoder',
  'VideoFrame',
  'Worker',
];

/** Prefix of drafts of an extension, which pages try after the name without it. */
const VENDOR_PREFIX = /^(?:MOZ|OP|WEBKIT)_/;

/** Reports each extension for which `getExtension` of a context returns `null`. */
export function watchExtensions(context: object, note: NoteMissing): void {
  watchMethod(context, 'getExtension', (name, extension) => {
    if (extension === null && !VENDOR_PREFIX.test(String(name))) note(String(name));
  });
}

/** Reports a context that does not have the antialiasing that the page asked for. */
export function noteMissingAntialias(
  context: object,
  { antialias }: { readonly antialias?: boolean },
  note: NoteMissing,
): void {
  const { getContextAttributes } = context as Partial<WebGLRenderingContext>;
  const obtained = getContextAttributes?.call(context as WebGLRenderingContext);
  if (antialias === true && obtained?.antialias === false) note('antialias');
}

/**
 * Reports what the page prints about parts that it leaves out. Call this after each script, because
 * one of them defines the suite's `debug`.
 */
export function watchDebugOutput(note: NoteMissing): void {
  const page = globalThis as { debug?: (message: unknown) => void };
  const print = page.debug;
  if (typeof print !== 'function' || WATCHED.has(print)) return;
  page.debug = (message) => {
    if (LEFT_OUT.test(String(message))) note(String(message));
    print(message);
  };
  WATCHED.add(page.debug);
}

/** Reports each optional interface that a script mentions and the global scope lacks. */
export function noteMissingInterfaces(script: string, note: NoteMissing): void {
  for (const name of OPTIONAL_INTERFACES) {
    if (!(name in globalThis) && new RegExp(`\\b${name}\\b`).test(script)) note(name);
  }
}

/** Output of a page that leaves out a part. */
const LEFT_OUT = /\b(?:unsupported|not supported|skip|skipped|skipping|is legal)\b/i;

type Method = (this: unknown, ...rest: unknown[]) => unknown;

/** Prototypes whose methods are watched, and watched functions. */
const WATCHED = new WeakSet<object>();

/**
 * Calls `see` with the first argument and the result of each call of a method. Replaces the method
 * where it is defined, because pages test which properties an object has.
 */
function watchMethod(
  object: object,
  name: string,
  see: (argument: unknown, result: unknown) => void,
): void {
  let owner: object | null = object;
  while (owner !== null && !Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
  if (owner === null || WATCHED.has(owner)) return;
  WATCHED.add(owner);
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)!;
  const method = descriptor.value as Method;
  const watched = function (this: unknown, ...rest: unknown[]): unknown {
    const result = method.apply(this, rest);
    see(rest[0], result);
    return result;
  };
  for (const key of ['name', 'length'] as const) {
    Object.defineProperty(watched, key, { value: method[key], configurable: true });
  }
  Object.defineProperty(owner, name, { ...descriptor, value: watched });
}
