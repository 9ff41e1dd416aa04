/**
 * Runs studies one after the other. Points of a study that need the same records are rendered as
 * one frame of the queue, beside the frames of clients. Finished points are in the journal, so a
 * study continues after a restart.
 */
import { type ErrorCode, RenderError } from '@tessera/frame';
import { groupPoints, listPoints, type StudyPoint, type StudyRow } from '@tessera/study';
import { runOwned } from '@tessera/wire';
import type { Logger } from 'pino';
import { NO_CLIENT } from '../config/clients.ts';
import type { FrameQueue } from '../frames/frame-queue.ts';
import type { FrameStore } from '../frames/frame-store.ts';
import { SourceRenderer } from '../frames/source-renderer.ts';
import { delay } from '../process/delay.ts';
import { atPlace } from '../specs/spec-store.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { computeRows, describeSubject, type RowServices, renderingOf } from './point-rendering.ts';
import type { StudyRecord, StudyStore, StudySubject } from './study-store.ts';

/** Services and settings of a {@link StudyRunner}. */
export interface StudyRunnerOptions extends RowServices {
  readonly studies: StudyStore;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly queue: FrameQueue;
  readonly log: Logger;
}

/** Errors of a frame whose work took longer than the service permits. */
const TOO_LONG: readonly ErrorCode[] = ['FRAME_TIMEOUT', 'CHIPLET_TIMEOUT', 'CHIPLET_LOST'];
/** Time after which a study whose client used up a quota is tried again. */
const QUOTA_RETRY_MS = 1000;
/** Time between two attempts to write to a full disk. */
const STORAGE_RETRY_MS = 1000;

/** Runs studies. */
export class StudyRunner {
  readonly #options: StudyRunnerOptions;
  readonly #waiting: StudyRecord[] = [];
  readonly #stopping = new AbortController();
  readonly #renderer: SourceRenderer;
  /** Study in progress and the controller that ends it. */
  #current: { readonly id: string; readonly abort: AbortController } | null = null;
  /** Resolves when all started studies are over; null while none runs. */
  #finished: Promise<void> | null = null;

  constructor(options: StudyRunnerOptions) {
    this.#options = options;
    const { store, queue } = options;
    const leaving = this.#stopping.signal;
    this.#renderer = new SourceRenderer({ store, queue, client: NO_CLIENT, leaving });
  }

  /** Resumes the studies that an earlier process did not finish. */
  resume(): void {
    for (const study of this.#options.studies.unfinished()) this.start(study);
  }

  start(study: StudyRecord): void {
    this.#waiting.push(study);
    if (this.#finished !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#finished = promise;
    const end = () => {
      this.#finished = null;
      resolve();
    };
    runOwned(this.#options.log, 'running studies', {}, () => this.#runAll(end), end);
  }

  /**
   * Cancels an unfinished study. The cancellation is in the journal when this returns. Otherwise
   * the start after a killed process would resume the study.
   */
  cancel(id: string): void {
    this.#options.studies.finish(id, 'cancelled', null);
    if (this.#current?.id === id) this.#current.abort.abort();
    const at = this.#waiting.findIndex((study) => study.id === id);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  /** Leaves all studies to the next process. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#finished;
  }

  /**
   * @param end Called when no study is left, in the same turn of the event loop, so that a new
   *   study starts a new run.
   */
  async #runAll(end: () => void): Promise<void> {
    for (;;) {
      const study = this.#waiting.shift();
      if (study === undefined || this.#stopping.signal.aborted) return end();
      try {
        await this.#run(study);
      } catch (error) {
        const code = error instanceof RenderError ? error.code : null;
        const studyId = study.id;
        if (code === 'QUOTA_EXCEEDED') {
          // Studies of other clients continue meanwhile.
          this.#waiting.push(study);
          await delay(QUOTA_RETRY_MS, this.#stopping.signal);
          continue;
        }
        if (code !== 'STORAGE_FULL') {
          this.#options.log.error({ studyId, err: error }, 'study left for the next start');
          continue;
        }
        // Finished points are kept. The study continues when there is space, unless it is
        // cancelled.
        this.#options.log.warn({ studyId }, 'the disk is full; a study waits for space');
        this.#waiting.unshift(study);
        await delay(STORAGE_RETRY_MS, this.#stopping.signal);
      }
    }
  }

  async #run(study: StudyRecord): Promise<void> {
    const { studies, log } = this.#options;
    if (studies.get(study.id)?.status !== 'running') return;
    const abort = new AbortController();
    const signal = AbortSignal.any([abort.signal, this.#stopping.signal]);
    this.#current = { id: study.id, abort };
    try {
      const done = studies.positions(study.id);
      const subjects = studies.subjects(study.id);
      // A later version of the service may refuse a value that this study sweeps.
      const points = atPlace('sweep', () => listPoints(study.request));
      for (const group of groupPoints(points, study.request)) {
        if (group.every(({ position }) => done.has(position))) continue;
        await this.#measure(study, subjects[group[0]!.frameIndex]!, group, signal);
      }
      abort.signal.throwIfAborted();
      studies.finish(study.id, 'done', null);
    } catch (error) {
      // A cancelled study is in the journal already.
      if (signal.aborted) return;
      const code = error instanceof RenderError ? error.code : null;
      if (code === 'STORAGE_FULL' || code === 'QUOTA_EXCEEDED') throw error;
      if (error instanceof RenderError) {
        studies.finish(study.id, 'failed', { code: error.code, message: error.message });
      } else {
        log.error({ studyId: study.id, err: error }, 'study failed because of a bug');
        const message = `internal error; the log has details under ${study.id}`;
        studies.finish(study.id, 'failed', { code: 'INTERNAL', message });
      }
    } finally {
      this.#current = null;
    }
  }

  /** Measures points that one rendering serves. If it takes too long, it is divided. */
  async #measure(
    study: StudyRecord,
    subject: StudySubject,
    points: readonly StudyPoint[],
    signal: AbortSignal,
  ): Promise<void> {
    const { studies, store, blobs } = this.#options;
    const startMs = performance.now();
    const record = await this.#renderer.render(
      {
        ...renderingOf(subject, points, study.request),
        name: subject.title,
        tags: ['study'],
        model: `frame of study ${study.id}`,
        client: study.client,
        // A killed process may have admitted the frame of these points already.
        key: `study ${study.id} ${points.map(({ position }) => position).join(' ')}`,
      },
      signal,
    );
    const { result, error } = store.get(record.id) ?? record;
    if (error !== null && TOO_LONG.includes(error.code) && points.length > 1) {
      const half = Math.ceil(points.length / 2);
      await this.#measure(study, subject, points.slice(0, half), signal);
      await this.#measure(study, subject, points.slice(half), signal);
      return;
    }
    if (error !== null) throw new RenderError(error.code, error.message);
    const report = store.reports.json(record.id);
    if (result === null || report === null) {
      throw new RenderError('FRAME_CANCELLED', 'a frame of the study was deleted');
    }
    const { measurement } = result;
    // The frame may be deleted meanwhile.
    blobs.hold([measurement]);
    try {
      await blobs.verify([measurement]);
      const measurementPath = blobs.pathOf(measurement.sha256);
      const rowsByPoint: StudyRow[][] = [];
      for (const [i, point] of points.entries()) {
        const rendered = {
          ...describeSubject(subject, point),
          point,
          alternative: i === 0 ? null : i - 1,
          frame: study.request.frames[point.frameIndex]!,
        };
        rowsByPoint.push(
          await computeRows(
            this.#options,
            study.request,
            { rendered, report, measurementPath },
            signal,
            study.client,
          ),
        );
      }
      signal.throwIfAborted();
      const wallMs = (performance.now() - startMs) / points.length;
      for (const [i, { position }] of points.entries()) {
        studies.keepRows(study.id, position, wallMs, rowsByPoint[i]!);
      }
    } finally {
      blobs.release([measurement]);
    }
  }
}
