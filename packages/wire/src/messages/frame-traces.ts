/**
 * To which trace (W3C Trace Context) the frames at work belong. Every message about a frame carries the id of its
 * trace, and what receives one notes it, so that log lines about the frame carry it in every process.
 */
import type { FrameId } from '@tessera/frame';

/** Frames that are remembered; more than are ever at work. */
const MAX_FRAMES = 1024;

/** What a message about a frame has beside its own fields; nothing where nobody traces. */
export interface TraceField {
  readonly traceId?: string | undefined;
}

export class FrameTraces {
  readonly #traceIdByFrame = new Map<FrameId, string>();

  note(frameId: FrameId, traceId: string | undefined): void {
    if (traceId === undefined) return;
    this.#traceIdByFrame.delete(frameId);
    this.#traceIdByFrame.set(frameId, traceId);
    if (this.#traceIdByFrame.size <= MAX_FRAMES) return;
    this.#traceIdByFrame.delete(this.#traceIdByFrame.keys().next().value!);
  }

  /** Of a frame, or of the frame that a pass belongs to. */
  of(frameId: FrameId): TraceField {
    const traceId =
      this.#traceIdByFrame.get(frameId) ??
      this.#traceIdByFrame.get(frameId.slice(0, Math.max(0, frameId.lastIndexOf('/'))));
    return traceId === undefined ? {} : { traceId };
  }
}
