/** Follows a frame until it is finished. */
import type { LiveService } from '../api/live-service.ts';
import { getJson } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';

/** Options of {@link followFrame}. */
export interface FollowOptions {
  readonly id: string;
  readonly live: LiveService;
  readonly signal: AbortSignal;
  /** Called with the initial status and after each change. */
  readonly onStatus?: (status: FrameStatus) => void;
}

/**
 * Returns the final status of a frame.
 *
 * @throws {ProblemError} If the frame does not exist.
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
  // The request may fail first, and then nothing waits for this promise.
  over.promise.catch(() => {});
  // Listen before the request, so that no change is missed.
  live.on('frame', take, signal);
  live.on('snapshot', () => getJson<FrameStatus>(path, signal).then(take, over.reject), signal);
  signal.addEventListener('abort', () => over.reject(signal.reason));
  take(await getJson<FrameStatus>(path, signal));
  return over.promise;
}
