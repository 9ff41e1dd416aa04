import { RenderError } from '@tessera/frame';
import { afterEach, expect, it } from 'vitest';
import type { FrameOptions } from '../prepare/frame-options.ts';
import { openTestStore, putSource, removeTestStores } from '../testing/temporary-data-folder.ts';
import type { FrameQueue } from './frame-queue.ts';
import type { Admission } from './frame-record.ts';
import { SourceRenderer } from './source-renderer.ts';

afterEach(removeTestStores);

it('queues a source once that is requested again while it is prepared', async () => {
  const { store, blobs } = openTestStore();
  const source = await putSource(blobs, Buffer.from('model'));
  const options = { policy: 'static' } as FrameOptions;
  const prepared = Promise.withResolvers<unknown>();
  const queue = {
    reserve: () => () => {},
    prepare: () => prepared.promise,
    submit: (_model: unknown, _options: unknown, admission: Admission) =>
      store.add(admission, options, []),
    waitFor: async (id: string) => {
      const error = { code: 'FRAME_CANCELLED', message: 'cancelled' } as const;
      if (store.isLive(id)) store.finish(store.get(id)!, { status: 'cancelled', error });
    },
  } as unknown as FrameQueue;
  const leaving = new AbortController().signal;
  const renderer = new SourceRenderer({ store, queue, client: 'cell', leaving });
  const request = { source, options, key: 'unit', name: 'frame', tags: [], model: 'frame' };
  const both = [1, 2].map(() => renderer.render(request, leaving));
  prepared.resolve({});
  const [first, second] = await Promise.all(both);
  expect(first!.id).toBe(second!.id);
});

it('lets a frame continue that cannot be cancelled because the disk is full', async () => {
  const { store, blobs } = openTestStore();
  const source = await putSource(blobs, Buffer.from('model'));
  const submitted = Promise.withResolvers<void>();
  const cancelled: string[] = [];
  const queue = {
    reserve: () => () => {},
    prepare: async () => ({}),
    submit: (_model: unknown, options: FrameOptions, admission: Admission) => {
      submitted.resolve();
      return store.add(admission, options, []);
    },
    waitFor: async () => {},
    cancel: (id: string) => {
      cancelled.push(id);
      throw new RenderError('STORAGE_FULL', 'no space');
    },
  } as unknown as FrameQueue;
  const leaving = new AbortController().signal;
  const renderer = new SourceRenderer({ store, queue, client: 'study', leaving });
  const options = { policy: 'static' } as FrameOptions;
  const abort = new AbortController();
  const request = { source, options, key: 'point', name: 'frame', tags: [], model: 'frame' };
  const rendered = renderer.render(request, abort.signal);
  await submitted.promise;
  await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  await expect(rendered).rejects.toThrow('aborted');
  expect(cancelled).toHaveLength(1);
});
