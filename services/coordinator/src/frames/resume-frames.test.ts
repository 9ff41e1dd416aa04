import type { PreparedFrame } from '@tessera/frame';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { startTrace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import {
  closeTestStore,
  openTestStore,
  putSource,
  removeTestStores,
  type TestStore,
} from '../testing/temporary-data-folder.ts';
import type { FrameQueue } from './frame-queue.ts';
import type { FrameRecord } from './frame-record.ts';
import { resumeFrames } from './resume-frames.ts';

afterEach(removeTestStores);

const log = pino({ level: 'silent' });
const OPTIONS = { policy: 'dynamic' } as FrameOptions; // The model is not read.
const MODEL = { frame: {} as PreparedFrame, warnings: [], resources: [], prepareMs: 0 };

async function add({ store, blobs }: TestStore, title: string, traceId: string, client = '') {
  const source = await putSource(blobs, Buffer.from(title));
  const admission = {
    name: title,
    model: title,
    source,
    idempotency: null,
    client,
    trace: startTrace(traceId),
  };
  return store.add(admission, OPTIONS, []);
}

interface Process {
  readonly opened: TestStore;
  /** Titles and traces of the frames that were resumed beside others. */
  readonly resumed: string[];
  /** Titles of the frames that were resumed alone. */
  readonly alone: string[];
}

/**
 * Starts the next process on the same folder after an unexpected end of the previous one.
 *
 * @param endedBy Title of the frame that ends this process too when it renders alone.
 */
async function startAgain(
  before: TestStore,
  { minUptimeMs = 0, endedBy = '' }: { minUptimeMs?: number; endedBy?: string } = {},
): Promise<Process> {
  closeTestStore(before);
  const opened = openTestStore({}, before.path);
  const { store } = opened;
  const resumed: string[] = [];
  const alone: string[] = [];
  const stopping = new AbortController();
  const queue = {
    prepare: async () => MODEL,
    resume: ({ name, traceId }: FrameRecord) => {
      resumed.push(`${name} ${traceId}`);
    },
    resumeAlone: async (record: FrameRecord, prepare: () => Promise<unknown>) => {
      await prepare();
      alone.push(record.name);
      if (record.name !== endedBy) return;
      store.noteProgress(record, 'alone');
      stopping.abort();
    },
  };
  const signal = stopping.signal;
  const ended = resumeFrames({
    store,
    queue,
    log,
    stopping: signal,
    minUptimeMs: () => minUptimeMs,
  });
  if (minUptimeMs > 0) stopping.abort();
  await ended;
  return { opened, resumed, alone };
}

/** Longer than the uptime of any process. */
const NEVER_MS = 2 ** 31 - 1;

describe('resumeFrames', () => {
  it('resumes frames with their traces; those in progress at an unexpected end last and alone', async () => {
    const first = openTestStore();
    const suspect = await add(first, 'suspect', 'a'.repeat(32));
    await add(first, 'other', 'b'.repeat(32));
    first.store.takeUnfinished();
    first.store.noteProgress(suspect, 'shared');
    const { resumed, alone } = await startAgain(first);
    expect(resumed).toEqual([`other ${'b'.repeat(32)}`]);
    expect(alone).toEqual(['suspect']);
  });

  it('gives frames back to their clients, for preparation and for their turns', async () => {
    const first = openTestStore();
    for (const client of ['a', 'b', 'address 192.0.2.1']) {
      await add(first, `of ${client}`, 'c'.repeat(32), client);
    }
    closeTestStore(first);
    const { store } = openTestStore({}, first.path);
    const given: string[] = [];
    const prepare: FrameQueue['prepare'] = async (_source, _options, _signal, client) => {
      given.push(`prepared for ${client}`);
      return MODEL;
    };
    const resume: FrameQueue['resume'] = ({ name }, _model, client) => {
      given.push(`${name} queued for ${client}`);
    };
    const stopping = new AbortController().signal;
    await resumeFrames({
      store,
      queue: { prepare, resume, resumeAlone: async () => {} },
      log,
      stopping,
    });
    expect(given).toEqual(
      ['a', 'b', 'address 192.0.2.1'].flatMap((client) => [
        `prepared for ${client}`,
        `of ${client} queued for ${client}`,
      ]),
    );
    const [record] = [...store.list({ limit: 1 }).frames];
    expect(store.clientOf(record!.id)).toBe('address 192.0.2.1');
    const error = { code: 'FRAME_CANCELLED', message: '' } as const;
    store.finish(store.get(record!.id)!, { status: 'cancelled', error });
    expect(store.clientOf(record!.id)).toBe(''); // No address stays in the journal.
  });

  it('fails a frame after five ends while it ran alone, and no other', async () => {
    let opened = openTestStore();
    const deadly = await add(opened, 'deadly', 'a'.repeat(32));
    const bystander = await add(opened, 'bystander', 'b'.repeat(32));
    for (const record of [deadly, bystander]) opened.store.noteProgress(record, 'shared');
    for (let ends = 1; ends <= 5; ends++) {
      const again = await startAgain(opened, { endedBy: 'deadly' });
      opened = again.opened;
      expect(again.alone.at(-1)).toBe('deadly');
    }
    const last = await startAgain(opened);
    expect(last.alone).toEqual(['bystander']);
    expect(last.opened.store.get(deadly.id)).toMatchObject({
      status: 'failed',
      error: { code: 'FRAME_KILLS_COORDINATOR', message: expect.stringContaining('5 times') },
    });
    expect(last.opened.store.get(bystander.id)).toMatchObject({ status: 'queued' });
  });

  it('counts ends with other causes against no frame, and reduces its count by them', async () => {
    let opened = openTestStore();
    const unlucky = await add(opened, 'unlucky', 'a'.repeat(32));
    const other = await add(opened, 'other', 'b'.repeat(32));
    opened.store.noteProgress(unlucky, 'shared');
    // Often enough to fail the frame, unless an end in between showed that it is innocent.
    for (let round = 0; round < 4; round++) {
      for (let ends = 0; ends < 2; ends++) {
        ({ opened } = await startAgain(opened, { endedBy: 'unlucky' }));
      }
      for (let ends = 0; ends < 20; ends++) {
        ({ opened } = await startAgain(opened, { minUptimeMs: NEVER_MS }));
        opened.store.noteProgress(other, 'idle');
      }
    }
    const { alone } = await startAgain(opened);
    expect(alone).toEqual(['unlucky']);
    expect(opened.store.get(unlucky.id)).toMatchObject({ status: 'queued' });
  });

  it('suspects no frame that is in progress at an orderly stop', async () => {
    const first = openTestStore();
    const record = await add(first, 'frame', 'a'.repeat(32));
    first.store.noteProgress(record, 'shared');
    first.store.noteStop();
    const { resumed, alone } = await startAgain(first);
    expect(resumed).toHaveLength(1);
    expect(alone).toEqual([]);
  });

  it('fails no frame that is deleted twice while it is prepared, and resumes the next', async () => {
    const first = openTestStore();
    const deleted = await add(first, 'deleted', 'a'.repeat(32));
    await add(first, 'other', 'b'.repeat(32));
    closeTestStore(first);
    const { store } = openTestStore({}, first.path);
    const resumed: string[] = [];
    const queue = {
      prepare: async () => {
        if (store.get(deleted.id)?.phase === 'waiting') {
          const error = { code: 'FRAME_CANCELLED', message: 'cancelled' } as const;
          store.finish(store.get(deleted.id)!, { status: 'cancelled', error });
          store.delete(deleted.id);
          throw new Error('ENOENT: its file went with it');
        }
        return MODEL;
      },
      resume: ({ name }: FrameRecord) => {
        resumed.push(name);
      },
      resumeAlone: async () => {},
    };
    await resumeFrames({ store, queue, log, stopping: new AbortController().signal });
    expect(resumed).toEqual(['other']);
    expect(store.get(deleted.id)).toBeUndefined();
  });

  it('renders no frame that is cancelled before or while it is prepared', async () => {
    const first = openTestStore();
    const [one, two] = [
      await add(first, 'one', 'a'.repeat(32)),
      await add(first, 'two', 'b'.repeat(32)),
    ];
    closeTestStore(first);
    const { store } = openTestStore({}, first.path);
    const prepared: string[] = [];
    const resumed: string[] = [];
    const error = { code: 'FRAME_CANCELLED', message: 'cancelled' } as const;
    const queue = {
      prepare: async () => {
        prepared.push('a frame');
        for (const { id } of [one, two]) {
          store.finish(store.get(id)!, { status: 'cancelled', error });
        }
        return MODEL;
      },
      resume: ({ name }: FrameRecord) => {
        resumed.push(name);
      },
      resumeAlone: async () => {},
    };
    await resumeFrames({ store, queue, log, stopping: new AbortController().signal });
    expect(prepared).toHaveLength(1);
    expect(resumed).toEqual([]);
    expect(store.get(two.id)?.status).toBe('cancelled');
  });
});
