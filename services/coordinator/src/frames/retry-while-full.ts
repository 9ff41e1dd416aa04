/** Writes that wait for space on the disk. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderError } from '@tessera/frame';

/** Time between two attempts to write to a full disk. */
const RETRY_MS = 1000;

/** Settings of {@link retryWhileFull}. */
export interface RetryOptions {
  /** Ends the wait; the last failure is then thrown. */
  readonly signal: AbortSignal;
  /** Called for each attempt that fails because the disk is full. */
  readonly onFull: () => void;
  readonly retryMs?: number;
}

/**
 * Repeats a write while the disk is full, so that a rendered result is kept until there is space.
 *
 * @throws Whatever `write` throws that is not STORAGE_FULL; STORAGE_FULL once `signal` is aborted.
 */
export async function retryWhileFull<T>(
  write: () => Promise<T>,
  { signal, onFull, retryMs = RETRY_MS }: RetryOptions,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      const isFull = error instanceof RenderError && error.code === 'STORAGE_FULL';
      if (!isFull || signal.aborted) throw error;
      onFull();
    }
    // An abort ends the sleep early; the write is then tried once more.
    await sleep(retryMs, undefined, { signal }).catch(() => {});
  }
}
