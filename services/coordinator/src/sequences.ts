/**
 * Sequences: frames in order, each an ordinary frame of the queue, and an account of how they do when they overlap.
 * A few of a sequence are in the queue at once. Sequences live in memory: their frames survive a restart, the
 * grouping does not.
 */
import { randomUUID } from 'node:crypto';
import {
  type ErrorCode,
  RenderError,
  type Report,
  type SequenceReport,
  type SpecSummary,
} from '@tessera/frame';
import {
  accountSequence,
  type FrameMeasurement,
  type SequenceFrame,
  type SimulationOptions,
  type Timeline,
} from '@tessera/multi-chiplet/rendering';
import { runOwned } from '@tessera/wire';
import type { Logger } from 'pino';
import type { FrameOptions } from './frame-options.ts';
import { type FrameQueue, NO_CLIENT } from './frame-queue.ts';
import type { FrameSource } from './frame-source.ts';
import type { FrameRecord, FrameResult, FrameStore } from './frame-store.ts';
import type { BlobStore } from './store/blob-store.ts';
import type { Trace } from './tracing.ts';

export const SEQUENCE_STATUSES = ['running', 'done', 'failed', 'cancelled'] as const;
export type SequenceStatus = (typeof SEQUENCE_STATUSES)[number];

/** Finished sequences that are remembered. */
const MAX_FINISHED = 100;
/** Frames of one sequence in the queue beyond those that are worked at. */
const MAX_WAITING = 2;
const QUEUE_PATIENCE_MS = 500;

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

export interface SequencesOptions {
  readonly log: Logger;
  readonly queue: FrameQueue;
  readonly store: FrameStore;
  readonly blobs: BlobStore;
}

export class Sequences {
  readonly #options: SequencesOptions;
  readonly #liveById = new Map<string, Live>();

  constructor(options: SequencesOptions) {
    this.#options = options;
  }

  get(id: string): SequenceRecord | undefined {
    return this.#liveById.get(id)?.record;
  }

  /** All that are remembered, the newest first. */
  list(): SequenceRecord[] {
    return Array.from(this.#liveById.values(), ({ record }) => record).reverse();
  }

  /** Makes a sequence of frames that were rendered or are on their way: nothing is rendered again. */
  ofFrames(frameIds: readonly string[], simulation: SequenceSimulation): SequenceRecord {
    for (const id of frameIds) {
      if (this.#options.store.get(id) === undefined) {
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
   * @throws {RenderError} As `FrameQueue.prepare` and `submit`.
   */
  async render(
    title: string,
    steps: readonly SequenceStep[],
    simulation: SequenceSimulation,
    release: () => void,
  ): Promise<SequenceRecord> {
    const live = this.#add(title, steps.length, simulation);
    try {
      await this.#admit(live, steps[0]!);
    } catch (error) {
      this.#liveById.delete(live.record.id);
      release();
      throw error;
    }
    const rest = async (): Promise<SequenceReport> => {
      try {
        for (const step of steps.slice(1)) {
          await this.#waitForPlace(live);
          await this.#admit(live, step);
        }
      } finally {
        release();
      }
      return this.#account(live);
    };
    this.#own(live, rest());
    return live.record;
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
      this.#liveById.delete(id);
      return;
    }
    live.abort.abort();
    for (const frameId of live.record.frameIds) this.#options.queue.cancel(frameId);
  }

  /** Phases, bins and transfers of all frames; null with `timing=functional`. */
  async timeline(id: string): Promise<Timeline | null> {
    const live = this.#liveById.get(id)!;
    const { frames, spec } = await this.#collect(live.record);
    return accountSequence(frames, live.simulation, spec, live.record.report!.wall).timeline;
  }

  /** The results of a finished sequence's frames, in order. @throws {RenderError} NOT_FOUND if one was forgotten. */
  results({ frameIds }: SequenceRecord): FrameResult[] {
    return frameIds.map((frameId) => this.#doneFrame(frameId).result!);
  }

  #add(title: string, frameCount: number, simulation: SequenceSimulation): Live {
    const live: Live = {
      record: {
        id: randomUUID(),
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
      const message = `a bug; the log has more under ${record.id}`;
      record.error = isKnown
        ? { code: error.code, message: error.message }
        : { code: 'INTERNAL', message };
      if (!isKnown) log.error({ sequenceId: record.id, err: error }, 'sequence failed by a bug');
    }
    log.info({ sequenceId: record.id, status: record.status }, 'sequence over');
    live.finished.resolve();
    const over = [...this.#liveById.values()].filter((other) => other.record.status !== 'running');
    for (const { record: oldest } of over.slice(0, -MAX_FINISHED)) this.#liveById.delete(oldest.id);
  }

  async #admit(
    live: Live,
    { source, options, title, trace, client = NO_CLIENT }: SequenceStep,
  ): Promise<void> {
    const { queue } = this.#options;
    const { signal } = live.abort;
    for (;;) {
      if (signal.aborted) throw new RenderError('FRAME_CANCELLED', 'the sequence was cancelled');
      let giveBackPlace: (() => void) | null = null;
      try {
        giveBackPlace = queue.reserve(client);
        const model = await queue.prepare(source, options, signal, client);
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
    const frame = this.#options.store.get(frameId);
    return frame === undefined || frame.phase === 'over';
  }

  async #account(live: Live): Promise<SequenceReport> {
    const { record, simulation, startMs } = live;
    for (const frameId of record.frameIds) {
      while (!this.#isOver(frameId)) await this.#options.queue.waitFor(frameId, QUEUE_PATIENCE_MS);
    }
    const { frames, spec, retriedBins } = await this.#collect(record);
    const wall = { totalMs: performance.now() - startMs, retriedBins };
    return accountSequence(frames, simulation, spec, wall).report;
  }

  async #collect({ frameIds }: SequenceRecord): Promise<{
    readonly frames: readonly SequenceFrame[];
    readonly spec: SpecSummary;
    readonly retriedBins: number;
  }> {
    const frames: SequenceFrame[] = [];
    let spec: SpecSummary | null = null;
    let retriedBins = 0;
    for (const frameId of frameIds) {
      const { measurement, frameSha256, imageSha256 } = this.#doneFrame(frameId).result!;
      const bytes = await this.#options.blobs.read(measurement.sha256);
      frames.push({
        measurement: JSON.parse(bytes.toString()) as FrameMeasurement,
        frameSha256,
        imageSha256,
      });
      const report = JSON.parse(this.#options.store.reportJson(frameId)!) as Report;
      retriedBins += report.wall.retriedBins;
      if (spec !== null && spec.name !== report.spec.name) {
        throw new RenderError(
          'REQUEST_INVALID',
          `frames: ${frameId} was rendered on ${report.spec.name}, the first on ${spec.name}`,
        );
      }
      spec = report.spec;
    }
    return { frames, spec: spec!, retriedBins };
  }

  #doneFrame(frameId: string): FrameRecord {
    const frame = this.#options.store.get(frameId);
    if (frame === undefined) {
      throw new RenderError('NOT_FOUND', `frame ${frameId} of the sequence was forgotten`);
    }
    if (frame.error !== null) {
      throw new RenderError(frame.error.code, `frame ${frameId}: ${frame.error.message}`);
    }
    return frame;
  }
}
