/**
 * Calls a function when a signal is aborted, or now if it already is, until a promise resolves or
 * rejects. No listener is left then: Node keeps a signal that depends on one that lives as long as
 * the process while it has listeners.
 */
export function onAbortBefore(
  outcome: Promise<unknown>,
  signal: AbortSignal,
  run: () => void,
): void {
  if (signal.aborted) {
    run();
    return;
  }
  signal.addEventListener('abort', run, { once: true });
  const unlisten = () => signal.removeEventListener('abort', run);
  outcome.then(unlisten, unlisten);
}
