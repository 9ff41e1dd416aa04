/**
 * Brings back the frames that an earlier process admitted and did not finish, in the order they were admitted; those that were
 * worked at when one ended by a bug come last. A frame at which it ended again and again is given up.
 */
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { FrameQueue } from './frame-queue.ts';
import type { FrameRecord, FrameStore } from './frame-store.ts';

export interface ResumeOptions {
  readonly store: FrameStore;
  readonly queue: Pick<FrameQueue, 'prepare' | 'resume'>;
  readonly log: Logger;
}

/** Ends by a bug, of which every frame that was worked at is suspect. */
const MAX_CRASHES = 3;
/** Ends that nobody saw: killed, out of memory, without power. Most are no frame's fault. */
const MAX_DEATHS = 10;

/** Resolves when all of them wait in the queue again, or have failed. Does not fail. */
export async function resumeFrames({ store, queue, log }: ResumeOptions): Promise<void> {
  const records = store.takeUnfinished();
  if (records.length > 0) log.info({ frames: records.length }, 'frames of an earlier start');
  const never = new AbortController().signal;
  const crashesOf = new Map(records.map((record) => [record, store.countDeaths(record).crashes]));
  const innocentFirst = records.toSorted((a, b) => crashesOf.get(a)! - crashesOf.get(b)!);
  for (const record of innocentFirst) {
    try {
      requireFewDeaths(record);
      store.noteWork(record, true);
      const model = await queue.prepare(record.source, record.options, never);
      store.noteWork(record, false);
      store.update(record, { warnings: model.warnings });
      queue.resume(record, model);
    } catch (error) {
      if (error instanceof RenderError && error.code === 'SHUTTING_DOWN') {
        store.noteWork(record, false);
        return;
      }
      fail(record, error);
    }
  }

  /** @throws {RenderError} FRAME_KILLS_COORDINATOR. */
  function requireFewDeaths(record: FrameRecord): void {
    const { deaths, crashes } = store.countDeaths(record);
    if (crashes < MAX_CRASHES && deaths < MAX_DEATHS) return;
    throw new RenderError(
      'FRAME_KILLS_COORDINATOR',
      `the coordinator ended ${deaths} times while it worked at the frame, ${crashes} of them by a bug`,
    );
  }

  /** It was prepared before it was admitted, so this is a file that was lost, a limit, a bug, or what is said above. */
  function fail(record: FrameRecord, error: unknown): void {
    const frameId = record.id;
    log.error({ frameId, err: error }, 'frame of an earlier start cannot be prepared');
    const isBug = !(error instanceof RenderError);
    const code = isBug ? 'INTERNAL' : error.code;
    const message = isBug ? `a bug; the log has more under ${frameId}` : error.message;
    store.finish(record, { status: 'failed', error: { code, message } });
  }
}
