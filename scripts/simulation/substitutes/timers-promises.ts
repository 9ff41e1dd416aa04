/** `node:timers/promises` in virtual time. */
import { later } from '../world/world.ts';

/** Options of a wait. */
export interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

/** Substitute of `setTimeout` in virtual time. */
export function setTimeout<T>(ms: number, value?: T, options: WaitOptions = {}): Promise<T> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(
        Object.assign(new Error('The operation was aborted'), {
          code: 'ABORT_ERR',
          name: 'AbortError',
        }),
      );
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value as T);
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}

/** Substitute of `setImmediate` in virtual time. */
export function setImmediate(): Promise<void> {
  return later(0, () => {});
}
