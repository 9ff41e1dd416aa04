/**
 * The process that started this one with a channel, such as the launcher of `npm start`. A process
 * under a supervisor has no such parent.
 */

/** Part of `process` that {@link onParentLeft} uses. */
export type StartedProcess = Pick<NodeJS.Process, 'once' | 'connected' | 'send'>;

/**
 * Calls `onLeft` when the parent has exited for any reason. If the parent exited before this call,
 * while this process was loading its modules, calls `onLeft` immediately.
 */
export function onParentLeft(onLeft: () => void, started: StartedProcess = process): void {
  if (started.send === undefined) return;
  if (started.connected) started.once('disconnect', onLeft);
  else onLeft();
}
