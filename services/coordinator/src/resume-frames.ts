/** Brings back the frames that an earlier process admitted and did not finish, in the order they were admitted. */
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { FrameQueue } from './frame-queue.ts';
import type { FrameRecord, FrameStore } from './frame-store.ts';

export interface ResumeOptions {
  readonly store: FrameStore;
  readonly queue: FrameQueue;
  readonly log: Logger;
}

/** Resolves when all of them wait in the queue again, or have failed. Does not fail. */
export async function resumeFrames({ store, queue, log }: ResumeOptions): Promise<void> {
  const records = store.takeUnfinished();
  if (records.length > 0) log.info({ frames: records.length }, 'frames of an earlier start');
  const never = new AbortController().signal;
  for (const record of records) {
    try {
      const model = await queue.prepare(record.source, record.options, never);
      store.update(record, { warnings: model.warnings });
      queue.resume(record, model);
    } catch (error) {
      if (error instanceof RenderError && error.code === 'SHUTTING_DOWN') return;
      fail(record, error);
    }
  }

  /** It was prepared before it was admitted, so this is a file that was lost, a limit or a bug. */
  function fail(record: FrameRecord, error: unknown): void {
    const frameId = record.id;
    log.error({ frameId, err: error }, 'frame of an earlier start cannot be prepared');
    const isBug = !(error instanceof RenderError);
    const code = isBug ? 'INTERNAL' : error.code;
    const message = isBug ? `a bug; the log has more under ${frameId}` : error.message;
    store.finish(record, { status: 'failed', error: { code, message } });
  }
}
