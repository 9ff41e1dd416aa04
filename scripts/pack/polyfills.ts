/**
 * Functions that the sources use and Node 20 or 22 lacks. They are the first module of every
 * bundle. Present functions are left alone.
 */
import { Float16Array } from '@petamoriken/float16';

/** Adds a function unless it is there. */
function provide(target: object, name: string, value: unknown): void {
  if (name in target) return;
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

provide(globalThis, 'Float16Array', Float16Array);
provide(
  globalThis,
  'ErrorEvent',
  class ErrorEvent extends Event {
    constructor(
      type: string,
      { message = '', filename = '', lineno = 0, colno = 0, ...init } = {},
    ) {
      super(type, init);
      Object.assign(this, { message, filename, lineno, colno });
    }
  },
);
provide(Uint8Array, 'fromBase64', (text: string) => {
  if (/[^A-Za-z0-9+/=\s]/.test(text)) throw new SyntaxError('text is not base64');
  return Uint8Array.from(Buffer.from(text, 'base64'));
});
provide(Uint8Array.prototype, 'toBase64', function toBase64(this: Uint8Array) {
  return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString('base64');
});
provide(Promise, 'withResolvers', () => {
  let resolve: unknown;
  let reject: unknown;
  const promise = new Promise((...functions) => {
    [resolve, reject] = functions;
  });
  return { promise, resolve, reject };
});
provide(
  Map,
  'groupBy',
  (values: Iterable<unknown>, keyOf: (value: unknown, i: number) => unknown) => {
    const groups = new Map<unknown, unknown[]>();
    let i = 0;
    for (const value of values) {
      const key = keyOf(value, i++);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else group.push(value);
    }
    return groups;
  },
);
