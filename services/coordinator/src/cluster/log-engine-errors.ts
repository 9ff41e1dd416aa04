/** Log lines about errors of the engine's background work, which repeats it. */
import type { Logger } from 'pino';

/** Time in which equal errors have one line, because pg-boss tries again every second. */
const QUIET_MS = 10_000;

/** Returns a function that logs errors, equal ones at most every ten seconds. */
export function logEngineErrors(log: Logger): (error: Error) => void {
  let last = { message: '', atMs: Number.NEGATIVE_INFINITY };
  return ({ message }) => {
    const atMs = performance.now();
    if (last.message === message && atMs - last.atMs < QUIET_MS) return;
    last = { message, atMs };
    log.warn({ message }, 'the engine reports an error');
  };
}
