/** Repeats calls to a service of the cluster until it answers. */
import { BlobStoreUnavailableError } from '@tessera/blobs';
import { EngineUnavailableError } from '@tessera/engine';
import type { Logger } from 'pino';
import { delay } from '../process/delay.ts';

/** Pauses between two attempts. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

/**
 * Calls `call` until its service is there. Any other error is passed on, and so is the last one if
 * `signal` is aborted.
 */
export type WhileAway = <Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>;

/** Returns a {@link WhileAway} that logs the first failure of a series. */
export function makeWhileAway(log: Logger): WhileAway {
  return async (call, signal) => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      try {
        return await call();
      } catch (error) {
        const isAway =
          error instanceof EngineUnavailableError || error instanceof BlobStoreUnavailableError;
        if (!isAway || signal.aborted) throw error;
        if (pauseMs === FIRST_PAUSE_MS)
          log.warn({ err: error }, 'a service of the cluster is away');
        await delay(pauseMs, signal);
      }
    }
  };
}
