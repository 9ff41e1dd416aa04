/** A frame in the queue: its record, its model, and how its outcome is entered into the journal. */
import { randomBytes } from 'node:crypto';
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import { FrameBlame } from '../chiplets/frame-blame.ts';
import type { Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import type { FrameEnd, FrameRecord } from './frame-store.ts';

const RUN_BYTES = 6;

export type Outcome = Extract<FrameEnd, { status: 'done' }>;

/** A frame that is not finished. */
export interface Job {
  readonly record: FrameRecord;
  readonly model: PreparedModel;
  readonly options: FrameOptions;
  readonly abort: AbortController;
  readonly queuedMs: number;
  readonly trace: Trace;
  readonly finished: PromiseWithResolvers<void>;
  /** Whether its client wants it no more; otherwise an abort leaves it to the next process. */
  isCancelled: boolean;
  /** Whether it is the frame that ends chiplets. */
  readonly blame: FrameBlame;
  /** What of it does. */
  deadlyPiece: string | null;
  /** Whether it runs while no other frame is in progress. */
  readonly isAlone: boolean;
  /** Random name of the job: a frame may be rendered again later, or by another process. */
  readonly run: string;
  /** Receives the outcome in place of the journal, for a frame that is over and rendered again. */
  deliver: ((outcome: Outcome | Error) => void) | null;
  /** Ends the rendering that is on its way; replaced when another one begins. */
  attempt: AbortController;
}

/** @param attempts Chiplets that a piece of work may end before the frame fails. */
export function makeJob(
  record: FrameRecord,
  model: PreparedModel,
  trace: Trace,
  attempts: number,
  isAlone: boolean,
): Job {
  return {
    record,
    model,
    options: record.options,
    abort: new AbortController(),
    queuedMs: performance.now(),
    trace,
    finished: Promise.withResolvers(),
    isCancelled: false,
    blame: new FrameBlame(attempts),
    deadlyPiece: null,
    isAlone,
    run: randomBytes(RUN_BYTES).toString('hex'),
    deliver: null,
    attempt: new AbortController(),
  };
}

/** Returns what the journal gets of an outcome, or null for a frame that is left to the next process. Logs failures. */
export function endOf(job: Job, outcome: Outcome | Error, log: Logger): FrameEnd | null {
  const frameId = job.record.id;
  const { traceId } = job.trace;
  if (!(outcome instanceof Error)) return outcome;
  const isLate = outcome instanceof RenderError && outcome.code === 'FRAME_TIMEOUT';
  if (job.isCancelled) {
    log.info({ frameId, traceId }, 'frame cancelled');
    const message = 'the frame was cancelled';
    return { status: 'cancelled', error: { code: 'FRAME_CANCELLED', message } };
  }
  if (job.abort.signal.aborted && !isLate) return null;
  if (outcome instanceof RenderError && outcome.code !== 'INTERNAL') {
    const { code, message } = outcome;
    log.warn({ frameId, traceId, code, message }, 'frame failed');
    return { status: 'failed', error: { code, message } };
  }
  const message = `a bug; the log has more under ${frameId}`;
  log.error({ frameId, traceId, err: outcome }, 'frame failed by a bug');
  return { status: 'failed', error: { code: 'INTERNAL', message } };
}
