/** Cancelling a frame between two steps of its flow. */
import { RenderError } from '@tessera/frame';

/** @throws {RenderError} FRAME_CANCELLED once the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RenderError('FRAME_CANCELLED', 'the frame was cancelled');
}
