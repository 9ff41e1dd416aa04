import type { Report } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { type FrameRecord, FrameStore } from './frame-store.ts';

function makeRecord(id: string, pngBytes: number | null): FrameRecord {
  const result =
    pngBytes === null
      ? null
      : { png: Buffer.alloc(pngBytes), timeline: null, report: {} as unknown as Report };
  return {
    id,
    submittedAt: new Date(0),
    title: 't',
    status: result === null ? 'failed' : 'done',
    phase: 'over',
    binsDone: 0,
    binCount: 0,
    warnings: [],
    result,
    error: null,
  };
}

function addFinished(store: FrameStore, record: FrameRecord): void {
  store.add(record);
  store.finish(record);
}

describe('FrameStore', () => {
  it('forgets the oldest finished frame beyond the number that is kept', () => {
    const store = new FrameStore(2, 1_000_000);
    store.add(makeRecord('running', 1));
    for (const id of ['a', 'b', 'c']) addFinished(store, makeRecord(id, 1));
    expect(store.get('a')).toBeUndefined();
    expect(store.latest(10).map(({ id }) => id)).toEqual(['c', 'b', 'running']);
  });

  it('forgets the oldest beyond the bytes that are kept, but never the newest', () => {
    const store = new FrameStore(100, 1000);
    addFinished(store, makeRecord('a', 600));
    addFinished(store, makeRecord('failed', null));
    addFinished(store, makeRecord('b', 390)); // reports count 2 bytes each
    expect(store.get('a')).toBeDefined();
    addFinished(store, makeRecord('c', 100));
    expect(store.get('a')).toBeUndefined();
    expect(store.get('b')).toBeDefined();
    addFinished(store, makeRecord('large', 5000));
    expect(store.latest(10).map(({ id }) => id)).toEqual(['large']);
  });

  it('counts bytes of a forgotten frame no more', () => {
    const store = new FrameStore(100, 1000);
    addFinished(store, makeRecord('a', 900));
    store.forget('a');
    addFinished(store, makeRecord('b', 500));
    addFinished(store, makeRecord('c', 400));
    expect(store.latest(10).map(({ id }) => id)).toEqual(['c', 'b']);
  });
});
