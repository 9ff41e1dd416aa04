/**
 * Shares the places of the queue by a dynamic threshold (Choudhury and Hahne, "Dynamic Queue Length
 * Thresholds for Shared-Memory Packet Switches", 1998). A client may take another place while it
 * holds fewer than three times the number of free places. A single client thus gets three quarters
 * of the places, and the rest remains for other clients.
 */
import { RenderError } from '@tessera/frame';

/** Places that a client may have per free place. */
const PLACES_PER_FREE = 3;

/** Share of the bytes of waiting frames that one client may have. */
const BYTES_SHARE = 3 / 4;

/** Places or bytes in use. */
export interface Taken {
  readonly all: number;
  readonly byClient: number;
}

/**
 * Rejects a frame beyond its client's share of the places.
 *
 * @param limit Number of places.
 * @throws {RenderError} QUEUE_FULL.
 */
export function refuseBeyondShare(limit: number, { all, byClient }: Taken): void {
  const free = limit - all;
  if (free <= 0) throw new RenderError('QUEUE_FULL', `${all} frames are waiting; at most ${limit}`);
  if (byClient < PLACES_PER_FREE * free) return;
  throw new RenderError(
    'QUEUE_FULL',
    `${byClient} frames of this client are waiting; the ${free} free places of ${limit} are reserved for other clients`,
  );
}

/**
 * Rejects a frame beyond its client's share of the bytes. A client without waiting frames may use
 * all free bytes.
 *
 * @param limit Upper bound on the bytes of all waiting frames.
 * @param bytes Bytes of the new frame.
 * @throws {RenderError} QUEUE_FULL.
 */
export function refuseBytesBeyondShare(
  limit: number,
  bytes: number,
  { all, byClient }: Taken,
): void {
  if (all + bytes > limit) {
    throw new RenderError('QUEUE_FULL', `the waiting frames hold ${all} of ${limit} bytes`);
  }
  const share = limit * BYTES_SHARE;
  if (byClient === 0 || byClient + bytes <= share) return;
  throw new RenderError(
    'QUEUE_FULL',
    `the waiting frames of this client hold ${byClient} bytes; one client may hold ${share} of ${limit}`,
  );
}
