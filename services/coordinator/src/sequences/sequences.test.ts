import { join } from 'node:path';
import { RenderError, type Report } from '@tessera/frame';
import { DEFAULT_INTERCONNECT } from '@tessera/multi-chiplet/rendering';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { FrameQueue } from '../frames/frame-queue.ts';
import type { RenderedResult } from '../frames/frame-record.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import { openTestStore, putSource, removeTestStores } from '../testing/temporary-data-folder.ts';
import { type SequenceSimulation, Sequences } from './sequences.ts';

afterEach(removeTestStores);

const OPTIONS = { policy: 'dynamic' } as FrameOptions;
const SIMULATION = { framesInFlight: 2 } as SequenceSimulation; // The sequence simulates nothing.
const CANCELLED = {
  status: 'cancelled',
  error: { code: 'FRAME_CANCELLED', message: 'cancelled' },
} as const;

describe('Sequences', () => {
  it('fail when one of their frames is deleted twice while they wait for another', async () => {
    const { store, blobs, path } = openTestStore();
    const source = await putSource(blobs, Buffer.from('model'));
    const add = () =>
      store.add({ name: 'frame', model: 'frame', source, idempotency: null }, OPTIONS, []);
    const [first, deleted] = [add(), add()];
    const firstIsOver = Promise.withResolvers<void>();
    let waits = 0;
    const queue = {
      waitFor: async (id: string) => {
        // A wait without a turn would block the event loop, and this test with it.
        if (++waits > 100) throw new Error('waits for a frame that is gone');
        if (id === first.id) await firstIsOver.promise;
      },
    } as unknown as FrameQueue;
    const sequences = new Sequences({
      log: pino({ level: 'silent' }),
      queue,
      store,
      blobs,
      simulations: {} as ComputePool, // The pool computes nothing.
      limits: { maxRunning: 1, maxSteps: 1, maxRecordBytes: 1e6, maxTimelineBytes: 1 },
      timelinesFolder: join(path, 'timelines'),
    });
    const sequence = await sequences.ofFrames(
      { name: 'two frames', tags: [] },
      [first.id, deleted.id],
      SIMULATION,
    );
    store.finish(deleted, CANCELLED);
    store.delete(deleted.id);
    store.finish(first, CANCELLED);
    store.delete(first.id);
    firstIsOver.resolve();
    await sequences.waitFor(sequence.id, 10_000);
    expect(sequence).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    expect(waits).toBe(1);
  });

  it('use a frame that is deleted while its measurement is verified', async () => {
    const { store, blobs, path } = openTestStore();
    const source = await putSource(blobs, Buffer.from('model'));
    const frame = store.add(
      { name: 'frame', model: 'frame', source, idempotency: null },
      OPTIONS,
      [],
    );
    const report = {
      image: { sha256: 'i' },
      frame: { sha256: 'f' },
      spec: { name: 'default' },
      wall: { retriedBins: 0 },
    } as unknown as Report;
    const files = { png: Buffer.from('png'), targetPngs: [], timelineJson: null, measurement: {} };
    const result = await store.keepResult({ ...files, report } as unknown as RenderedResult);
    store.finish(frame, { status: 'done', result, report });
    vi.spyOn(blobs, 'verify').mockImplementationOnce(async () => store.delete(frame.id));
    const compute = async () => {
      throw new RenderError('LIMIT_EXCEEDED', 'computed');
    };
    const sequences = new Sequences({
      log: pino({ level: 'silent' }),
      queue: { waitFor: async () => {} } as unknown as FrameQueue,
      store,
      blobs,
      simulations: { runAdmitted: compute } as unknown as ComputePool,
      limits: { maxRunning: 1, maxSteps: 1e6, maxRecordBytes: 1e6, maxTimelineBytes: 1 },
      timelinesFolder: join(path, 'timelines'),
    });
    const simulation = { ...SIMULATION, chipletCount: 2, interconnect: DEFAULT_INTERCONNECT };
    const sequence = await sequences.ofFrames(
      { name: 'one', tags: [] },
      [frame.id],
      simulation as SequenceSimulation,
    );
    await sequences.waitFor(sequence.id, 10_000);
    expect(store.get(frame.id)).toBeUndefined();
    expect(sequence.error).toEqual({ code: 'LIMIT_EXCEEDED', message: 'computed' });
  });

  it('are not listed before their first frame is admitted, because they may be refused', async () => {
    const { store, blobs, path } = openTestStore();
    const source = await putSource(blobs, Buffer.from('model'));
    const prepared = Promise.withResolvers<never>();
    const queue = { reserve: () => () => {}, prepare: () => prepared.promise };
    const sequences = new Sequences({
      log: pino({ level: 'silent' }),
      queue: queue as unknown as FrameQueue,
      store,
      blobs,
      simulations: {} as ComputePool, // The pool computes nothing.
      limits: { maxRunning: 1, maxSteps: 1, maxRecordBytes: 1e6, maxTimelineBytes: 1 },
      timelinesFolder: join(path, 'timelines'),
    });
    const step = { source, options: OPTIONS, name: 'frame', model: 'frame' };
    const posted = sequences.render({ name: 'one', tags: [] }, [step], SIMULATION, () => {});
    expect(sequences.list({ limit: 10 }).sequences).toEqual([]);
    prepared.reject(new Error('refused'));
    await expect(posted).rejects.toThrow('refused');
    expect(sequences.list({ limit: 10 }).sequences).toEqual([]);
  });
});
