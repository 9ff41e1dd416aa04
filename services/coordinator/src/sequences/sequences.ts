/**
 * Sequences: frames in order, each an ordinary frame of the queue, and an account of how they do when they overlap.
 * A few of a sequence are in the queue at once. Sequences live in memory: their frames survive a restart, the
 * grouping does not.
 */
import { randomUUID } from 'node:crypto';
import { type ErrorCode, RenderError, type SequenceReport, type SpecSummary } from '@tessera/frame';
import type { SimulationOptions } from '@tessera/multi-chiplet/rendering';
import { runOwned } from '@tessera/wire';
import type { Logger } from 'pino';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { MeasuredFrame, SequenceInput } from '../compute/compute-tasks.ts';
import { refuseLargeFrames } from '../compute/simulation-size.ts';
import { type FrameQueue, NO_CLIENT } from '../frames/frame-queue.ts';
import type { FrameResult, FrameStore } from '../frames/frame-store.ts';
import type { Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import { nextTurn } from '../process/event-loop-turn.ts';
import type { BlobStore, StoredBlob } from '../store/blob-store.ts';
import { type OpenTimeline, SequenceTimelines } from './sequence-timelines.ts';

export const SEQUENCE_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type SequenceStatus = (typeof SEQUENCE_STATUSES)[number];

/** Finished sequences that are remembered. */
const MAX_FINISHED = 100;
/** Frames of one sequence in the queue beyond those that are worked at. */
const MAX_WAITING = 2;
const QUEUE_PATIENCE_MS = 500;
/** Rows of the journal that are read in one turn of the event loop. */
const ROWS_PER_TURN = 20;

/** A frame of a sequence before it is admitted. */
export interface SequenceStep {
  readonly source: FrameSource;
  readonly options: FrameOptions;
  readonly title: string;
  readonly trace?: Trace | undefined;
  /** Name of the client that posted the sequence. */
  readonly client?: string | undefined;
}

export interface SequenceRecord {
  readonly id: string;
  /** Ascends in the order of submission. */
  readonly number: number;
  readonly submittedAt: Date;
  readonly title: string;
  readonly frameCount: number;
  /** Of the frames that were admitted, in order. */
  readonly frameIds: readonly string[];
  readonly status: SequenceStatus;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
  /** Set when `status` is done. */
  readonly report: SequenceReport | null;
}

/** How the frames are simulated together. */
export type SequenceSimulation = SimulationOptions;

interface Live {
  readonly record: { -readonly [Field in keyof SequenceRecord]: SequenceRecord[Field] };
  readonly simulation: SequenceSimulation;
  readonly abort: AbortController;
  readonly finished: PromiseWithResolvers<void>;
  readonly startMs: number;
}

/** A page of {@link Sequences.list}. */
export interface SequencePage {
  readonly sequences: readonly SequenceRecord[];
  /** `beforeNumber` of the next page; `null` on the last. */
  readonly nextBefore: number | null;
}

export interface SequenceLimits {
  /** Sequences that are not finished. */
  readonly maxRunning: number;
  /** Steps of the simulation of one sequence; see compute/simulation-size.ts. */
  readonly maxSteps: number;
  /** Bytes of the timeline of one sequence. */
  readonly maxTimelineBytes: number;
}

export interface SequencesOptions {
  readonly log: Logger;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly accounts: ComputePool;
  readonly limits: SequenceLimits;
  /** Folder of timelines, which is emptied. */
  readonly timelinesFolder: string;
}

export class Sequences {
  readonly #options: SequencesOptions;
  readonly #liveById = new Map<string, Live>();
  readonly #timelines: SequenceTimelines;
  #lastNumber = 0;
  /** Sequences read what their frames took one after the other. */
  #lastCollection: Promise<unknown> = Promise.resolve();

  constructor(options: SequencesOptions) {
    this.#options = options;
    this.#timelines = new SequenceTimelines(options.timelinesFolder);
  }

  get(id: string): SequenceRecord | undefined {
    return this.#liveById.get(id)?.record;
  }

  /** A page of all that are kept, the newest first. */
  list({
    limit,
    beforeNumber,
  }: {
    limit: number;
    beforeNumber?: number | undefined;
  }): SequencePage {
    const before = Array.from(this.#liveById.values(), ({ record }) => record)
      .reverse()
      .filter(({ number }) => beforeNumber === undefined || number < beforeNumber);
    const sequences = before.slice(0, limit);
    return {
      sequences,
      nextBefore: before.length > limit ? (sequences.at(-1)?.number ?? null) : null,
    };
  }

  /**
   * Refuses a sequence beyond those that may run.
   *
   * @throws {RenderError} TOO_MANY_SEQUENCES.
   */
  refuseTooMany(): void {
    let running = 0;
    for (const { record } of this.#liveById.values()) if (record.status === 'running') running++;
    const { maxRunning } = this.#options.limits;
    if (running >= maxRunning) {
      const message = `${running} sequences run; at most ${maxRunning}`;
      throw new RenderError('TOO_MANY_SEQUENCES', message);
    }
  }

  /**
   * Makes a sequence of frames that were posted before: nothing is rendered again.
   *
   * @throws {RenderError} NOT_FOUND for an unknown frame; TOO_MANY_SEQUENCES.
   */
  async ofFrames(
    frameIds: readonly string[],
    simulation: SequenceSimulation,
  ): Promise<SequenceRecord> {
    for (const [index, id] of [...new Set(frameIds)].entries()) {
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
      if (!this.#options.store.has(id)) {
        throw new RenderError('NOT_FOUND', `frames: there is no frame ${id}`);
      }
    }
    const live = this.#add(`${frameIds.length} frames`, frameIds.length, simulation);
    live.record.frameIds = frameIds;
    this.#own(live, this.#account(live));
    return live.record;
  }

  /**
   * Renders frames in order. The first is admitted when this returns, so that what is wrong with all of them is
   * told at once.
   *
   * @param steps At least one; `release` is called when no more of them will be admitted.
   * @throws {RenderError} As `FrameQueue.prepare` and `submit`; TOO_MANY_SEQUENCES; LIMIT_EXCEEDED when simulating that
   *   many frames is too much.
   */
  async render(
    title: string,
    steps: readonly SequenceStep[],
    simulation: SequenceSimulation,
    release: () => void,
  ): Promise<SequenceRecord> {
    let live: Live | null = null;
    try {
      live = this.#add(title, steps.length, simulation);
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
      return this.#account(added);
    };
    this.#own(added, rest());
    return added.record;
  }

  /** Waits until a sequence is finished, but not longer than `withinMs`. */
  async waitFor(id: string, withinMs: number): Promise<void> {
    const live = this.#liveById.get(id);
    if (live === undefined) return;
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(timeUp.resolve, withinMs);
    await Promise.race([live.finished.promise, timeUp.promise]);
    clearTimeout(timer);
  }

  /** Cancels a sequence with those of its frames that are not finished, or forgets it. */
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
   * Opens the timeline of a finished sequence: phases, bins and transfers of all frames. The caller closes the file.
   *
   * @param signal Aborted when the reader leaves.
   * @returns Null with `timing=functional`.
   * @throws {RenderError} As `ComputePool.run`; NOT_FOUND if a frame was deleted.
   */
  async openTimeline(id: string, signal: AbortSignal): Promise<OpenTimeline | null> {
    const live = this.#liveById.get(id)!;
    const { accounts, limits } = this.#options;
    const write = (path: string, ended: AbortSignal) =>
      this.#withMeasurements(live, ({ input }) => {
        const maxBytes = limits.maxTimelineBytes;
        return accounts.run('sequence-timeline', { ...input, path, maxBytes }, ended);
      });
    return this.#timelines.open(id, write, signal);
  }

  /**
   * The results of a finished sequence's frames, in order.
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

  #add(title: string, frameCount: number, simulation: SequenceSimulation): Live {
    this.refuseTooMany();
    const live: Live = {
      record: {
        id: randomUUID(),
        number: ++this.#lastNumber,
        submittedAt: new Date(),
        title,
        frameCount,
        frameIds: [],
        status: 'running',
        error: null,
        report: null,
      },
      simulation,
      abort: new AbortController(),
      finished: Promise.withResolvers(),
      startMs: performance.now(),
    };
    this.#liveById.set(live.record.id, live);
    return live;
  }

  #own(live: Live, accounted: Promise<SequenceReport>): void {
    const sequenceId = live.record.id;
    const { log } = this.#options;
    const finish = () => this.#finish(live, accounted);
    runOwned(log, 'a sequence', { sequenceId }, finish, () => live.finished.resolve());
  }

  async #finish(live: Live, accounted: Promise<SequenceReport>): Promise<void> {
    const { record } = live;
    const { log } = this.#options;
    try {
      record.report = await accounted;
      record.status = 'done';
    } catch (error) {
      record.status = live.abort.signal.aborted ? 'cancelled' : 'failed';
      const isKnown = error instanceof RenderError && error.code !== 'INTERNAL';
      const message = `internal error; the log has details under ${record.id}`;
      record.error = isKnown
        ? { code: error.code, message: error.message }
        : { code: 'INTERNAL', message };
      if (!isKnown) log.error({ sequenceId: record.id, err: error }, 'sequence failed by a bug');
    }
    log.info({ sequenceId: record.id, status: record.status }, 'sequence over');
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
    { source, options, title, trace, client = NO_CLIENT }: SequenceStep,
  ): Promise<void> {
    const { queue } = this.#options;
    const { signal } = live.abort;
    for (;;) {
      if (signal.aborted) throw cancelled();
      let giveBackPlace: (() => void) | null = null;
      try {
        giveBackPlace = queue.reserve(client);
        const model = await queue.prepare(source, options, signal, client);
        if (live.record.frameIds.length === 0) this.#refuseLarge(live, model);
        const admission = { title, source, idempotency: null, trace };
        const { id } = queue.submit(model, options, admission, client);
        live.record.frameIds = [...live.record.frameIds, id];
        return;
      } catch (error) {
        const isFull = error instanceof RenderError && error.code === 'QUEUE_FULL';
        // The first frame is refused as any frame is; later ones wait their turn.
        if (!isFull || live.record.frameIds.length === 0) throw error;
      } finally {
        giveBackPlace?.();
      }
      await queue.waitFor(live.record.frameIds.at(-1)!, QUEUE_PATIENCE_MS);
    }
  }

  /** Frames of a sequence are alike in passes and bins, so the first tells how much it is to simulate them. */
  #refuseLarge({ record, simulation }: Live, { frame }: PreparedModel): void {
    const { maxSteps } = this.#options.limits;
    refuseLargeFrames('query.frames', record.frameCount, frame, simulation.chipletCount, maxSteps);
  }

  /** Until few enough frames of the sequence are on their way. */
  async #waitForPlace({ record, simulation, abort }: Live): Promise<void> {
    const { queue } = this.#options;
    const before = record.frameIds.at(-simulation.framesInFlight - MAX_WAITING);
    while (before !== undefined && !abort.signal.aborted && !this.#isOver(before)) {
      await queue.waitFor(before, QUEUE_PATIENCE_MS);
    }
  }

  /** Whether there is nothing to wait for: the frame finished, or was deleted since. */
  #isOver(frameId: string): boolean {
    return !this.#options.store.isLive(frameId);
  }

  async #account(live: Live): Promise<SequenceReport> {
    const { record, startMs, abort } = live;
    for (const frameId of new Set(record.frameIds)) {
      while (!abort.signal.aborted && !this.#isOver(frameId)) {
        await this.#options.queue.waitFor(frameId, QUEUE_PATIENCE_MS);
      }
    }
    const { signal } = abort;
    return this.#withMeasurements(live, ({ input, retriedBins }) => {
      const wall = { totalMs: performance.now() - startMs, retriedBins };
      return this.#options.accounts.runAdmitted('account-sequence', { ...input, wall }, signal);
    });
  }

  /** Computes something from the measurements of all frames, whose files stay until it is done. */
  async #withMeasurements<T>(
    live: Live,
    compute: (collected: Collected) => Promise<T>,
  ): Promise<T> {
    // One after the other: many sequences may wait for the same frame, and each reads a thousand rows.
    const collecting = this.#lastCollection.then(() => this.#collect(live));
    this.#lastCollection = collecting.catch(() => {}); // the sequence it was for gets the error
    const collected = await collecting;
    try {
      return await compute(collected);
    } finally {
      this.#options.blobs.release(collected.files);
    }
  }

  /** @returns Files that are held. */
  async #collect({ record, simulation, abort }: Live): Promise<Collected> {
    const { store, blobs, limits } = this.#options;
    const measuredById = new Map<string, MeasuredFrame>();
    const files: StoredBlob[] = [];
    let spec: SpecSummary | null = null;
    let retriedBins = 0;
    try {
      for (const frameId of record.frameIds) {
        if (measuredById.has(frameId)) continue;
        if (abort.signal.aborted) throw cancelled();
        const { measurement, frameSha256, imageSha256 } = this.#doneResult(frameId);
        blobs.hold([measurement]);
        files.push(measurement);
        await blobs.verify([measurement]);
        const path = blobs.pathOf(measurement.sha256);
        measuredById.set(frameId, { path, frameSha256, imageSha256 });
        const summary = store.reports.summary(frameId)!;
        retriedBins += summary.retriedBins;
        if (spec !== null && spec.name !== summary.spec.name) {
          throw new RenderError(
            'REQUEST_INVALID',
            `frames: ${frameId} was rendered on ${summary.spec.name}, the first on ${spec.name}`,
          );
        }
        spec ??= summary.spec;
        // A report may be megabytes, so one is read in a turn.
        await nextTurn();
      }
    } catch (error) {
      blobs.release(files);
      throw error;
    }
    const frames = record.frameIds.map((frameId) => measuredById.get(frameId)!);
    const input = { frames, simulation, spec: spec!, maxSteps: limits.maxSteps };
    return { input, files, retriedBins };
  }

  /** @throws {RenderError} NOT_FOUND if the frame was deleted, or what it failed with. */
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

/** What the frames of a sequence took. */
interface Collected {
  readonly input: SequenceInput;
  /** Files of the measurements, which are held. */
  readonly files: readonly StoredBlob[];
  readonly retriedBins: number;
}

function cancelled(): RenderError {
  return new RenderError('FRAME_CANCELLED', 'the sequence was cancelled');
}
