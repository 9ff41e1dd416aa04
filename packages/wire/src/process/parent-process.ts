/** The process that started this one with a channel, such as the launcher of `npm start`; a supervisor has none. */

/** What {@link onParentLeft} needs of `process`. */
export type StartedProcess = Pick<NodeJS.Process, 'once' | 'connected' | 'send'>;

/**
 * Calls `onLeft` when the parent is gone, however it ended. A parent that was gone before this call counts too: its
 * end was reported while this process still loaded its modules.
 */
export function onParentLeft(onLeft: () => void, started: StartedProcess = process): void {
  if (started.send === undefined) return;
  if (started.connected) started.once('disconnect', onLeft);
  else onLeft();
}
