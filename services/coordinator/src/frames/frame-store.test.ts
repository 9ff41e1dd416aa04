import { existsSync } from 'node:fs';
import type { Report } from '@tessera/frame';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { RetentionClock } from '../store/retention-clock.ts';
import { FUNCTIONAL_OPTIONS } from '../testing/functional-options.ts';
import {
  closeTestStore,
  openTestStore,
  putSource,
  removeTestStores,
  type TestStore,
} from '../testing/temporary-data-folder.ts';
import type { FrameRecord, FrameSummary } from './frame-record.ts';
import { FrameStore } from './frame-store.ts';

afterEach(removeTestStores);

const REPORT = { image: { sha256: 'i' }, frame: { sha256: 'f' } } as unknown as Report;

async function add(
  { store, blobs }: TestStore,
  title: string,
  more: { key?: string; policy?: string } = {},
): Promise<FrameRecord> {
  const source = await putSource(blobs, Buffer.from(`model ${title}`));
  const idempotency = more.key === undefined ? null : { key: more.key, fingerprint: 'p' };
  const options = { ...FUNCTIONAL_OPTIONS, policy: more.policy ?? FUNCTIONAL_OPTIONS.policy };
  const record = store.add(
    { name: title, model: `${title}, 9 bytes`, source, idempotency },
    options,
    ['a warning'],
  );
  blobs.release(source.files);
  return record;
}

async function finish({ store }: TestStore, record: FrameRecord, pngBytes = 10): Promise<void> {
  const png = Buffer.alloc(pngBytes, record.name);
  const rendered = {
    png,
    targetPngs: [],
    report: REPORT,
    timelineJson: null,
    measurement: { passes: [] },
  };
  const result = await store.keepResult(rendered);
  store.finish(record, { status: 'done', result, report: REPORT });
}

function titles(frames: Iterable<FrameSummary>): string[] {
  return [...frames].map(({ name }) => name);
}

describe('FrameStore', () => {
  it('has finished frames, their images and reports after a restart', async () => {
    const before = openTestStore();
    const record = await add(before, 'a', { key: 'k' });
    await finish(before, record);
    const failed = await add(before, 'b');
    const error = { code: 'CHIPLET_LOST', message: 'gone' } as const;
    before.store.finish(failed, { status: 'failed', error });
    closeTestStore(before);

    const { store, blobs } = openTestStore({}, before.path);
    expect(store.takeUnfinished()).toEqual([]);
    const found = store.get(record.id)!;
    expect(found).toEqual({ ...record, result: expect.anything() });
    expect(await blobs.read(found.result!.image.sha256)).toEqual(Buffer.alloc(10, 'a'));
    expect(JSON.parse(store.reports.json(record.id)!)).toEqual(REPORT);
    expect(store.findByKey('k')).toMatchObject({ fingerprint: 'p', record: { id: record.id } });
    expect(store.get(failed.id)).toMatchObject({ status: 'failed', error, result: null });
  });

  it('returns unfinished frames after a restart, in the order of admission', async () => {
    const before = openTestStore();
    const records = [];
    for (const title of ['a', 'b', 'c', 'd']) records.push(await add(before, title));
    await finish(before, records[1]!);
    before.store.update(records[2]!, { status: 'running', phase: 'bins' });
    closeTestStore(before);

    const { store, blobs } = openTestStore({}, before.path);
    const unfinished = store.takeUnfinished().map(({ record }) => record);
    expect(titles(unfinished)).toEqual(['a', 'c', 'd']);
    expect(unfinished[1]).toMatchObject({
      status: 'queued',
      phase: 'waiting',
      options: FUNCTIONAL_OPTIONS,
    });
    const [file] = unfinished[0]!.source.files;
    expect(String(await blobs.read(file!.sha256))).toBe('model a');
  });

  it('deletes the oldest finished frame beyond the limit of frames, with its files', async () => {
    const opened = openTestStore({ maxFrames: 2 });
    const waiting = await add(opened, 'waiting');
    const first = await add(opened, 'a');
    await finish(opened, first);
    const { result } = opened.store.get(first.id)!;
    for (const title of ['b', 'c']) await finish(opened, await add(opened, title));
    expect(opened.store.get(first.id)).toBeUndefined();
    expect(existsSync(opened.blobs.pathOf(result!.image.sha256))).toBe(false);
    expect(existsSync(opened.blobs.pathOf(first.source.files[0]!.sha256))).toBe(false);
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['c', 'b', 'waiting']);
    expect(opened.store.get(waiting.id)).toBeDefined();
  });

  it('deletes the oldest frame beyond the limit of bytes, but never the newest', async () => {
    const opened = openTestStore({ maxBytes: 1000 });
    await finish(opened, await add(opened, 'a'), 400);
    await finish(opened, await add(opened, 'b'), 300);
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['b', 'a']);
    await finish(opened, await add(opened, 'c'), 300);
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['c', 'b']);
    await finish(opened, await add(opened, 'large'), 5000);
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['large']);
    expect(opened.blobs.totalBytes).toBe(5000 + 'model large'.length + '{"passes":[]}'.length);
  });

  it('counts stored bytes across a restart and deletions', async () => {
    const first = openTestStore();
    for (const title of ['a', 'b', 'c']) await finish(first, await add(first, title));
    closeTestStore(first);
    const opened = openTestStore({ maxFrames: 3 }, first.path);
    const [newest] = opened.store.list({ limit: 1 }).frames;
    opened.store.delete(newest!.id);
    opened.store.delete(newest!.id);
    await finish(opened, await add(opened, 'd'));
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['d', 'b', 'a']);
    await finish(opened, await add(opened, 'e'));
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['e', 'd', 'b']);
  });

  it('deletes expired frames', async () => {
    const opened = openTestStore({ maxAgeMs: 1000 });
    const old = await add(opened, 'old');
    await finish(opened, old);
    await finish(opened, await add(opened, 'young'));
    const longAgoMs = Date.now() - 2000;
    opened.database.run('UPDATE frames SET finished_ms = ? WHERE id = ?', longAgoMs, old.id);
    opened.store.deleteOld();
    expect(titles(opened.store.list({ limit: 10 }).frames)).toEqual(['young']);
  });

  it('lists by status, policy, time and part of the title, a page at a time', async () => {
    const opened = openTestStore();
    const { store } = opened;
    for (const title of ['cube.glb', 'Fox.glb', 'foxes']) {
      await finish(opened, await add(opened, title, { policy: 'static' }));
    }
    const running = await add(opened, 'fox running');
    store.update(running, { status: 'running' });
    await add(opened, 'fox queued');

    const first = store.list({ limit: 2, search: 'fox' });
    expect(titles(first.frames)).toEqual(['fox queued', 'fox running']);
    const second = store.list({ limit: 2, search: 'fox', beforeNumber: first.nextBefore! });
    expect(titles(second.frames)).toEqual(['foxes', 'Fox.glb']);
    expect(second.nextBefore).toBeNull();
    expect(titles(store.list({ limit: 9, status: 'running' }).frames)).toEqual(['fox running']);
    expect(titles(store.list({ limit: 9, status: 'queued' }).frames)).toEqual(['fox queued']);
    expect([...store.list({ limit: 9, status: 'done' }).frames]).toHaveLength(3);
    expect([...store.list({ limit: 9, policy: 'dynamic' }).frames]).toHaveLength(2);
    expect([...store.list({ limit: 9, fromMs: Date.now() + 1000 }).frames]).toEqual([]);
  });

  it('publishes status and phase when they change, not each bin', async () => {
    const opened = openTestStore();
    const phases: unknown[] = [];
    opened.events.subscribe(({ body }) => phases.push((body as FrameSummary).phase));
    const record = await add(opened, 'a');
    opened.store.update(record, { status: 'running' });
    opened.store.update(record, { phase: 'bins', binCount: 4, binsDone: 0 });
    opened.store.update(record, { phase: 'bins', binCount: 4, binsDone: 1 });
    await finish(opened, record);
    expect(phases).toEqual(['waiting', 'waiting', 'bins', 'over']);
    expect(opened.store.get(record.id)).toMatchObject({ binsDone: 1, binCount: 4 });
  });

  it('keeps its frames at a start with a clock that is a month ahead', async () => {
    const maxAgeMs = 30 * 24 * 3_600_000;
    const before = openTestStore({ maxAgeMs });
    const frames = [];
    for (const title of ['a', 'b', 'c']) frames.push(await add(before, title));
    for (const frame of frames) await finish(before, frame);
    new RetentionClock({
      database: before.database,
      log: pino({ level: 'silent' }),
      readSystemMs: Date.now,
      readUptimeMs: () => performance.now(),
    }).readMs();
    closeTestStore(before);

    const opened = openTestStore({ maxAgeMs }, before.path);
    const store = new FrameStore({
      ...opened,
      retention: { maxFrames: 100, maxBytes: 2 ** 30, maxAgeMs },
      clock: new RetentionClock({
        database: opened.database,
        log: pino({ level: 'silent' }),
        readSystemMs: () => Date.now() + maxAgeMs + 86_400_000,
        readUptimeMs: () => performance.now(),
      }),
    });
    store.deleteOld();
    expect(titles(store.list({ limit: 10 }).frames)).toEqual(['c', 'b', 'a']);
  });
});
