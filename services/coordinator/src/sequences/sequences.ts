/**
 * Sequences: frames in order, each an ordinary frame of the queue, and a report of their overlap in
 * simulated time. Only a few frames of a sequence are queued at a time. Sequences are in memory:
 * their frames survive a restart, the grouping does not. One file because all methods change the
 * same records.
 */
import { randomUUID } from 'node:crypto';
import {
  type Coupling,
  type ErrorCode,
  RenderError,
  type SequenceReport,
  type SpecSummary,
} from '@tessera/frame';
import { requireLink, type SimulationOptions } from '@tessera/multi-chiplet/rendering';
import { runOwned } from '@tessera/wire';
import type { Logger } from 'pino';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { MeasuredFrame, SequenceInput } from '../compute/compute-tasks.ts';
import { refuseLargeFrames } from '../compute/simulation-size.ts';
import { NO_CLIENT } from '../config/clients.ts';
import type { FrameQueue } from '../frames/frame-queue.ts';
import type { FrameResult, Labels } from '../frames/frame-record.ts';
import type { FrameStore } from '../frames/frame-store.ts';
import type { Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import { delay } from '../process/delay.ts';
import { nextTurn } from '../process/event-loop-turn.ts';
import type { BlobStore, StoredBlob } from '../store/blob-store.ts';
import { type OpenTimeline, SequenceTimelines } from './sequence-timelines.ts';

/** Statuses of a sequence. */
export const SEQUENCE_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
/** Status of a sequence. */
export type SequenceStatus = (typeof SEQUENCE_STATUSES)[number];

/** Upper bound on finished sequences that are kept. */
const MAX_FINISHED = 100;
/** Frames of one sequence that wait in the queue, beyond those in flight. */
const MAX_WAITING = 2;
const QUEUE_WAIT_MS = 500;
/** Rows of the journal read per turn of the event loop. */
const ROWS_PER_TURN = 20;

/** Frame of a sequence before its admission. */
export interface SequenceStep {
  readonly source: FrameSource;
  readonly options: FrameOptions;
  readonly name: string;
  /** Human-readable kind and size of the posted file. */
  readonly model: string;
  readonly trace?: Trace | undefined;
}

/** Sequence of frames. */
export interface SequenceRecord extends Labels {
  readonly id: string;
  /** Number that ascends in the order of submission. */
  readonly number: number;
  readonly submittedAt: Date;
  readonly frameCount: number;
  /** Ids of the admitted frames, in order. */
  readonly frameIds: readonly string[];
  readonly status: SequenceStatus;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** Report, if `status` is done. */
  readonly report: SequenceReport | null;
}

/** Settings of the simulation of all frames together. */
export type SequenceSimulation = SimulationOptions;

interface Live {
  readonly record: { -readonly [Field in keyof SequenceRecord]: SequenceRecord[Field] };
  readonly simulation: SequenceSimulation;
  /** Client that posted the sequence. */
  readonly client: string;
  readonly abort: AbortController;
  readonly finished: PromiseWithResolvers<void>;
  readonly startMs: number;
}

/** Page of {@link Sequences.list}. */
export interface SequencePage {
  readonly sequences: readonly SequenceRecord[];
  /** `beforeNumber` of the next page; null on the last one. */
  readonly nextBefore: number | null;
}

/** Limits of sequences. */
export interface SequenceLimits {
  /** Upper bound on unfinished sequences. */
  readonly maxRunning: number;
  /** Upper bound on the steps of one simulation; see compute/simulation-size.ts. */
  readonly maxSteps: number;
  /** Upper bound on the bytes of one timeline. */
  readonly maxTimelineBytes: number;
  /** Upper bound on the bytes of records of all frames of a sequence. */
  readonly maxRecordBytes: number;
}

/** Services and limits of {@link Sequences}. */
export interface SequencesOptions {
  readonly log: Logger;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly simulations: ComputePool;
  readonly limits: SequenceLimits;
  /** Folder of timelines, which is emptied. */
  readonly timelinesFolder: string;
}

/** All sequences of this process. */
export class Sequences {
  readonly #options: SequencesOptions;
  readonly #liveById = new Map<string, Live>();
  readonly #timelines: SequenceTimelines;
  #lastNumber = 0;
  /** Last collection of measurements. Collections run one after the other. */
  #lastCollection: Promise<unknown> = Promise.resolve();

  constructor(options: SequencesOptions) {
    this.#options = options;
    this.#timelines = new SequenceTimelines(options.timelinesFolder);
  }

  get(id: string): SequenceRecord | undefined {
    return this.#liveById.get(id)?.record;
  }

  /** Returns a page of all sequences, newest first. */
  list({
    limit,
    beforeNumber,
  }: {
    limit: number;
    beforeNumber?: number | undefined;
  }): SequencePage {
    const before = Array.from(this.#liveById.values(), ({ record }) => record)
      .reverse()
      // Without a frame it is not admitted yet and may still be refused.
      .filter(({ frameIds }) => frameIds.length > 0)
      .filter(({ number }) => beforeNumber === undefined || number < beforeNumber);
    const sequences = before.slice(0, limit);
    return {
      sequences,
      nextBefore: before.length > limit ? (sequences.at(-1)?.number ?? null) : null,
    };
  }

  /**
   * Rejects a sequence if too many run.
   *
   * @throws {RenderError} TOO_MANY_SEQUENCES.
   */
  refuseTooMany(): void {
    let running = 0;
    for (const { record } of this.#liveById.values()) if (record.status === 'running') running++;
    const { maxRunning } = this.#options.limits;
    if (running >= maxRunning) {
      const message = `${running} sequences are running; at most ${maxRunning}`;
      throw new RenderError('TOO_MANY_SEQUENCES', message);
    }
  }

  /**
   * Creates a sequence of frames that were posted before, without rendering them again.
   *
   * @throws {RenderError} NOT_FOUND for an unknown frame; TOO_MANY_SEQUENCES.
   */
  async ofFrames(
    labels: Labels,
    frameIds: readonly string[],
    simulation: SequenceSimulation,
    client = NO_CLIENT,
  ): Promise<SequenceRecord> {
    for (const [index, id] of [...new Set(frameIds)].entries()) {
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
      if (!this.#options.store.has(id)) {
        throw new RenderError('NOT_FOUND', `frames: there is no frame ${id}`);
      }
    }
    const live = this.#add(labels, frameIds.length, simulation, client);
    live.record.frameIds = frameIds;
    this.#own(live, this.#makeReport(live));
    return live.record;
  }

  /**
   * Renders frames in order. The first one is admitted when this resolves, so an error that all
   * frames share is reported at once.
   *
   * @param steps Frames, at least one.
   * @param release Called when no more of the steps will be admitted.
   * @throws {RenderError} The errors of `FrameQueue.prepare` and `submit`; TOO_MANY_SEQUENCES;
   *   LIMIT_EXCEEDED if the frames are too many to simulate.
   */
  async render(
    labels: Labels,
    steps: readonly SequenceStep[],
    simulation: SequenceSimulation,
    release: () => void,
    client = NO_CLIENT,
  ): Promise<SequenceRecord> {
    let live: Live | null = null;
    try {
      live = this.#add(labels, steps.length, simulation, client);
      await this.#admit(live, steps[0]!);
    } catch (error) {
      if (live !== null) this.#liveById.delete(live.record.id);
      release();
      throw error;
    }
    const added = live;
    const rest = async (): Promise<SequenceReport> => {
      try {
        for (const step of steps.slice(1)) {
          await this.#waitForPlace(added);
          await this.#admit(added, step);
        }
      } finally {
        release();
      }
      return this.#makeReport(added);
    };
    this.#own(added, rest());
    return added.record;
  }

  /** Changes the name or tags of a sequence, and returns it; `undefined` if there is none. */
  label(id: string, changes: Partial<Labels>): SequenceRecord | undefined {
    const record = this.#liveById.get(id)?.record;
    return record === undefined ? undefined : Object.assign(record, changes);
  }

  /** Waits until a sequence is finished, for at most `withinMs`. */
  async waitFor(id: string, withinMs: number): Promise<void> {
    const live = this.#liveById.get(id);
    if (live === undefined) return;
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(timeUp.resolve, withinMs);
    await Promise.race([live.finished.promise, timeUp.promise]);
    clearTimeout(timer);
  }

  /** Cancels a running sequence with its unfinished frames, or deletes a finished one. */
  delete(id: string): void {
    const live = this.#liveById.get(id);
    if (live === undefined) return;
    if (live.record.status !== 'running') {
      this.#remove(id);
      return;
    }
    live.abort.abort();
    for (const frameId of live.record.frameIds) this.#options.queue.cancel(frameId);
  }

  /**
   * Opens the timeline of a finished sequence: phases, bins and transfers of all frames. The caller
   * closes the file.
   *
   * @param signal Aborted when the reader disconnects.
   * @returns Null with `timing=functional`.
   * @throws {RenderError} The errors of `ComputePool.run`; NOT_FOUND if a frame was deleted.
   */
  async openTimeline(
    id: string,
    signal: AbortSignal,
    client = NO_CLIENT,
  ): Promise<OpenTimeline | null> {
    const live = this.#liveById.get(id)!;
    const { simulations, limits } = this.#options;
    const write = (path: string, ended: AbortSignal) =>
      this.#withMeasurements(live, ({ input }) => {
        const maxBytes = limits.maxTimelineBytes;
        return simulations.run('sequence-timeline', { ...input, path, maxBytes }, ended, client);
      });
    return this.#timelines.open(id, write, signal);
  }

  /**
   * Returns the results of a finished sequence's frames, in order.
   *
   * @throws {RenderError} NOT_FOUND if a frame was deleted.
   */
  async results({ frameIds }: SequenceRecord): Promise<FrameResult[]> {
    const resultById = new Map<string, FrameResult>();
    for (const id of new Set(frameIds)) {
      resultById.set(id, this.#doneResult(id));
      if (resultById.size % ROWS_PER_TURN === 0) await nextTurn();
    }
    return frameIds.map((id) => resultById.get(id)!);
  }

  #add(labels: Labels, frameCount: number, simulation: SequenceSimulation, client: string): Live {
    this.refuseTooMany();
    const live: Live = {
      record: {
        id: randomUUID(),
        number: ++this.#lastNumber,
        submittedAt: new Date(),
        ...labels,
        frameCount,
        frameIds: [],
        status: 'running',
        error: null,
        report: null,
      },
      simulation,
      client,
      abort: new AbortController(),
      finished: Promise.withResolvers(),
      startMs: performance.now(),
    };
    this.#liveById.set(live.record.id, live);
    return live;
  }

  #own(live: Live, report: Promise<SequenceReport>): void {
    const sequenceId = live.record.id;
    const { log } = this.#options;
    const finish = () => this.#finish(live, report);
    runOwned(log, 'reporting a sequence', { sequenceId }, finish, () => live.finished.resolve());
  }

  async #finish(live: Live, report: Promise<SequenceReport>): Promise<void> {
    const { record } = live;
    const { log } = this.#options;
    try {
      record.report = await report;
      record.status = 'done';
    } catch (error) {
      record.status = live.abort.signal.aborted ? 'cancelled' : 'failed';
      const isExpected = error instanceof RenderError && error.code !== 'INTERNAL';
      const message = `internal error; the log has details under ${record.id}`;
      record.error = isExpected
        ? { code: error.code, message: error.message }
        : { code: 'INTERNAL', message };
      if (!isExpected)
        log.error({ sequenceId: record.id, err: error }, 'sequence failed because of a bug');
    }
    log.info({ sequenceId: record.id, status: record.status }, 'sequence finished');
    live.finished.resolve();
    const over = [...this.#liveById.values()].filter((other) => other.record.status !== 'running');
    for (const { record: oldest } of over.slice(0, -MAX_FINISHED)) this.#remove(oldest.id);
  }

  #remove(id: string): void {
    this.#liveById.delete(id);
    this.#timelines.delete(id);
  }

  async #admit(
    live: Live,
    { source, options, name, model: described, trace }: SequenceStep,
  ): Promise<void> {
    const { queue } = this.#options;
    const { client } = live;
    const { signal } = live.abort;
    for (;;) {
      if (signal.aborted) throw cancelled();
      let releasePlace: (() => void) | null = null;
      try {
        releasePlace = queue.reserve(client);
        const model = await queue.prepare(source, options, signal, client);
        if (live.record.frameIds.length === 0) this.#refuseLarge(live, model);
        const admission = {
          name,
          tags: ['sequence'],
          model: described,
          source,
          idempotency: null,
          client,
          trace,
        };
        const { id } = queue.submit(model, options, admission);
        live.record.frameIds = [...live.record.frameIds, id];
        return;
      } catch (error) {
        // The first frame is rejected like any frame. Later ones wait for a place or a quota.
        if (!isWaitable(error) || live.record.frameIds.length === 0) throw error;
      } finally {
        releasePlace?.();
      }
      await delay(QUEUE_WAIT_MS, signal);
    }
  }

  /** Checks the simulation by the first frame, because all frames have the same passes and bins. */
  #refuseLarge({ record, simulation }: Live, { frame }: PreparedModel): void {
    const { maxSteps } = this.#options.limits;
    refuseLargeFrames('query.frames', record.frameCount, frame, simulation.chipletCount, maxSteps);
  }

  /** Waits until few enough frames of the sequence are queued. */
  async #waitForPlace({ record, simulation, abort }: Live): Promise<void> {
    const { queue } = this.#options;
    const before = record.frameIds.at(-simulation.framesInFlight - MAX_WAITING);
    while (before !== undefined && !abort.signal.aborted && !this.#isOver(before)) {
      await queue.waitFor(before, QUEUE_WAIT_MS);
    }
  }

  /** Whether the frame is finished or deleted. */
  #isOver(frameId: string): boolean {
    return !this.#options.store.isLive(frameId);
  }

  async #makeReport(live: Live): Promise<SequenceReport> {
    const { record, startMs, abort } = live;
    for (const frameId of new Set(record.frameIds)) {
      while (!abort.signal.aborted && !this.#isOver(frameId)) {
        await this.#options.queue.waitFor(frameId, QUEUE_WAIT_MS);
      }
    }
    const { signal } = abort;
    return this.#withMeasurements(live, ({ input, retriedBins }) => {
      const wall = { totalMs: performance.now() - startMs, retriedBins };
      const whole = { ...input, wall };
      const { simulations } = this.#options;
      return simulations.runAdmitted('report-sequence', whole, signal, live.client);
    });
  }

  /** Calls `compute` with the measurements of all frames, whose files are held meanwhile. */
  async #withMeasurements<T>(
    live: Live,
    compute: (collected: Collected) => Promise<T>,
  ): Promise<T> {
    // One collection at a time, because many sequences may wait for the same frame and each reads a
    // thousand rows.
    const collecting = this.#lastCollection.then(() => this.#collect(live));
    this.#lastCollection = collecting.catch(() => {}); // The sequence itself receives the error.
    const collected = await collecting;
    try {
      return await compute(collected);
    } finally {
      this.#options.blobs.release(collected.files);
    }
  }

  /** Collects the measurements. The caller releases their files. */
  async #collect({ record, simulation, abort }: Live): Promise<Collected> {
    const { store, blobs, limits } = this.#options;
    const measuredById = new Map<string, MeasuredFrame>();
    const files: StoredBlob[] = [];
    let spec: SpecSummary | null = null;
    let coupling: Coupling | null = null;
    let retriedBins = 0;
    try {
      for (const frameId of record.frameIds) {
        if (measuredById.has(frameId)) continue;
        if (abort.signal.aborted) throw cancelled();
        const { measurement, frameSha256, imageSha256 } = this.#doneResult(frameId);
        // Read at once, because the frame may be deleted while its file is verified.
        const summary = store.reports.summary(frameId)!;
        blobs.hold([measurement]);
        files.push(measurement);
        await blobs.verify([measurement]);
        const path = blobs.pathOf(measurement.sha256);
        measuredById.set(frameId, { path, frameSha256, imageSha256 });
        retriedBins += summary.retriedBins;
        const refuse = (what: string, other: string) => {
          const message = `frames: ${frameId} was rendered with ${what}, but the first frame with ${other}`;
          throw new RenderError('REQUEST_INVALID', message);
        };
        if (spec !== null && spec.name !== summary.spec.name) {
          refuse(`spec ${summary.spec.name}`, spec.name);
        }
        if (coupling !== null && coupling !== summary.coupling) {
          refuse(`coupling=${summary.coupling}`, coupling);
        }
        requireLink({ timing: 'cycle', coupling: summary.coupling, ...simulation });
        spec ??= summary.spec;
        coupling ??= summary.coupling;
        // One report per turn of the event loop, because it may be megabytes.
        await nextTurn();
      }
    } catch (error) {
      blobs.release(files);
      throw error;
    }
    const frames = record.frameIds.map((frameId) => measuredById.get(frameId)!);
    const { maxSteps, maxRecordBytes } = limits;
    const input = { frames, simulation, spec: spec!, maxSteps, maxRecordBytes };
    return { input, files, retriedBins };
  }

  /** @throws {RenderError} NOT_FOUND if the frame was deleted, or the error that it failed with. */
  #doneResult(frameId: string): FrameResult {
    const outcome = this.#options.store.outcome(frameId);
    if (outcome === undefined) {
      throw new RenderError('NOT_FOUND', `frame ${frameId} of the sequence was deleted`);
    }
    const { error, result } = outcome;
    if (error !== null) throw new RenderError(error.code, `frame ${frameId}: ${error.message}`);
    return result!;
  }
}

/** Measurements of all frames of a sequence. */
interface Collected {
  readonly input: SequenceInput;
  /** Files of the measurements, which are held. */
  readonly files: readonly StoredBlob[];
  readonly retriedBins: number;
}

function cancelled(): RenderError {
  return new RenderError('FRAME_CANCELLED', 'the sequence was cancelled');
}

/** Whether a frame may be admitted later: when there is a place, or when its client may again. */
function isWaitable(error: unknown): boolean {
  if (!(error instanceof RenderError)) return false;
  return error.code === 'QUEUE_FULL' || error.code === 'QUOTA_EXCEEDED';
}
