/** Enters the outcome of a job into the journal, logs it and counts it. */
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { Metrics } from '../observe/metrics.ts';
import type { Job, Outcome } from './frame-job.ts';
import type { FrameEnd } from './frame-record.ts';
import type { FrameStore } from './frame-store.ts';

/** Services that {@link FrameOutcomes} reports to. */
export interface OutcomeServices {
  readonly store: Pick<FrameStore, 'finish' | 'cancel' | 'noteProgress' | 'dropResult'>;
  readonly metrics: Pick<Metrics, 'framesTotal'>;
  readonly log: Logger;
  /** Removes a finished job from the queue's index. */
  readonly onOver: (job: Job) => void;
}

/** Finishes jobs: in the journal, at the caller of a rerendering, or not at all. */
export class FrameOutcomes {
  readonly #services: OutcomeServices;

  constructor(services: OutcomeServices) {
    this.#services = services;
  }

  /**
   * Records that the client cancelled a job. The rendering may still be stopping, which takes until
   * a silent chiplet counts as lost.
   *
   * @throws {RenderError} STORAGE_FULL. The job then continues.
   */
  cancel(job: Job): void {
    const { log, store, metrics } = this.#services;
    if (job.isCancelled) return;
    store.cancel(job.record);
    job.isCancelled = true;
    metrics.framesTotal.inc({ outcome: 'cancelled' });
    log.info({ frameId: job.record.id, traceId: job.trace.traceId }, 'frame cancelled');
  }

  /**
   * Finishes a job. A job that was aborted without being cancelled stays in the journal, and the
   * next process resumes it.
   *
   * @throws {RenderError} STORAGE_FULL. The job is then unfinished.
   */
  finish(job: Job, outcome: Outcome | Error): void {
    const { log, store, metrics, onOver } = this.#services;
    const { record } = job;
    const fields = { frameId: record.id, traceId: job.trace.traceId };
    if (job.isCancelled) {
      // Its end is in the journal already.
      if (!(outcome instanceof Error)) store.dropResult(outcome.result);
      onOver(job);
      job.finished.resolve();
      return;
    }
    const end = job.deliver === null ? this.#endOf(job, outcome) : null;
    if (end === null) {
      onOver(job);
      store.noteProgress(record, 'idle');
      if (job.deliver !== null) job.deliver(outcome);
      else log.info(fields, 'frame left for the next start');
      job.finished.resolve();
      return;
    }
    store.finish(record, end);
    onOver(job);
    metrics.framesTotal.inc({ outcome: end.status });
    if (end.status === 'done') {
      log.info({ ...fields, totalMs: Math.round(end.report.wall.totalMs) }, 'frame done');
    }
    job.finished.resolve();
  }

  /** Leaves a job to the next process because its outcome cannot be recorded. */
  leave(job: Job, error: unknown): void {
    const { log, onOver } = this.#services;
    const { record, trace } = job;
    onOver(job);
    log.error(
      { frameId: record.id, traceId: trace.traceId, err: error },
      'frame left for the next start',
    );
    job.deliver?.(error instanceof Error ? error : new Error(String(error)));
    job.finished.resolve();
  }

  /**
   * Returns the journal's entry for an outcome, or null for a frame that is left to the next
   * process. Logs failures.
   */
  #endOf(job: Job, outcome: Outcome | Error): FrameEnd | null {
    const { log } = this.#services;
    const frameId = job.record.id;
    const { traceId } = job.trace;
    if (!(outcome instanceof Error)) return outcome;
    const isLate = outcome instanceof RenderError && outcome.code === 'FRAME_TIMEOUT';
    if (job.abort.signal.aborted && !isLate) return null;
    if (outcome instanceof RenderError && outcome.code !== 'INTERNAL') {
      const { code, message } = outcome;
      log.warn({ frameId, traceId, code, message }, 'frame failed');
      return { status: 'failed', error: { code, message } };
    }
    const message = `internal error; the log has details under ${frameId}`;
    log.error({ frameId, traceId, err: outcome }, 'frame failed because of a bug');
    return { status: 'failed', error: { code: 'INTERNAL', message } };
  }
}
