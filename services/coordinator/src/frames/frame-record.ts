/** Posted frame: its state, its source and options, and its result as files. */
import type { ErrorCode, Report, Sha256 } from '@tessera/frame';
import type { FrameMeasurement } from '@tessera/multi-chiplet/rendering';
import type { Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { StoredBlob } from '../store/blob-store.ts';

/** Statuses of a frame. */
export const FRAME_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
/** Status of a frame. */
export type FrameStatus = (typeof FRAME_STATUSES)[number];

/** Phases of a frame, in order. */
export const FRAME_PHASES = [
  'waiting',
  'visibility',
  'bins',
  'simulation',
  'encoding',
  'over',
] as const;
/** Phase of a frame. */
export type FramePhase = (typeof FRAME_PHASES)[number];

/** Result of a frame before it is stored. */
export interface RenderedResult {
  readonly png: Buffer;
  /** Image of each pass's target; empty if the frame has one pass. */
  readonly targetPngs: readonly Buffer[];
  readonly report: Report;
  /** JSON of the timeline in pieces; null with `timing: functional`. */
  readonly timelineJson: Iterable<string> | null;
  /** Measurement from which studies simulate any number of chiplets and any policy. */
  readonly measurement: FrameMeasurement;
}

/** Result of a frame as files. The report is in the journal. */
export interface FrameResult {
  readonly image: StoredBlob;
  readonly targets: readonly StoredBlob[];
  readonly timeline: StoredBlob | null;
  readonly measurement: StoredBlob;
  readonly imageSha256: Sha256;
  readonly frameSha256: Sha256;
}

/** Key that a client gave a request, with the request's fingerprint. */
export interface Idempotency {
  readonly key: string;
  /** Hash of the body's content and the query. */
  readonly fingerprint: Sha256;
}

/** Properties of a frame at admission. */
export interface Admission {
  /** Name in lists, studies and plots, such as that of a file. */
  readonly name: string;
  /** Words by which clients find frames; none by default. */
  readonly tags?: readonly string[] | undefined;
  /** Human-readable kind and size of the posted file. */
  readonly model: string;
  readonly source: FrameSource;
  readonly idempotency: Idempotency | null;
  /** Client that posted the frame; none by default. */
  readonly client?: string | undefined;
  /** Trace of the request; a frame without one starts its own. */
  readonly trace?: Trace | undefined;
}

/** Posted frame. */
export interface FrameRecord {
  readonly id: string;
  readonly submittedAt: Date;
  readonly name: string;
  readonly tags: readonly string[];
  readonly model: string;
  /** Trace id in log lines and messages about the frame, in all processes that handle it. */
  readonly traceId: string;
  readonly source: FrameSource;
  readonly options: FrameOptions;
  readonly status: FrameStatus;
  readonly phase: FramePhase;
  readonly binsDone: number;
  readonly binCount: number;
  /** Warnings of the importer. */
  readonly warnings: readonly string[];
  /** Result, if `status` is done. */
  readonly result: FrameResult | null;
  /** Error, if `status` is failed or cancelled. */
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

/** Frame without its source, which may name thousands of files. */
export type FrameSummary = Omit<FrameRecord, 'source'>;

/** Properties that change while a frame is in progress. */
export type FrameChanges = Partial<
  Pick<FrameRecord, 'status' | 'phase' | 'binsDone' | 'binCount' | 'warnings'>
>;

/** Properties of a frame or sequence that a client can change at any time. */
export type Labels = Pick<FrameRecord, 'name' | 'tags'>;

/** Frame that an earlier process did not finish. */
export interface UnfinishedFrame {
  readonly record: FrameRecord;
  /** Client that posted it; empty if an earlier version admitted it. */
  readonly client: string;
  /** Whether the frame was in progress when a process ended unexpectedly. */
  readonly isSuspect: boolean;
  /** Number of unexpected ends of processes while this frame ran alone. */
  readonly endsAlone: number;
}

/** Outcome of a frame. */
export type FrameEnd =
  | { readonly status: 'done'; readonly result: FrameResult; readonly report: Report }
  | {
      readonly status: 'failed' | 'cancelled';
      readonly error: { readonly code: ErrorCode; readonly message: string };
    };

/** Returns the files of a result. */
export function filesOf({ image, targets, timeline, measurement }: FrameResult): StoredBlob[] {
  return [image, ...targets, ...(timeline === null ? [] : [timeline]), measurement];
}
