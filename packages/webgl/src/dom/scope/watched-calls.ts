/**
 * Asynchronous calls of the platform that loaders use, as pending work: bodies of responses and
 * blobs, streams, WebAssembly and cryptography.
 */
import type { PendingWork } from './pending-work.ts';

/** Objects whose methods are watched: the name of the work, and the methods. */
function listWatched(): (readonly [object: object, name: string, methods: readonly string[]])[] {
  const bodies = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];
  return [
    [Response.prototype, 'body of a response', bodies],
    [Blob.prototype, 'content of a blob', ['arrayBuffer', 'bytes', 'text']],
    [ReadableStreamDefaultReader.prototype, 'stream', ['read']],
    [
      WebAssembly,
      'WebAssembly module',
      ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming'],
    ],
    [
      Object.getPrototypeOf(crypto.subtle),
      'cryptography',
      ['decrypt', 'deriveBits', 'digest', 'encrypt', 'sign', 'verify'],
    ],
  ];
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** Watches the calls of this thread. Returns a function that stops. */
export function watchCalls(pending: PendingWork): () => void {
  const restore: (() => void)[] = [];
  for (const [object, name, methods] of listWatched()) {
    for (const method of methods) {
      const descriptor = Object.getOwnPropertyDescriptor(object, method);
      if (descriptor === undefined) continue; // Added to the platform after this version of Node.
      const original: Method = descriptor.value;
      const watched: Method = function (this: unknown, ...args) {
        return pending.track(name, original.apply(this, args));
      };
      Object.defineProperty(object, method, { ...descriptor, value: watched });
      restore.push(() => Object.defineProperty(object, method, descriptor));
    }
  }
  return () => {
    for (const each of restore) each();
  };
}
