/**
 * Resumes the frames that an earlier process admitted and did not finish, in the order of
 * admission.
 *
 * A frame that was in progress when a process ended unexpectedly is a *suspect*: it may have
 * crashed the process. Suspects run after all others, each alone while no other frame is in
 * progress. A suspect fails only if the coordinator ended {@link MAX_ENDS_ALONE} times while that
 * frame ran alone, each time after a longer uptime without it. Therefore `kill -9`, a host without
 * memory and other causes fail no frame: they also end the coordinator before the suspect's turn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import type { FrameQueue } from './frame-queue.ts';
import type { FrameRecord, UnfinishedFrame } from './frame-record.ts';
import type { FrameStore } from './frame-store.ts';

/** Services and settings of {@link resumeFrames}. */
export interface ResumeOptions {
  readonly store: FrameStore;
  readonly queue: Pick<FrameQueue, 'prepare' | 'resume' | 'resumeAlone'>;
  readonly log: Logger;
  /** Ends the wait for a suspect's turn; the suspect stays in the journal. */
  readonly stopping: AbortSignal;
  /**
   * Returns the minimum uptime of this process before it runs a suspect that ended `endsAlone`
   * earlier processes.
   */
  readonly minUptimeMs?: (endsAlone: number) => number;
}

/** Number of unexpected ends of the coordinator after which a frame that ran alone fails. */
export const MAX_ENDS_ALONE = 5;

/**
 * Returns 1 s, 5 s, 25 s, 125 s, then 300 s. An end for another reason happens earlier and counts
 * against no frame.
 */
function defaultMinUptimeMs(endsAlone: number): number {
  return 1000 * Math.min(5 ** endsAlone, 300);
}

/** Resolves when all frames are queued or over, or when `stopping` is aborted. Does not reject. */
export async function resumeFrames(options: ResumeOptions): Promise<void> {
  const { store, log, stopping, minUptimeMs = defaultMinUptimeMs } = options;
  const resumption = new FrameResumption(options);
  const frames = store.takeUnfinished();
  const suspects = frames
    .filter(({ isSuspect }) => isSuspect)
    .toSorted((a, b) => a.endsAlone - b.endsAlone);
  if (frames.length > 0) {
    log.info(
      { frames: frames.length, suspects: suspects.length },
      'resuming frames of an earlier start',
    );
  }
  for (const { record, client, isSuspect } of frames) {
    if (!isSuspect) await resumption.resumeBesideOthers(record, client);
  }
  for (const suspect of suspects) {
    const { endsAlone } = suspect;
    const uptimeMs = endsAlone < MAX_ENDS_ALONE ? minUptimeMs(endsAlone) : 0;
    const waitMs = Math.max(0, uptimeMs - process.uptime() * 1000);
    await sleep(waitMs, undefined, { signal: stopping }).catch(() => {});
    await resumption.resumeSuspect(suspect);
  }
}

class FrameResumption {
  readonly #options: ResumeOptions;

  constructor(options: ResumeOptions) {
    this.#options = options;
  }

  resumeBesideOthers(record: FrameRecord, client: string): Promise<void> {
    return this.#guard(record, async () => {
      const model = await this.#prepare(record, client, 'shared');
      if (model !== null) this.#options.queue.resume(record, model, client);
    });
  }

  resumeSuspect({ record, client, endsAlone }: UnfinishedFrame): Promise<void> {
    const { queue, log } = this.#options;
    return this.#guard(record, async () => {
      if (endsAlone >= MAX_ENDS_ALONE) {
        throw new RenderError(
          'FRAME_KILLS_COORDINATOR',
          `the coordinator ended ${endsAlone} times while it rendered only this frame`,
        );
      }
      log.info(
        { frameId: record.id, endsAlone },
        'frame that may crash the coordinator runs alone',
      );
      await queue.resumeAlone(record, () => this.#prepare(record, client, 'alone'));
    });
  }

  /** Prepares a frame again. Returns null if it was deleted before or meanwhile. */
  async #prepare(
    record: FrameRecord,
    client: string,
    progress: 'shared' | 'alone',
  ): Promise<PreparedModel | null> {
    const { store, queue } = this.#options;
    const over = store.overSignal(record.id);
    if (over === null) return null;
    store.noteProgress(record, progress);
    try {
      const model = await queue.prepare(record.source, record.options, over, client);
      if (over.aborted) return null;
      store.update(record, { warnings: model.warnings });
      return model;
    } catch (error) {
      if (over.aborted) return null;
      throw error;
    } finally {
      if (!over.aborted) store.noteProgress(record, 'idle');
    }
  }

  /**
   * Fails the frame if `resume` throws. If the service stops or the disk is full, leaves it for the
   * next start.
   */
  async #guard(record: FrameRecord, resume: () => Promise<void>): Promise<void> {
    const { stopping, log } = this.#options;
    if (stopping.aborted) return;
    const frameId = record.id;
    try {
      await resume().catch((error: unknown) => {
        if (isCode(error, 'SHUTTING_DOWN')) return;
        this.#fail(record, error);
      });
    } catch (error) {
      log.error({ frameId, err: error }, 'frame left for the next start');
    }
  }

  /**
   * Fails a frame. It was valid when it was admitted, so the cause is a lost file, a limit, a bug,
   * or too many ends of the coordinator.
   */
  #fail(record: FrameRecord, error: unknown): void {
    const { store, log } = this.#options;
    const frameId = record.id;
    if (store.overSignal(frameId) === null) return;
    log.error({ frameId, err: error }, 'frame of an earlier start cannot be resumed');
    const isBug = !(error instanceof RenderError);
    const code = isBug ? 'INTERNAL' : error.code;
    const message = isBug ? `internal error; the log has details under ${frameId}` : error.message;
    store.finish(record, { status: 'failed', error: { code, message } });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof RenderError && error.code === code;
}
