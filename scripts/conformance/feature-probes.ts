/**
 * Features that a page asks for and does not get, seen from outside of the page: extensions, video
 * types and interfaces. A page that lacks one leaves out assertions, often without a word.
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

/** Reports each type that video elements cannot play. */
export function watchVideoTypes(videoPrototype: object, note: NoteMissing): void {
  watchMethod(videoPrototype, 'canPlayType', (type, answer) => {
    if (answer === '') note(String(type));
  });
}

/** Reports each optional interface that a script mentions and the global scope lacks. */
export function noteMissingInterfaces(script: string, note: NoteMissing): void {
  for (const name of OPTIONAL_INTERFACES) {
    if (!(name in globalThis) && new RegExp(`\\b${name}\\b`).test(script)) note(name);
  }
}

type Method = (this: unknown, ...rest: unknown[]) => unknown;

/** Prototypes whose methods are watched. */
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
