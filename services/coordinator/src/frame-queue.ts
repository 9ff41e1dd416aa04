/**
 * Frames on their way: a bounded queue, a few worked at at once, and the way of one frame from model to
 * picture. A frame whose chiplets are lost is begun again when they are back, a bounded number of times.
 */
import { randomUUID } from 'node:crypto';
import { makeCoarseBinGrid, type PreparedFrame, RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { type RenderedFrame, renderFrame } from '@tessera/multi-chiplet';
import type { Logger } from 'pino';
import type { ChipletRegistry, FrameChiplets } from './chiplet-registry.ts';
import type { Config } from './config.ts';
import type { FrameOptions } from './frame-options.ts';
import type { FrameSource } from './frame-source.ts';
import type { FrameRecord, FrameResult, FrameStore } from './frame-store.ts';
import type { Metrics } from './metrics.ts';
import type { ModelPreparer, PreparedModel } from './model-preparer.ts';

export interface FrameQueueOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
  readonly preparer: ModelPreparer;
  readonly metrics: Metrics;
}

/** A frame that is not finished. */
interface Job {
  readonly record: FrameRecord;
  readonly model: PreparedModel;
  readonly options: FrameOptions;
  readonly abort: AbortController;
  readonly queuedMs: number;
  readonly finished: PromiseWithResolvers<void>;
}

export class FrameQueue {
  readonly #options: FrameQueueOptions;
  readonly #jobById = new Map<string, Job>();
  #waiting: Job[] = [];
  #runningCount = 0;
  #reservedCount = 0;
  readonly #stopping = new AbortController();

  constructor(options: FrameQueueOptions) {
    this.#options = options;
  }

  /**
   * Reserves a place for a frame whose body is still on its way, so that bodies beyond the queue's
   * length are refused before they take memory.
   *
   * @returns Gives the place back; to be called once, when the frame was submitted or never will be.
   * @throws {RenderError} QUEUE_FULL or SHUTTING_DOWN.
   */
  reserve(): () => void {
    const { TESSERA_QUEUE_FRAMES: limit } = this.#options.config;
    this.#refuseWhenStopping();
    const takenCount = this.#waiting.length + this.#reservedCount;
    if (takenCount >= limit) {
      throw new RenderError('QUEUE_FULL', `${takenCount} frames wait; at most ${limit}`);
    }
    this.#reservedCount++;
    let isReserved = true;
    return () => {
      if (isReserved) this.#reservedCount--;
      isReserved = false;
    };
  }

  /**
   * Imports a model, validates its frame and compiles its shaders, before it is admitted: what is wrong
   * with a model its sender hears at once, and an admitted frame has nothing wrong.
   *
   * @throws {RenderError} What {@link ModelPreparer.prepare} throws, and SHUTTING_DOWN.
   */
  async prepare(
    source: FrameSource,
    options: FrameOptions,
    signal: AbortSignal,
  ): Promise<PreparedModel> {
    this.#refuseWhenStopping();
    const { preparer, metrics } = this.#options;
    try {
      const either = AbortSignal.any([signal, this.#stopping.signal]);
      const model = await preparer.prepare(source, options, either);
      metrics.prepareSeconds.observe(model.prepareMs / 1000);
      return model;
    } catch (error) {
      this.#refuseWhenStopping();
      throw error;
    }
  }

  /**
   * Takes a frame for which a place was reserved.
   *
   * @param title What was posted, for people.
   * @throws {RenderError} SHUTTING_DOWN, or QUEUE_FULL if the frames that wait hold too many bytes.
   */
  submit(model: PreparedModel, options: FrameOptions, title: string): FrameRecord {
    this.#refuseWhenStopping();
    this.#refuseBytes(model);
    const record: FrameRecord = {
      id: randomUUID(),
      submittedAt: new Date(),
      title,
      status: 'queued',
      phase: 'waiting',
      binsDone: 0,
      binCount: 0,
      warnings: model.warnings,
      result: null,
      error: null,
    };
    const job: Job = {
      record,
      model,
      options,
      abort: new AbortController(),
      queuedMs: performance.now(),
      finished: Promise.withResolvers(),
    };
    this.#options.store.add(record);
    this.#jobById.set(record.id, job);
    this.#waiting.push(job);
    this.#options.log.info({ frameId: record.id, title }, 'frame queued');
    this.#startNext();
    return record;
  }

  /** Waits until a frame is finished, but not longer than `withinMs`. */
  async waitFor(id: string, withinMs: number): Promise<void> {
    const job = this.#jobById.get(id);
    if (job === undefined) return;
    const timeUp = Promise.withResolvers<void>();
    const timer = setTimeout(timeUp.resolve, withinMs);
    await Promise.race([job.finished.promise, timeUp.promise]);
    clearTimeout(timer);
  }

  /** Cancels a frame that is not finished; gives `false` if there is none of that id. */
  cancel(id: string): boolean {
    const job = this.#jobById.get(id);
    if (job === undefined) return false;
    job.abort.abort();
    if (this.#waiting.includes(job)) {
      this.#waiting = this.#waiting.filter((other) => other !== job);
      this.#finish(job, new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
    }
    return true;
  }

  /** Admits no more, gives what is worked at some time to finish, then cancels all that is left. */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    for (const job of [...this.#waiting]) this.cancel(job.record.id);
    const running = [...this.#jobById.values()];
    await Promise.all(running.map((job) => this.waitFor(job.record.id, withinMs)));
    for (const job of running) this.cancel(job.record.id);
    await Promise.all(running.map((job) => job.finished.promise));
  }

  #refuseWhenStopping(): void {
    if (this.#stopping.signal.aborted) {
      throw new RenderError('SHUTTING_DOWN', 'the service is stopping');
    }
  }

  /** A frame that need not wait is taken whatever its size: the limits of a body bound it. */
  #refuseBytes(model: PreparedModel): void {
    if (this.#waiting.length === 0) return;
    const { TESSERA_QUEUE_BYTES: limit } = this.#options.config;
    const waiting = this.#waiting.reduce((sum, job) => sum + resourceBytes(job.model.frame), 0);
    if (waiting + resourceBytes(model.frame) > limit) {
      throw new RenderError('QUEUE_FULL', `the frames that wait hold ${waiting} bytes of ${limit}`);
    }
  }

  #startNext(): void {
    const { config, metrics } = this.#options;
    while (this.#runningCount < config.TESSERA_FRAMES_IN_FLIGHT) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      this.#runningCount++;
      metrics.queueWaitSeconds.observe((performance.now() - job.queuedMs) / 1000);
      this.#run(job);
    }
    metrics.framesQueued.set(this.#waiting.length);
    metrics.framesRunning.set(this.#runningCount);
  }

  async #run(job: Job): Promise<void> {
    const startMs = performance.now();
    job.record.status = 'running';
    let outcome: FrameResult | Error;
    try {
      outcome = await this.#render(job);
      this.#options.metrics.frameSeconds.observe((performance.now() - startMs) / 1000);
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error));
    }
    this.#runningCount--;
    this.#finish(job, outcome);
    this.#startNext();
  }

  /** Prepared frame → image and report → PNG. */
  async #render(job: Job): Promise<FrameResult> {
    const { config, metrics, log } = this.#options;
    const { record } = job;
    let wantedChiplets = 1;
    for (let attempt = 1; ; attempt++) {
      // Chosen anew for each attempt: chiplets come and go.
      const selected = await this.#waitForChiplets(job, wantedChiplets);
      wantedChiplets = selected.chiplets.length;
      metrics.frameAttemptsTotal.inc();
      try {
        const { image, report, timeline } = await this.#renderOnce(job, selected, attempt);
        record.phase = 'encoding';
        const encodeStartMs = performance.now();
        const png = await encodePng(image);
        metrics.encodeSeconds.observe((performance.now() - encodeStartMs) / 1000);
        return { png, report, timeline };
      } catch (error) {
        if (!isLoss(error) || attempt >= config.TESSERA_FRAME_ATTEMPTS) throw error;
        log.warn({ frameId: record.id, attempt, reason: error.message }, 'frame begun again');
      }
    }
  }

  async #renderOnce(
    { record, model, options, abort: { signal } }: Job,
    { spec, chiplets }: FrameChiplets,
    attempt: number,
  ): Promise<RenderedFrame> {
    const { config, registry, metrics } = this.#options;
    const frameId = `${record.id}/${attempt}`;
    const releaseOnCancel = () => registry.releaseFrame(frameId);
    signal.addEventListener('abort', releaseOnCancel, { once: true });
    try {
      const rendered = await renderFrame(withFineBins(model.frame, spec.fineBinPx), {
        frameId,
        chiplets,
        policy: options.policy,
        isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
        spec,
        readClockMs: () => performance.now(),
        prepareMs: model.prepareMs,
        onProgress: ({ phase, binsDone, binCount }) => {
          if (phase !== 'done') record.phase = phase;
          record.binsDone = binsDone;
          record.binCount = binCount;
        },
        signal,
      });
      const { visibilityMs, binsMs, retriedBins } = rendered.report.wall;
      metrics.visibilitySeconds.observe(visibilityMs / 1000);
      metrics.binsSeconds.observe(binsMs / 1000);
      metrics.binsRetriedTotal.inc(retriedBins);
      return rendered;
    } finally {
      signal.removeEventListener('abort', releaseOnCancel);
    }
  }

  #waitForChiplets({ options, abort }: Job, wantedChiplets: number): Promise<FrameChiplets> {
    const { config, registry } = this.#options;
    return registry.waitForSelection({
      maxChiplets: options.maxChiplets,
      wantedChiplets,
      wantedWithinMs: config.TESSERA_REJOIN_MS,
      withinMs: config.TESSERA_CHIPLET_WAIT_MS,
      signal: abort.signal,
    });
  }

  #finish(job: Job, outcome: FrameResult | Error): void {
    const { log, store, metrics } = this.#options;
    const { record } = job;
    const frameId = record.id;
    record.phase = 'over';
    if (!(outcome instanceof Error)) {
      record.status = 'done';
      record.result = outcome;
      const { totalMs } = outcome.report.wall;
      log.info({ frameId, totalMs: Math.round(totalMs) }, 'frame done');
    } else if (job.abort.signal.aborted) {
      record.status = 'cancelled';
      record.error = { code: 'FRAME_CANCELLED', message: 'the frame was cancelled' };
      log.info({ frameId }, 'frame cancelled');
    } else if (outcome instanceof RenderError && outcome.code !== 'INTERNAL') {
      record.status = 'failed';
      record.error = { code: outcome.code, message: outcome.message };
      log.warn({ frameId, code: outcome.code, message: outcome.message }, 'frame failed');
    } else {
      record.status = 'failed';
      record.error = { code: 'INTERNAL', message: `a bug; the log has more under ${frameId}` };
      log.error({ frameId, err: outcome }, 'frame failed by a bug');
    }
    metrics.framesTotal.inc({ outcome: record.status });
    this.#jobById.delete(record.id);
    store.finish(record);
    job.finished.resolve();
  }
}

/** Whether a frame may succeed when it is begun again. */
function isLoss(error: unknown): error is RenderError {
  return (
    error instanceof RenderError &&
    (error.code === 'CHIPLET_LOST' || error.code === 'CHIPLET_TIMEOUT')
  );
}

/** Bytes of the frame's buffers and textures. */
function resourceBytes({ buffers, textures }: PreparedFrame): number {
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.bytes.length;
  for (const { levels } of textures) for (const level of levels) bytes += level.length;
  return bytes;
}

/** The frame with its coarse bins on the fine bins of the chiplets that will render it. */
function withFineBins(frame: PreparedFrame, fineBinPx: number): PreparedFrame {
  const { grid } = frame.commands;
  if (grid.fineBinPx === fineBinPx) return frame;
  const { widthPx, heightPx, columns, rows } = grid;
  return {
    ...frame,
    commands: {
      ...frame.commands,
      grid: makeCoarseBinGrid(widthPx, heightPx, columns, rows, fineBinPx),
    },
  };
}
