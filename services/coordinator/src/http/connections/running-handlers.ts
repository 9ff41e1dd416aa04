/**
 * Handlers that run, also those whose client has disconnected. A service that stops waits for them
 * before it closes what they use.
 */
import type { App } from '../protocol/app.ts';

const runningByApp = new WeakMap<App, Set<Promise<unknown>>>();

/** Tracks the handlers of all routes that are added from now on. */
export function trackHandlers(app: App): void {
  const running = new Set<Promise<unknown>>();
  runningByApp.set(app, running);
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = function handleTracked(request, reply) {
      const result: unknown = handler.call(this, request, reply);
      if (result instanceof Promise) {
        running.add(result);
        const end = () => running.delete(result);
        result.then(end, end);
      }
      return result;
    };
  });
}

/** Resolves when no handler runs. Call it when the server accepts no more requests. */
export async function handlersEnded(app: App): Promise<void> {
  const running = runningByApp.get(app) ?? new Set();
  while (running.size > 0) await Promise.allSettled(running);
}
