/** Cancellation of a frame between two steps of its flow. */
import { RenderError } from '@tessera/frame';

/**
 * Returns if the signal is not aborted.
 *
 * @throws {RenderError} FRAME_CANCELLED if it is.
 */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RenderError('FRAME_CANCELLED', 'the frame was cancelled');
}
