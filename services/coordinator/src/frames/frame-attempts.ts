/** Renders a frame, and retries it on other chiplets when its chiplets are lost. */
import { RenderError } from '@tessera/frame';
import type { RenderedFrame } from '@tessera/multi-chiplet/rendering';
import type { Logger } from 'pino';
import { isLoss } from '../chiplets/chiplet-activity.ts';
import type { ChipletRegistry, FrameChiplets } from '../chiplets/chiplet-registry.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Job } from './frame-job.ts';
import type { FrameStore } from './frame-store.ts';

/** Upper bound on attempts, whatever caused the failures. */
export const MAX_ATTEMPTS = 100;

/** Services that {@link FrameAttempts} uses. */
export interface FrameAttemptsOptions {
  readonly config: Pick<Config, 'TESSERA_REJOIN_MS' | 'TESSERA_CHIPLET_WAIT_MS'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'frameAttemptsTotal'>;
  readonly registry: Pick<ChipletRegistry, 'waitForSelection'>;
  readonly store: Pick<FrameStore, 'noteProgress'>;
  /** Renders the frame once; `attempt` counts from 1. */
  readonly renderOnce: (
    job: Job,
    chiplets: FrameChiplets,
    attempt: number,
  ) => Promise<RenderedFrame>;
}

/** Retry policy of frames. */
export class FrameAttempts {
  readonly #options: FrameAttemptsOptions;

  constructor(options: FrameAttemptsOptions) {
    this.#options = options;
  }

  /**
   * Renders the frame of a job on the connected chiplets, or waits until enough are connected.
   *
   * @throws {RenderError} FRAME_KILLS_CHIPLETS if the frame crashes the chiplets that render it;
   *   CHIPLET_LOST after {@link MAX_ATTEMPTS} attempts; the error of an attempt that fails without
   *   losing a chiplet.
   */
  async render(job: Job): Promise<RenderedFrame> {
    const { metrics, log, store, renderOnce } = this.#options;
    const { record } = job;
    let wantedChiplets = 1;
    for (let attempt = 1; ; attempt++) {
      // Each attempt selects again because chiplets connect and disconnect.
      const selected = await this.#waitForChiplets(job, wantedChiplets);
      wantedChiplets = selected.chiplets.length;
      metrics.frameAttemptsTotal.inc();
      // Recorded after the wait for chiplets, because a crash during that wait is not the frame's
      // fault.
      store.noteProgress(record, job.isAlone ? 'alone' : 'shared');
      try {
        return await renderOnce(job, selected, attempt);
      } catch (error) {
        if (job.crashingWork !== null && !job.abort.signal.aborted) {
          throw new RenderError('FRAME_KILLS_CHIPLETS', job.crashingWork, { cause: error });
        }
        if (!isLoss(error) || attempt >= MAX_ATTEMPTS) throw error;
        store.noteProgress(record, 'idle');
        const { traceId } = job.trace;
        log.warn(
          { frameId: record.id, traceId, attempt, reason: error.message },
          'frame restarted',
        );
      }
    }
  }

  #waitForChiplets({ options, abort }: Job, wantedChiplets: number): Promise<FrameChiplets> {
    const { config, registry } = this.#options;
    return registry.waitForSelection({
      maxChiplets: Number.POSITIVE_INFINITY,
      wantedChiplets,
      // The report of a frame with a fixed number of simulated chiplets does not depend on how many
      // render it.
      wantedWithinMs: options.chipletCount === null ? config.TESSERA_REJOIN_MS : 0,
      withinMs: config.TESSERA_CHIPLET_WAIT_MS,
      signal: abort.signal,
    });
  }
}
