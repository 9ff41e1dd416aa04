/**
 * Where the coordinator is, for chiplets that are started beside it: port 0 stands for the one that the process which
 * started both announces by its channel. So all load their modules at the same time, and nobody knocks where nobody is yet.
 */
import { once } from 'node:events';

/** What the process that started a chiplet tells it once. */
export interface CoordinatorAnnouncement {
  readonly kind: 'coordinator';
  readonly port: number;
}

/** A process that has a channel to the one that started it. */
export type StartedProcess = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'connected'>;

/**
 * The address to register at: `url`, with the port that is announced if its own is 0 and there is a channel.
 *
 * @returns `null` if who was to announce it left.
 */
export async function resolveCoordinatorUrl(
  url: string,
  started: StartedProcess = process,
): Promise<string | null> {
  const resolved = new URL(url);
  if (resolved.port !== '0' || started.connected !== true) return url;
  const waiting = new AbortController();
  const { signal } = waiting;
  const emitter = started as unknown as NodeJS.EventEmitter;
  const announced = once(emitter, 'message', { signal });
  const left = once(emitter, 'disconnect', { signal }).then(() => null);
  const told = (await Promise.race([announced, left])) as [CoordinatorAnnouncement] | null;
  waiting.abort();
  await Promise.allSettled([announced, left]);
  if (told === null) return null;
  resolved.port = String(told[0].port);
  return resolved.href;
}
