/**
 * Frames on their way: a bounded queue, a few worked at at once, and the way of one frame from model to
 * picture. A frame whose chiplets are lost is begun again when they are back, unless it seems to be what ends them.
 *
 * The file is long because admission, attempts and results of a frame change the same job and the same few maps.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import {
  type BinDispatcher,
  type RenderedFrame,
  renderFrame,
} from '@tessera/multi-chiplet/rendering';
import { runOwned } from '@tessera/wire';
import type { Logger } from 'pino';
import { FairLine } from '../admission/fair-line.ts';
import { refuseBeyondShare, refuseBytesBeyondShare } from '../admission/queue-places.ts';
import { type CurrentWork, isLoss } from '../chiplets/chiplet-activity.ts';
import type { ChipletRegistry, FrameChiplets } from '../chiplets/chiplet-registry.ts';
import { recordIdOf } from '../chiplets/frame-blame.ts';
import { makeDispatcher } from '../chiplets/make-dispatcher.ts';
import { refuseLargeFrames } from '../compute/simulation-size.ts';
import type { Config } from '../config/config.ts';
import type { EventLog } from '../observe/event-log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { PhaseSpans, startTrace, type Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { ModelPreparer, PreparedModel } from '../prepare/model-preparer.ts';
import { nextTurn } from '../process/event-loop-turn.ts';
import { endOf, type Job, makeJob, type Outcome } from './frame-job.ts';
import { onSpec, resourceBytes } from './frame-on-spec.ts';
import type { Admission, FrameRecord, FrameStore } from './frame-store.ts';

export interface FrameQueueOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
  readonly preparer: ModelPreparer;
  readonly metrics: Metrics;
  readonly events: EventLog;
}

/** Frames on their way. */
export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

/** Client of the frames that came without one: those of an earlier start. */
export const NO_CLIENT = '';

/** Between two tries to write on a full disk. */
const STORAGE_RETRY_MS = 1000;
/** However innocent a frame is, it is not begun more often. */
const MAX_BEGINNINGS = 100;

export class FrameQueue {
  readonly #options: FrameQueueOptions;
  readonly #jobById = new Map<string, Job>();
  readonly #waiting = new FairLine<Job>();
  #runningCount = 0;
  /** Clients of the bodies on their way, once per body. */
  readonly #reservations: string[] = [];
  /** Chiplets that were lost, whatever they worked at. */
  #lossCount = 0;
  /** Whether one frame runs alone, or waits for the others to finish so that it can. */
  #isReservedForOne = false;
  /** Resolved when no frame is in progress; made by the caller that waits for it. */
  #idle: PromiseWithResolvers<void> | null = null;
  readonly #stopping = new AbortController();
  /** Of all frames, so that the bins of the oldest go first while the next one is in its visibility phase. */
  readonly #dispatcher: BinDispatcher;

  constructor(options: FrameQueueOptions) {
    this.#options = options;
    this.#dispatcher = makeDispatcher(options);
  }

  /** Takes note of a lost chiplet, and of what it worked at. */
  noteLoss(work: CurrentWork | null): void {
    this.#lossCount++;
    const job = work === null ? undefined : this.#jobById.get(recordIdOf(work.frameId));
    if (job === undefined || work === null) return;
    const deadly = job.blame.note(work, this.#lossCount);
    if (deadly === null) return;
    job.deadlyPiece = deadly;
    job.attempt.abort();
  }

  /** A lost chiplet came back alive. */
  noteSurvival(work: CurrentWork): void {
    this.#jobById.get(recordIdOf(work.frameId))?.blame.takeBack(work);
  }

  /**
   * Reserves a place for a frame whose body is still on its way, so that bodies beyond the queue's
   * length are refused before they take memory.
   *
   * @param client Name of the client, which may have a share of the places: see {@link refuseBeyondShare}.
   * @returns Gives the place back; to be called once, when the frame was submitted or never will be.
   * @throws {RenderError} QUEUE_FULL or SHUTTING_DOWN.
   */
  reserve(client: string): () => void {
    const { TESSERA_QUEUE_FRAMES: limit } = this.#options.config;
    this.#refuseWhenStopping();
    const reserved = this.#reservations;
    refuseBeyondShare(limit, {
      all: this.#waiting.length + reserved.length,
      byClient: this.#waiting.countOf(client) + reserved.filter((other) => other === client).length,
    });
    reserved.push(client);
    let isReserved = true;
    return () => {
      if (isReserved) reserved.splice(reserved.indexOf(client), 1);
      isReserved = false;
    };
  }

  /**
   * Imports a model, validates its frame and compiles its shaders, before it is admitted: what is wrong
   * with a model its sender hears at once, and an admitted frame has nothing wrong.
   *
   * @param client Clients take turns.
   * @throws {RenderError} What {@link ModelPreparer.prepare} throws, and SHUTTING_DOWN.
   */
  async prepare(
    source: FrameSource,
    options: FrameOptions,
    signal: AbortSignal,
    client = NO_CLIENT,
  ): Promise<PreparedModel> {
    this.#refuseWhenStopping();
    const { preparer, metrics } = this.#options;
    try {
      const either = AbortSignal.any([signal, this.#stopping.signal]);
      const model = await preparer.prepare(source, options, either, client);
      metrics.prepareSeconds.observe(model.prepareMs / 1000);
      return model;
    } catch (error) {
      this.#refuseWhenStopping();
      throw error;
    }
  }

  /**
   * Takes a frame for which a place was reserved. When this returns the frame is in the journal.
   *
   * @throws {RenderError} SHUTTING_DOWN, QUEUE_FULL if the frames that wait hold too many bytes, or LIMIT_EXCEEDED if
   *   its passes, bins and chiplets are too much to simulate.
   */
  submit(
    model: PreparedModel,
    options: FrameOptions,
    admission: Admission,
    client = NO_CLIENT,
  ): FrameRecord {
    this.#refuseWhenStopping();
    this.#refuseBytes(model, client);
    const { TESSERA_SIMULATION_STEPS: maxSteps } = this.#options.config;
    refuseLargeFrames('the frame', 1, model.frame, options.chipletCount ?? 1, maxSteps);
    const record = this.#options.store.add(admission, options, model.warnings);
    this.resume(record, model, admission.trace, client);
    return record;
  }

  /**
   * Prepares and renders a frame of an earlier process while no other frame is in progress. The frames that wait
   * already are finished first; those that come later wait. Resolves when the frame is over, or left for the next start.
   *
   * @param prepare Returns null for a frame that is over.
   * @throws {RenderError} SHUTTING_DOWN, and what `prepare` throws.
   */
  async resumeAlone(
    record: FrameRecord,
    prepare: () => Promise<PreparedModel | null>,
  ): Promise<void> {
    await Promise.all(this.#waiting.list().map(({ finished }) => finished.promise));
    this.#isReservedForOne = true;
    try {
      while (this.#runningCount > 0) {
        this.#idle ??= Promise.withResolvers();
        await this.#idle.promise;
      }
      this.#refuseWhenStopping();
      const model = await prepare();
      if (model === null) return;
      const job = this.#makeJob(record, model, startTrace(record.traceId), true);
      this.#start(job);
      await job.finished.promise;
    } finally {
      this.#isReservedForOne = false;
      this.#startNext();
    }
  }

  /** Takes a frame that is in the journal: of this process, or one that an earlier process did not finish. */
  resume(
    record: FrameRecord,
    model: PreparedModel,
    trace = startTrace(record.traceId),
    client = NO_CLIENT,
  ): void {
    this.#waiting.push(client, this.#makeJob(record, model, trace, false));
    this.#startNext();
  }

  #makeJob(record: FrameRecord, model: PreparedModel, trace: Trace, isAlone: boolean): Job {
    const { TESSERA_FRAME_ATTEMPTS: attempts } = this.#options.config;
    const job = makeJob(record, model, trace, attempts, isAlone);
    this.#jobById.set(record.id, job);
    const { id: frameId, title, traceId } = record;
    this.#options.log.info({ frameId, traceId, title }, 'frame queued');
    return job;
  }

  /**
   * Renders a finished frame again; its record stays as it is. The files of the result are held: to be given up with
   * `FrameStore.dropResult`.
   *
   * @throws {RenderError} SHUTTING_DOWN, and what rendering throws.
   */
  async renderAgain(record: FrameRecord, model: PreparedModel): Promise<Outcome> {
    this.#refuseWhenStopping();
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const job = this.#makeJob(record, model, startTrace(record.traceId), false);
    job.deliver = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
    this.#waiting.push(NO_CLIENT, job);
    this.#startNext();
    return promise;
  }

  /** How many frames wait and are worked at. */
  load(): QueueLoad {
    return { waiting: this.#waiting.length, running: this.#runningCount };
  }

  /** Waits until a frame is finished, but not longer than `withinMs`. */
  async waitFor(id: string, withinMs: number): Promise<void> {
    const job = this.#jobById.get(id);
    // Without a job it may be of an earlier process and not in the queue yet.
    const over = this.#options.store.overSignal(id);
    if (job === undefined && over === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const onOver = () => resolve();
    const timer = setTimeout(onOver, withinMs);
    over?.addEventListener('abort', onOver);
    await Promise.race([job?.finished.promise ?? promise, promise]);
    over?.removeEventListener('abort', onOver);
    clearTimeout(timer);
  }

  /** Cancels a frame that is not finished; gives `false` if there is none of that id. */
  cancel(id: string): boolean {
    const job = this.#jobById.get(id);
    if (job === undefined) return false;
    job.isCancelled = true;
    this.#abort(job);
    return true;
  }

  /**
   * Admits no more, gives what is worked at some time to finish, then leaves all that is left: it stays in
   * the journal, and the next process takes it up.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    for (const job of this.#waiting.list()) this.#abort(job);
    const running = [...this.#jobById.values()];
    await Promise.all(running.map((job) => this.waitFor(job.record.id, withinMs)));
    for (const job of running) this.#abort(job);
    await Promise.all(running.map((job) => job.finished.promise));
  }

  #abort(job: Job): void {
    job.abort.abort();
    if (!this.#waiting.list().includes(job)) return;
    // Where a full disk does not let it end here, it still waits, and ends when its turn comes.
    this.#finish(job, new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
    this.#waiting.remove(job);
  }

  #refuseWhenStopping(): void {
    if (this.#stopping.signal.aborted) {
      throw new RenderError('SHUTTING_DOWN', 'the service is stopping');
    }
  }

  /** A frame that need not wait is taken whatever its size: the limits of a body bound it. */
  #refuseBytes(model: PreparedModel, client: string): void {
    if (this.#waiting.length === 0) return;
    const { TESSERA_QUEUE_BYTES: limit } = this.#options.config;
    refuseBytesBeyondShare(limit, resourceBytes(model.frame), {
      all: waitingBytes(this.#waiting.list()),
      byClient: waitingBytes(this.#waiting.list(client)),
    });
  }

  #startNext(): void {
    const { config, metrics } = this.#options;
    while (!this.#isReservedForOne && this.#runningCount < config.TESSERA_FRAMES_IN_FLIGHT) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      this.#start(job);
    }
    metrics.framesQueued.set(this.#waiting.length);
    metrics.framesRunning.set(this.#runningCount);
    this.#options.events.publish('queue', '', this.load());
  }

  #start(job: Job): void {
    const { log, metrics } = this.#options;
    this.#runningCount++;
    const startMs = performance.now();
    job.trace.span('queue', job.queuedMs, startMs);
    metrics.queueWaitSeconds.observe((startMs - job.queuedMs) / 1000);
    const run = async () => {
      try {
        await this.#run(job);
      } finally {
        this.#runningCount--;
        if (this.#runningCount === 0) {
          this.#idle?.resolve();
          this.#idle = null;
        }
        this.#startNext();
      }
    };
    const { id: frameId, traceId } = job.record;
    const leave = (error: unknown) => this.#leave(job, error);
    runOwned(log, 'rendering a frame', { frameId, traceId }, run, leave);
  }

  async #run(job: Job): Promise<void> {
    const startMs = performance.now();
    this.#options.store.update(job.record, { status: 'running' });
    const { TESSERA_FRAME_MS: withinMs } = this.#options.config;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      job.abort.abort();
    }, withinMs);
    let outcome: Outcome | Error;
    try {
      outcome = await this.#render(job);
      this.#options.metrics.frameSeconds.observe((performance.now() - startMs) / 1000);
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error));
      if (isLate) outcome = new RenderError('FRAME_TIMEOUT', `worked at for over ${withinMs} ms`);
    }
    clearTimeout(timer);
    await this.#whenThereIsRoom(job, async () => this.#finish(job, outcome)).catch((error) => {
      // Its result stays unwritten, so the journal has it as queued for the next start.
      if (!(outcome instanceof Error)) this.#options.store.dropResult(outcome.result);
      this.#leave(job, error);
    });
  }

  /** Tries again while the disk is full: what is rendered is not lost, and nothing new is begun meanwhile. */
  async #whenThereIsRoom<T>(job: Job, write: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        const isFull = error instanceof RenderError && error.code === 'STORAGE_FULL';
        if (!isFull || this.#stopping.signal.aborted) throw error;
        this.#options.log.warn(
          { frameId: job.record.id, traceId: job.trace.traceId },
          'the disk is full: a result waits',
        );
      }
      await sleep(STORAGE_RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
    }
  }

  #leave({ record, finished, deliver, trace: { traceId } }: Job, error: unknown): void {
    const { log } = this.#options;
    this.#jobById.delete(record.id);
    log.error({ frameId: record.id, traceId, err: error }, 'frame left for the next start');
    deliver?.(error instanceof Error ? error : new Error(String(error)));
    finished.resolve();
  }

  /** Prepared frame → image and report → PNG. */
  async #render(job: Job): Promise<Outcome> {
    const { metrics, log, store } = this.#options;
    const { record } = job;
    let wantedChiplets = 1;
    for (let attempt = 1; ; attempt++) {
      // Chosen anew for each attempt: chiplets come and go.
      const selected = await this.#waitForChiplets(job, wantedChiplets);
      wantedChiplets = selected.chiplets.length;
      metrics.frameAttemptsTotal.inc();
      // Not while it waits for chiplets: an end of the process is not its fault then.
      store.noteProgress(record, job.isAlone ? 'alone' : 'shared');
      try {
        const rendered = await this.#renderOnce(job, selected, attempt);
        store.update(record, { phase: 'encoding' });
        const encodeStartMs = performance.now();
        const png = await encodePng(rendered.image);
        const targetPngs: Buffer[] = [];
        for (const passImage of rendered.passImages) targetPngs.push(await encodePng(passImage));
        const encodeEndMs = performance.now();
        job.trace.span('encode', encodeStartMs, encodeEndMs);
        metrics.encodeSeconds.observe((encodeEndMs - encodeStartMs) / 1000);
        return await this.#whenThereIsRoom(job, async () => {
          const { report, timelineJson, measurement } = rendered;
          const kept = { png, targetPngs, report, timelineJson, measurement };
          const result = await store.keepResult(kept);
          return { status: 'done', result, report: rendered.report };
        });
      } catch (error) {
        if (job.deadlyPiece !== null && !job.abort.signal.aborted) {
          throw new RenderError('FRAME_KILLS_CHIPLETS', job.deadlyPiece, { cause: error });
        }
        if (!isLoss(error) || attempt >= MAX_BEGINNINGS) throw error;
        store.noteProgress(record, 'idle');
        const { traceId } = job.trace;
        log.warn(
          { frameId: record.id, traceId, attempt, reason: error.message },
          'frame begun again',
        );
      }
    }
  }

  async #renderOnce(
    job: Job,
    { spec, chiplets, visibilityLost }: FrameChiplets,
    attempt: number,
  ): Promise<RenderedFrame> {
    const { config, registry, metrics, store } = this.#options;
    const { record, model, options, abort } = job;
    // Chiplets outlive a coordinator and drop what belongs to a released frame, so no name comes twice.
    const frameId = `${record.id}/${job.run}.${attempt}`;
    job.attempt = new AbortController();
    registry.traces.note(frameId, job.trace.traceId);
    const phases = new PhaseSpans(job.trace, () => performance.now());
    const signal = AbortSignal.any([abort.signal, visibilityLost, job.attempt.signal]);
    const releaseOnEnd = () => registry.releaseRendering(frameId);
    signal.addEventListener('abort', releaseOnEnd, { once: true });
    try {
      const chipletCount = options.chipletCount ?? chiplets.length;
      const rendererCount = config.TESSERA_VISIBILITY_RENDERS ? chipletCount : chipletCount - 1;
      const rendered = await renderFrame(onSpec(model.frame, spec, options.grid, rendererCount), {
        frameId,
        hosts: chiplets,
        chipletCount,
        splits: options.splits,
        interconnect: options.interconnect,
        overlap: options.overlap,
        dispatcher: this.#dispatcher,
        policy: options.policy,
        isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
        spec,
        readClockMs: () => performance.now(),
        instructionBudget: config.TESSERA_FRAME_INSTRUCTIONS,
        giveTurn: nextTurn,
        prepareMs: model.prepareMs,
        onProgress: ({ phase, binsDone, binCount }) => {
          phases.enter(phase === 'done' ? null : phase);
          const change = phase === 'done' ? {} : { phase };
          store.update(record, { ...change, binsDone, binCount });
        },
        signal,
      });
      const { visibilityMs, binsMs, retriedBins } = rendered.report.wall;
      metrics.visibilitySeconds.observe(visibilityMs / 1000);
      metrics.binsSeconds.observe(binsMs / 1000);
      metrics.compositeSeconds.observe(rendered.compositeMs / 1000);
      // Bins are placed while others are rendered: the span has the sum's length and ends with the last.
      const endMs = performance.now();
      job.trace.span('composite', endMs - rendered.compositeMs, endMs);
      metrics.binsRetriedTotal.inc(retriedBins);
      return rendered;
    } catch (error) {
      // Released without its client's wish: by the loss of the visibility chiplet, at whichever end it was seen first.
      const isReleased = error instanceof RenderError && error.code === 'FRAME_CANCELLED';
      if (!isReleased || abort.signal.aborted) throw error;
      throw new RenderError('CHIPLET_LOST', 'the visibility chiplet went away', { cause: error });
    } finally {
      phases.enter(null);
      signal.removeEventListener('abort', releaseOnEnd);
    }
  }

  #waitForChiplets({ options, abort }: Job, wantedChiplets: number): Promise<FrameChiplets> {
    const { config, registry } = this.#options;
    return registry.waitForSelection({
      maxChiplets: Number.POSITIVE_INFINITY,
      specName: options.spec,
      wantedChiplets,
      // Otherwise what comes out does not depend on how many render it.
      wantedWithinMs: options.chipletCount === null ? config.TESSERA_REJOIN_MS : 0,
      withinMs: config.TESSERA_CHIPLET_WAIT_MS,
      signal: abort.signal,
    });
  }

  #finish(job: Job, outcome: Outcome | Error): void {
    const { log, store, metrics } = this.#options;
    const { record } = job;
    const frameId = record.id;
    const { traceId } = job.trace;
    if (job.deliver !== null) {
      this.#jobById.delete(frameId);
      store.noteProgress(record, 'idle');
      job.deliver(outcome);
      job.finished.resolve();
      return;
    }
    const end = endOf(job, outcome, log);
    if (end === null) {
      this.#jobById.delete(frameId);
      store.noteProgress(record, 'idle');
      log.info({ frameId, traceId }, 'frame left for the next start');
      job.finished.resolve();
      return;
    }
    store.finish(record, end);
    this.#jobById.delete(frameId);
    metrics.framesTotal.inc({ outcome: end.status });
    if (end.status === 'done') {
      log.info({ frameId, traceId, totalMs: Math.round(end.report.wall.totalMs) }, 'frame done');
    }
    job.finished.resolve();
  }
}

function waitingBytes(jobs: readonly Job[]): number {
  return jobs.reduce((sum, { model }) => sum + resourceBytes(model.frame), 0);
}
