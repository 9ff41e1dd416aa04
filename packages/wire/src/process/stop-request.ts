/** Requests to stop a service: a signal, or the exit of the process that started it. */
import { onParentLeft } from './parent-process.ts';
import { type FailureLog, runOwned } from './run-owned.ts';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Calls `stop` with the reason when the process is asked to stop. The process exits with status 1
 * if `stop` fails.
 *
 * @param listen `on` calls `stop` for each signal. With `once` a second signal of the same kind
 *   terminates the process.
 */
export function onStopRequest(
  log: FailureLog,
  stop: (reason: string) => Promise<void>,
  listen: 'on' | 'once',
): void {
  const stopOrExit = (reason: string) =>
    runOwned(
      log,
      'stopping',
      { signal: reason },
      () => stop(reason),
      () => process.exit(1),
    );
  for (const signal of STOP_SIGNALS) process[listen](signal, () => stopOrExit(signal));
  onParentLeft(() => stopOrExit('parent left'));
}
