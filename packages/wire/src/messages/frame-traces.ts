/**
 * Trace ids (W3C Trace Context) of the frames in progress. Every message about a frame contains the
 * id of its trace. Each receiver records it, so that log lines about the frame contain it in every
 * process.
 */
import type { FrameId } from '@tessera/frame';

/** Maximum number of frames to remember; always more than are in progress. */
const MAX_FRAMES = 1024;

/** Trace id in a message about a frame; missing without tracing. */
export interface TraceField {
  readonly traceId?: string | undefined;
}

/** Trace ids by frame. */
export class FrameTraces {
  readonly #traceIdByFrame = new Map<FrameId, string>();

  note(frameId: FrameId, traceId: string | undefined): void {
    if (traceId === undefined) return;
    this.#traceIdByFrame.delete(frameId);
    this.#traceIdByFrame.set(frameId, traceId);
    if (this.#traceIdByFrame.size <= MAX_FRAMES) return;
    this.#traceIdByFrame.delete(this.#traceIdByFrame.keys().next().value!);
  }

  /** Returns the trace field of a frame, or of the frame that a pass belongs to. */
  of(frameId: FrameId): TraceField {
    const traceId =
      this.#traceIdByFrame.get(frameId) ??
      this.#traceIdByFrame.get(frameId.slice(0, Math.max(0, frameId.lastIndexOf('/'))));
    return traceId === undefined ? {} : { traceId };
  }
}
