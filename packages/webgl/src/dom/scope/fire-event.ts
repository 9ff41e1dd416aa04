/** Events at objects of a page. */

/**
 * Calls the `on…` handler of an object, then its listeners. An exception of one of them is an
 * uncaught exception of the thread and does not reach the caller.
 *
 * @param object Object that has the handler and is the event's target; `target` by default. The
 *   global object is no `EventTarget`, so another object has its listeners.
 */
export function fireEvent(target: EventTarget, event: Event, object: object = target): void {
  const value = { value: object, configurable: true };
  Object.defineProperties(event, { target: value, currentTarget: value });
  const handler = (object as Record<string, unknown>)[`on${event.type}`];
  if (typeof handler === 'function') {
    try {
      handler.call(object, event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
  target.dispatchEvent(event);
}
