/** Follows a frame until it is over. */
import type { LiveService } from '../api/live-service.ts';
import { getJson } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';

export interface FollowOptions {
  readonly id: string;
  readonly live: LiveService;
  readonly signal: AbortSignal;
  /** Called with the state at first and whenever it is another. */
  readonly onStatus?: (status: FrameStatus) => void;
}

/**
 * Gives the frame when it is over.
 *
 * @throws {ProblemError} If there is no such frame.
 */
export async function followFrame(options: FollowOptions): Promise<FrameStatus> {
  const { id, live, signal, onStatus } = options;
  const path = `/v1/frames/${encodeURIComponent(id)}`;
  const over = Promise.withResolvers<FrameStatus>();
  const take = (status: FrameStatus) => {
    if (status.id !== id) return;
    onStatus?.(status);
    if (status.progress.phase === 'over') over.resolve(status);
  };
  // Before the question, so that nothing is missed between the two.
  live.on('frame', take, signal);
  live.on('snapshot', () => getJson<FrameStatus>(path, signal).then(take, over.reject), signal);
  signal.addEventListener('abort', () => over.reject(signal.reason));
  take(await getJson<FrameStatus>(path, signal));
  return over.promise;
}
