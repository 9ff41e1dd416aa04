/** State of a frame in the queue. */
import { randomBytes } from 'node:crypto';
import { FrameBlame } from '../chiplets/frame-blame.ts';
import type { Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import type { FrameEnd, FrameRecord } from './frame-record.ts';

const NAME_BYTES = 6;

/** Successful outcome of a job. */
export type Outcome = Extract<FrameEnd, { status: 'done' }>;

/** Frame that is queued or rendering. */
export interface Job {
  readonly record: FrameRecord;
  readonly model: PreparedModel;
  readonly options: FrameOptions;
  readonly abort: AbortController;
  /** Time of queueing, in milliseconds of `performance.now`. */
  readonly queuedMs: number;
  readonly trace: Trace;
  /** Resolved when the job is over, whatever its outcome. */
  readonly finished: PromiseWithResolvers<void>;
  /**
   * Whether the client cancelled the frame. Any other abort leaves the frame to the next process.
   */
  isCancelled: boolean;
  /** Chiplets that were lost while they rendered the frame. */
  readonly blame: FrameBlame;
  /** Bin or phase that crashed chiplets, for the error message; null until identified. */
  crashingWork: string | null;
  /** Whether the frame renders while no other frame is in progress. */
  readonly isAlone: boolean;
  /** Random name of the job, because a frame may be rendered again later or by another process. */
  readonly name: string;
  /** Receives the outcome in place of the journal when a finished frame is rendered again. */
  deliver: ((outcome: Outcome | Error) => void) | null;
  /** Aborts the current attempt; replaced at the start of each attempt. */
  attempt: AbortController;
}

/** Settings of {@link makeJob}. */
export interface JobSettings {
  readonly record: FrameRecord;
  readonly model: PreparedModel;
  readonly trace: Trace;
  /** Number of chiplets that one bin or phase may crash before the frame fails. */
  readonly maxLosses: number;
  readonly isAlone: boolean;
}

/** Returns a new job with its name chosen at random. */
export function makeJob({ record, model, trace, maxLosses, isAlone }: JobSettings): Job {
  return {
    record,
    model,
    options: record.options,
    abort: new AbortController(),
    queuedMs: performance.now(),
    trace,
    finished: Promise.withResolvers(),
    isCancelled: false,
    blame: new FrameBlame(maxLosses),
    crashingWork: null,
    isAlone,
    name: randomBytes(NAME_BYTES).toString('hex'),
    deliver: null,
    attempt: new AbortController(),
  };
}
