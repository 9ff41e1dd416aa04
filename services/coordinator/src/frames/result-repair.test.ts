import { rmSync } from 'node:fs';
import { type PreparedFrame, RenderError, type Report } from '@tessera/frame';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrameOptions } from '../prepare/frame-options.ts';
import {
  openTestStore,
  putSource,
  removeTestStores,
  type TestStore,
} from '../testing/temporary-data-folder.ts';
import type { FrameRecord, RenderedResult } from './frame-record.ts';
import { ResultRepair } from './result-repair.ts';

const log = pino({ level: 'silent' });
const MODEL = { frame: {} as PreparedFrame, warnings: [], resources: [], prepareMs: 0 };
const REPORT = { image: { sha256: 'i' }, frame: { sha256: 'f' } } as unknown as Report;

describe('ResultRepair', () => {
  let opened: TestStore;
  let frame: FrameRecord;
  /** Bytes that rendering produces. */
  let png: Buffer;
  let rendered: number;
  let prepare: () => Promise<typeof MODEL>;

  beforeEach(async () => {
    opened = openTestStore();
    const { store, blobs } = opened;
    png = Buffer.from('the image');
    rendered = 0;
    prepare = async () => MODEL;
    const source = await putSource(blobs, Buffer.from('model'));
    frame = store.add(
      { name: 'frame', model: 'frame', source, idempotency: null },
      { policy: 'dynamic' } as FrameOptions,
      [],
    );
    blobs.release(source.files);
    store.finish(frame, await render());
    const repair = new ResultRepair({
      store,
      blobs,
      queue: { prepare: () => prepare(), rerender: render },
      log,
      stopping: new AbortController().signal,
    });
    blobs.repairWith((sha256) => repair.repair(sha256));
  });
  afterEach(removeTestStores);

  async function render() {
    rendered++;
    const outcome = {
      png,
      targetPngs: [],
      report: REPORT,
      timelineJson: null,
      measurement: {},
    } as unknown as RenderedResult; // The measurement is not read.
    const result = await opened.store.keepResult(outcome);
    return { status: 'done' as const, result, report: REPORT };
  }

  function loseImage(): string {
    const { sha256 } = opened.store.get(frame.id)!.result!.image;
    rmSync(opened.blobs.pathOf(sha256));
    return sha256;
  }

  it('renders a frame once for all readers of a lost file', async () => {
    const sha256 = loseImage();
    const read = await Promise.all([1, 2, 3].map(() => opened.blobs.read(sha256)));
    expect(read.map(String)).toEqual(['the image', 'the image', 'the image']);
    expect(rendered).toBe(2);
  });

  it('does not replace the lost result by a different one, and keeps no file of it', async () => {
    const sha256 = loseImage();
    const before = opened.blobs.totalBytes;
    png = Buffer.from('what a later version renders');
    await expect(opened.blobs.read(sha256)).rejects.toMatchObject({
      code: 'RESULT_DAMAGED',
      message: expect.stringContaining('a different result'),
    });
    expect(opened.blobs.totalBytes).toBe(before);
  });

  it('reports why a file cannot be repaired, and does not retry at once', async () => {
    const sha256 = loseImage();
    let prepared = 0;
    prepare = async () => {
      prepared++;
      throw new RenderError('SOURCE_DAMAGED', 'the model is damaged');
    };
    for (let i = 0; i < 3; i++) {
      await expect(opened.blobs.read(sha256)).rejects.toMatchObject({ code: 'SOURCE_DAMAGED' });
    }
    expect(prepared).toBe(1);
  });

  it('repairs no file that is not a result', async () => {
    const [file] = frame.source.files;
    rmSync(opened.blobs.pathOf(file!.sha256));
    await expect(opened.blobs.read(file!.sha256)).rejects.toMatchObject({
      code: 'RESULT_DAMAGED',
      message: expect.stringContaining('not a result'),
    });
  });
});
