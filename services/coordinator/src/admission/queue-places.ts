/**
 * Places of the queue, shared out by a dynamic threshold (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998): a client may take another place while it has fewer than three times as many as are
 * free. A client alone thus gets three quarters of the places, and the rest is for clients that have none yet.
 */
import { RenderError } from '@tessera/frame';

/** Places that a client may have for each free one. */
const PLACES_PER_FREE = 3;

/** Part of the bytes of waiting frames that one client may have. */
const BYTES_SHARE = 3 / 4;

/** Places, or bytes, that are taken. */
export interface Taken {
  readonly all: number;
  readonly byClient: number;
}

/**
 * @param limit Number of places.
 * @throws {RenderError} QUEUE_FULL if the client may not take another place.
 */
export function refuseBeyondShare(limit: number, { all, byClient }: Taken): void {
  const free = limit - all;
  if (free <= 0) throw new RenderError('QUEUE_FULL', `${all} frames wait; at most ${limit}`);
  if (byClient < PLACES_PER_FREE * free) return;
  throw new RenderError(
    'QUEUE_FULL',
    `${byClient} frames of this client wait; the ${free} free places of ${limit} are for other clients`,
  );
}

/**
 * @param limit Bytes that all waiting frames together may hold.
 * @param bytes Of the frame that is to wait.
 * @throws {RenderError} QUEUE_FULL if the frame may not wait. A client without waiting frames may use all bytes that are free.
 */
export function refuseBytesBeyondShare(
  limit: number,
  bytes: number,
  { all, byClient }: Taken,
): void {
  if (all + bytes > limit) {
    throw new RenderError('QUEUE_FULL', `the frames that wait hold ${all} bytes of ${limit}`);
  }
  const share = limit * BYTES_SHARE;
  if (byClient === 0 || byClient + bytes <= share) return;
  throw new RenderError(
    'QUEUE_FULL',
    `the waiting frames of this client hold ${byClient} bytes; one client may have ${share} of ${limit}`,
  );
}
