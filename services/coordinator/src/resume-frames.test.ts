import type { PreparedFrame } from '@tessera/frame';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { FrameOptions } from './frame-options.ts';
import { resumeFrames } from './resume-frames.ts';
import {
  closeTestStore,
  openTestStore,
  putSource,
  removeTestStores,
  type TestStore,
} from './test-support/temporary-data-folder.ts';
import { startTrace } from './tracing.ts';

afterEach(removeTestStores);

const log = pino({ level: 'silent' });
const OPTIONS = { policy: 'dynamic' } as FrameOptions; // it is not looked into
const MODEL = { frame: {} as PreparedFrame, warnings: [], resources: [], prepareMs: 0 };

async function add({ store, blobs }: TestStore, title: string, traceId: string) {
  const source = await putSource(blobs, Buffer.from(title));
  const admission = { title, source, idempotency: null, trace: startTrace(traceId) };
  return store.add(admission, OPTIONS, []);
}

/** The next process on the same folder; what it took up, and the traces. */
async function startAgain(before: TestStore) {
  closeTestStore(before);
  const opened = openTestStore({}, before.path);
  const resumed: string[] = [];
  const queue = {
    prepare: async () => MODEL,
    resume: ({ title, traceId }: { title: string; traceId: string }) => {
      resumed.push(`${title} ${traceId}`);
    },
  };
  await resumeFrames({ store: opened.store, queue, log });
  return { opened, resumed };
}

describe('resumeFrames', () => {
  it('takes frames up under the traces that they had, suspects of a crash last', async () => {
    const first = openTestStore();
    const suspect = await add(first, 'suspect', 'a'.repeat(32));
    await add(first, 'other', 'b'.repeat(32));
    first.store.noteWork(suspect, true);
    first.store.noteCrash();
    const { resumed } = await startAgain(first);
    expect(resumed).toEqual([`other ${'b'.repeat(32)}`, `suspect ${'a'.repeat(32)}`]);
  });

  it('gives a frame up at which three processes ended by a bug, and no other', async () => {
    let opened = openTestStore();
    const deadly = await add(opened, 'deadly', 'a'.repeat(32));
    const waiting = await add(opened, 'waiting', 'b'.repeat(32));
    for (let crashes = 1; crashes <= 3; crashes++) {
      opened.store.noteWork(deadly, true);
      opened.store.noteCrash();
      const again = await startAgain(opened);
      opened = again.opened;
      expect(again.resumed).toHaveLength(crashes < 3 ? 2 : 1);
    }
    expect(opened.store.get(deadly.id)).toMatchObject({
      status: 'failed',
      error: { code: 'FRAME_KILLS_COORDINATOR', message: expect.stringContaining('3 times') },
    });
    expect(opened.store.get(waiting.id)).toMatchObject({ status: 'queued' });
  });

  it('holds ends that nobody saw against a frame later, and an orderly stop not at all', async () => {
    let opened = openTestStore();
    const record = await add(opened, 'unlucky', 'a'.repeat(32));
    for (let stops = 0; stops < 20; stops++) {
      opened.store.noteWork(record, true);
      opened.store.noteWork(record, false);
      ({ opened } = await startAgain(opened));
    }
    for (let deaths = 1; deaths <= 10; deaths++) {
      expect(opened.store.get(record.id)).toMatchObject({ status: 'queued' });
      opened.store.noteWork(record, true);
      ({ opened } = await startAgain(opened));
    }
    expect(opened.store.get(record.id)).toMatchObject({
      error: { code: 'FRAME_KILLS_COORDINATOR' },
    });
  });
});
