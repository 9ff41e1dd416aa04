/**
 * Resolves the coordinator's address for chiplets that are started together with it. Port 0 is
 * replaced by the port that the parent process announces over its channel. All processes can
 * therefore load their modules at the same time, and no chiplet connects before the coordinator
 * listens.
 */
import { once } from 'node:events';

/** Message that the parent process sends once to each chiplet it started. */
export interface CoordinatorAnnouncement {
  readonly kind: 'coordinator';
  readonly port: number;
}

/** Process with an optional channel to the process that started it. */
export type StartedProcess = Pick<NodeJS.Process, 'on' | 'once' | 'off' | 'connected'>;

/**
 * Returns the address to register at: `url`, with the announced port if its own port is 0 and the
 * process has a channel.
 *
 * @returns `null` if the parent process disconnected before the announcement.
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
  const message = (await Promise.race([announced, left])) as [CoordinatorAnnouncement] | null;
  waiting.abort();
  await Promise.allSettled([announced, left]);
  if (message === null) return null;
  resolved.port = String(message[0].port);
  return resolved.href;
}
