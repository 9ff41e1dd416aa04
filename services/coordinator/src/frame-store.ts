/**
 * The frames that the coordinator knows: waiting, worked at, finished. Finished ones are kept up to a
 * number and a sum of bytes; beyond, the oldest is forgotten.
 */
import type { ErrorCode, Report } from '@tessera/frame';
import type { Timeline } from '@tessera/multi-chiplet';

export const FRAME_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
type FrameStatus = (typeof FRAME_STATUSES)[number];

export interface FrameResult {
  readonly png: Buffer;
  readonly report: Report;
  /** Null with `timing: functional`. */
  readonly timeline: Timeline | null;
}

/** One posted frame. */
export interface FrameRecord {
  readonly id: string;
  readonly submittedAt: Date;
  /** For people: type, size and kind of what was posted. */
  readonly title: string;
  status: FrameStatus;
  phase: 'waiting' | 'visibility' | 'bins' | 'encoding' | 'over';
  binsDone: number;
  binCount: number;
  /** What the importer had to say about the model. */
  warnings: readonly string[];
  /** Set when `status` is done. */
  result: FrameResult | null;
  /** Set when `status` is failed or cancelled. */
  error: { readonly code: ErrorCode; readonly message: string } | null;
}

export class FrameStore {
  readonly #maxFinished: number;
  readonly #maxBytes: number;
  readonly #recordById = new Map<string, FrameRecord>();
  /** Bytes of the finished ones, oldest first. */
  readonly #finishedBytesById = new Map<string, number>();
  #bytes = 0;

  constructor(maxFinished: number, maxBytes: number) {
    this.#maxFinished = maxFinished;
    this.#maxBytes = maxBytes;
  }

  add(record: FrameRecord): void {
    this.#recordById.set(record.id, record);
  }

  get(id: string): FrameRecord | undefined {
    return this.#recordById.get(id);
  }

  /** The last `count` frames, newest first. */
  latest(count: number): FrameRecord[] {
    return [...this.#recordById.values()].slice(-count).reverse();
  }

  /** Counts a frame among the finished and forgets what is too much. The newest is always kept. */
  finish(record: FrameRecord): void {
    const { result } = record;
    const bytes = result === null ? 0 : resultBytes(result);
    this.#finishedBytesById.set(record.id, bytes);
    this.#bytes += bytes;
    for (const id of this.#finishedBytesById.keys()) {
      const isTooMuch =
        this.#finishedBytesById.size > this.#maxFinished || this.#bytes > this.#maxBytes;
      if (!isTooMuch || id === record.id) break;
      this.forget(id);
    }
  }

  forget(id: string): void {
    this.#bytes -= this.#finishedBytesById.get(id) ?? 0;
    this.#finishedBytesById.delete(id);
    this.#recordById.delete(id);
  }
}

/** About what a result keeps in memory. */
function resultBytes({ png, report, timeline }: FrameResult): number {
  const eventBytes = 200;
  const timelineBytes = (timeline?.traceEvents.length ?? 0) * eventBytes;
  return png.length + JSON.stringify(report).length + timelineBytes;
}
