/**
 * Resumes the frames that an earlier process admitted and did not finish, in the order they were admitted.
 *
 * A frame that was in progress when a process ended is a *suspect*: it may be what ended the process. Suspects come
 * after all others, each alone, while no other frame is in progress. A suspect fails only when the coordinator ended
 * {@link MAX_ENDS_ALONE} times while that frame ran alone, each time after a longer uptime without it. So `kill -9`,
 * a host that is out of memory and other causes fail no frame: they also end the coordinator before the suspect's turn.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import type { FrameQueue } from './frame-queue.ts';
import type { FrameRecord, FrameStore, UnfinishedFrame } from './frame-store.ts';

export interface ResumeOptions {
  readonly store: FrameStore;
  readonly queue: Pick<FrameQueue, 'prepare' | 'resume' | 'resumeAlone'>;
  readonly log: Logger;
  /** Ends the wait for a suspect's turn; the suspect stays in the journal. */
  readonly stopping: AbortSignal;
  /** Least uptime of the process at which a suspect runs that ended `endsAlone` processes. */
  readonly peaceMs?: (endsAlone: number) => number;
}

/** Ends of the coordinator while a frame ran alone that fail the frame. */
export const MAX_ENDS_ALONE = 5;

/** 1 s, 5 s, 25 s, 125 s, 300 s: an end for another reason comes before, and counts against no frame. */
function defaultPeaceMs(endsAlone: number): number {
  return 1000 * Math.min(5 ** endsAlone, 300);
}

/** Resolves when all of them are in the queue or over, or `stopping` is aborted. Does not reject. */
export async function resumeFrames(options: ResumeOptions): Promise<void> {
  const { store, queue, log, stopping, peaceMs = defaultPeaceMs } = options;
  const frames = store.takeUnfinished();
  const suspects = frames
    .filter(({ isSuspect }) => isSuspect)
    .toSorted((a, b) => a.endsAlone - b.endsAlone);
  if (frames.length > 0) {
    log.info({ frames: frames.length, suspects: suspects.length }, 'frames of an earlier start');
  }
  for (const { record, isSuspect } of frames) {
    if (!isSuspect) await guard(record, () => resumeBesideOthers(record));
  }
  for (const suspect of suspects) {
    const { record, endsAlone } = suspect;
    const uptimeMs = endsAlone < MAX_ENDS_ALONE ? peaceMs(endsAlone) : 0;
    const waitMs = Math.max(0, uptimeMs - process.uptime() * 1000);
    await sleep(waitMs, undefined, { signal: stopping }).catch(() => {});
    await guard(record, () => resumeSuspect(suspect));
  }

  async function resumeBesideOthers(record: FrameRecord): Promise<void> {
    const model = await prepare(record, 'shared');
    if (model !== null) queue.resume(record, model);
  }

  async function resumeSuspect({ record, endsAlone }: UnfinishedFrame): Promise<void> {
    if (endsAlone >= MAX_ENDS_ALONE) {
      throw new RenderError(
        'FRAME_KILLS_COORDINATOR',
        `the coordinator ended ${endsAlone} times while it rendered this frame and no other`,
      );
    }
    log.info({ frameId: record.id, endsAlone }, 'frame that may end the coordinator runs alone');
    await queue.resumeAlone(record, () => prepare(record, 'alone'));
  }

  /** Returns null for a frame that was deleted before or while it was prepared. */
  async function prepare(
    record: FrameRecord,
    progress: 'shared' | 'alone',
  ): Promise<PreparedModel | null> {
    const over = store.overSignal(record.id);
    if (over === null) return null;
    store.noteProgress(record, progress);
    try {
      const model = await queue.prepare(record.source, record.options, over);
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

  /** Fails the frame with what `resume` throws, unless the service stops or the disk is full: then the next start resumes it. */
  async function guard(record: FrameRecord, resume: () => Promise<void>): Promise<void> {
    if (stopping.aborted) return;
    const frameId = record.id;
    try {
      await resume().catch((error: unknown) => {
        if (isCode(error, 'SHUTTING_DOWN')) return;
        fail(record, error);
      });
    } catch (error) {
      log.error({ frameId, err: error }, 'frame left for the next start');
    }
  }

  /** It was prepared before it was admitted, so this is a file that was lost, a limit, a bug, or what is said above. */
  function fail(record: FrameRecord, error: unknown): void {
    const frameId = record.id;
    if (store.overSignal(frameId) === null) return;
    log.error({ frameId, err: error }, 'frame of an earlier start cannot be prepared');
    const isBug = !(error instanceof RenderError);
    const code = isBug ? 'INTERNAL' : error.code;
    const message = isBug ? `internal error; the log has details under ${frameId}` : error.message;
    store.finish(record, { status: 'failed', error: { code, message } });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof RenderError && error.code === code;
}
