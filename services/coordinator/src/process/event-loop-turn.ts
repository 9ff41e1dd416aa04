/** Pauses of long loops on the main thread, so that requests and timers are served in between. */
import { setImmediate } from 'node:timers/promises';

/** Resolves in the next turn of the event loop, after all sockets and timers that are due. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
