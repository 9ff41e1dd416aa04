/** Long loops on the main thread give requests and timers their turn in between. */
import { setImmediate } from 'node:timers/promises';

/** Resolves in the next turn of the event loop, after the sockets and timers that are due. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}
