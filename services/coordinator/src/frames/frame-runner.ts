/** Takes one job from the queue to its outcome: attempts, time limit, encoding, result files. */
import { RenderError } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import type { RenderedFrame } from '@tessera/multi-chiplet/rendering';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { FrameAttempts } from './frame-attempts.ts';
import type { Job, Outcome } from './frame-job.ts';
import type { FrameOutcomes } from './frame-outcomes.ts';
import type { FrameStore } from './frame-store.ts';
import { retryWhileFull } from './retry-while-full.ts';

/** Services that {@link FrameRunner} uses. */
export interface FrameRunnerOptions {
  readonly config: Pick<Config, 'TESSERA_FRAME_MS'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'queueWaitSeconds' | 'frameSeconds' | 'encodeSeconds'>;
  readonly store: Pick<FrameStore, 'update' | 'keepResult' | 'dropResult'>;
  readonly attempts: Pick<FrameAttempts, 'render'>;
  readonly outcomes: Pick<FrameOutcomes, 'finish' | 'leave'>;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** Runs jobs of the frame queue. */
export class FrameRunner {
  readonly #options: FrameRunnerOptions;

  constructor(options: FrameRunnerOptions) {
    this.#options = options;
  }

  /** Renders the frame of a job and finishes the job, successful or not. */
  async run(job: Job): Promise<void> {
    const { config, metrics, outcomes, store } = this.#options;
    const startMs = performance.now();
    job.trace.span('queue', job.queuedMs, startMs);
    metrics.queueWaitSeconds.observe((startMs - job.queuedMs) / 1000);
    store.update(job.record, { status: 'running' });
    const withinMs = config.TESSERA_FRAME_MS;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      job.abort.abort();
    }, withinMs);
    let outcome: Outcome | Error;
    try {
      outcome = await this.#render(job);
      metrics.frameSeconds.observe((performance.now() - startMs) / 1000);
    } catch (error) {
      outcome = error instanceof Error ? error : new Error(String(error));
      if (isLate) {
        outcome = new RenderError('FRAME_TIMEOUT', `rendering took longer than ${withinMs} ms`);
      }
    }
    clearTimeout(timer);
    try {
      await this.#whileFull(job, async () => outcomes.finish(job, outcome));
    } catch (error) {
      // The result is not recorded, so the journal still lists the frame as queued for the next
      // start.
      if (!(outcome instanceof Error)) store.dropResult(outcome.result);
      outcomes.leave(job, error);
    }
  }

  /** Renders the frame, encodes its image as PNG and writes the files of the result. */
  async #render(job: Job): Promise<Outcome> {
    const { attempts, store } = this.#options;
    const rendered = await attempts.render(job);
    store.update(job.record, { phase: 'encoding' });
    const { png, targetPngs } = await this.#encode(job, rendered);
    const { report, timelineJson, measurement } = rendered;
    return await this.#whileFull(job, async () => {
      const result = await store.keepResult({
        png,
        targetPngs,
        report,
        timelineJson,
        measurement,
      });
      return { status: 'done', result, report };
    });
  }

  async #encode(job: Job, { image, passImages }: RenderedFrame) {
    const startMs = performance.now();
    const png = await encodePng(image);
    const targetPngs: Buffer[] = [];
    for (const passImage of passImages) targetPngs.push(await encodePng(passImage));
    const endMs = performance.now();
    job.trace.span('encode', startMs, endMs);
    this.#options.metrics.encodeSeconds.observe((endMs - startMs) / 1000);
    return { png, targetPngs };
  }

  #whileFull<T>({ record, trace }: Job, write: () => Promise<T>): Promise<T> {
    const { stopping, log } = this.#options;
    const fields = { frameId: record.id, traceId: trace.traceId };
    const onFull = () => log.warn(fields, 'the disk is full; a result waits for space');
    return retryWhileFull(write, { signal: stopping, onFull });
  }
}
