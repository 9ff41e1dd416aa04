import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { FrameQueue } from '../frames/frame-queue.ts';
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
