import type { ErrorCode, Report } from '@tessera/frame';
import { afterEach, describe, expect, it } from 'vitest';
import type { SourceRenderer, SourceRequest } from '../frames/source-renderer.ts';
import { FUNCTIONAL_OPTIONS } from '../testing/functional-options.ts';
import { openTestStore, putSource, removeTestStores } from '../testing/temporary-data-folder.ts';
import { renderUnitFrame } from './unit-frame.ts';

afterEach(removeTestStores);

const REPORT = { image: { sha256: 'i' }, frame: { sha256: 'f' } } as unknown as Report;

type End = 'done' | 'deleted' | ErrorCode;

/** Renders a unit whose frames end in these ways, one after the other. */
async function renderUnit(ends: readonly End[], signal = new AbortController().signal) {
  const { store, blobs } = openTestStore();
  const source = await putSource(blobs, Buffer.from('a model'));
  const request: SourceRequest = {
    ...{
      source,
      options: FUNCTIONAL_OPTIONS,
      name: 'unit',
      tags: [],
      model: 'unit',
      key: 'unit 0',
    },
  };
  let attempts = 0;
  const render = async () => {
    const end = ends[attempts++]!;
    const idempotency = { key: request.key, fingerprint: request.key };
    const record = store.add({ ...request, idempotency }, FUNCTIONAL_OPTIONS, []);
    if (end === 'done') {
      const files = { png: Buffer.from('png'), targetPngs: [], timelineJson: null };
      const measurement = { passes: [] };
      const result = await store.keepResult({ ...files, report: REPORT, measurement });
      store.finish(record, { status: 'done', result, report: REPORT });
    } else if (end === 'deleted' || end === 'FRAME_CANCELLED') {
      store.cancel(record);
      if (end === 'deleted') store.delete(record.id);
    } else {
      store.finish(record, { status: 'failed', error: { code: end, message: 'no model' } });
    }
    return record;
  };
  const renderer = { render } as unknown as SourceRenderer;
  const frame = await renderUnitFrame({ renderer, store }, request, signal).catch(
    ({ code, name }) => code ?? name,
  );
  return { frame, attempts };
}

describe('renderUnitFrame', () => {
  it('renders a frame again that another claim of its unit cancelled or deleted', async () => {
    const { frame, attempts } = await renderUnit(['FRAME_CANCELLED', 'deleted', 'done']);
    expect(frame).toMatchObject({ report: JSON.stringify(REPORT) });
    expect(attempts).toBe(3);
  });

  it('fails with the error of the frame', async () => {
    expect(await renderUnit(['MODEL_INVALID'])).toEqual({ frame: 'MODEL_INVALID', attempts: 1 });
  });

  it('stops if its own claim is lost, and after many cancellations', async () => {
    const lost = AbortSignal.abort();
    expect(await renderUnit(['FRAME_CANCELLED'], lost)).toEqual({
      frame: lost.reason.code,
      attempts: 1,
    });
    const many = new Array<End>(9).fill('FRAME_CANCELLED');
    expect(await renderUnit(many)).toEqual({ frame: 'FRAME_CANCELLED', attempts: 8 });
  });
});
