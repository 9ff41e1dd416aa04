import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import type { FrameOptions } from '../../prepare/frame-options.ts';
import { openTestStore, putSource, removeTestStores } from '../../testing/temporary-data-folder.ts';
import { FrameProbing, type FrameProbingOptions } from './frame-probing.ts';

afterEach(removeTestStores);

it('answers NOT_FOUND for a frame that is deleted before its probe begins', async () => {
  const { store, blobs, database } = openTestStore();
  const source = await putSource(blobs, Buffer.from('model'));
  const admission = { name: 'frame', model: 'frame', source, idempotency: null };
  const { id } = store.add(admission, { policy: 'static' } as FrameOptions, []);
  const record = store.get(id)!;
  // A frame with a result, whose row is deleted while the probe opens its file.
  const found = { ...record, result: {} };
  const options = {
    store: { get: () => found, reports: store.reports },
    blobs,
    access: { clients: [] },
    quotas: { refuseSeconds: () => {} },
    probes: { run: async () => Promise.reject(new Error('a probe without a report')) },
    preparer: {
      requestOf: () => {
        database.run('DELETE FROM frames WHERE id = ?', id);
        return {};
      },
    },
    isVisibilityChipletRendering: true,
  } as unknown as FrameProbingOptions;
  const request = { method: 'GET', headers: {}, ip: '127.0.0.1', params: { id } };
  const reply = { header: () => reply, raw: { once: () => {} } };
  const sent = new FrameProbing(options).send(
    request as unknown as Parameters<FrameProbing['send']>[0] & FastifyRequest,
    reply as unknown as FastifyReply,
    { kind: 'draws' },
    'application/json',
  );
  await expect(sent).rejects.toThrow(`frame ${id} was deleted`);
});
