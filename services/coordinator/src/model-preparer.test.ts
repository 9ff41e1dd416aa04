import { DEFAULT_FRAME_LIMITS } from '@tessera/frame';
import { TraceWriter } from '@tessera/gl/trace-writer';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrameOptions } from './frame-options.ts';
import { ModelPreparer } from './model-preparer.ts';
import type { BlobStore } from './store/blob-store.ts';
import {
  openTestStore,
  putSource,
  removeTestStores,
} from './test-support/temporary-data-folder.ts';

const OPTIONS: FrameOptions = {
  widthPx: 256,
  heightPx: 128,
  policy: 'dynamic',
  binCount: 8,
  visibilityShader: 'minimal',
  timing: 'functional',
  spec: null,
  chipletCount: null,
  cameraIndex: null,
  timeSeconds: 0,
};
const never = new AbortController().signal;

/** A capture of one frame that clears its window, then a part of it: the second clear is a draw. */
function makePartialClearCapture(): Uint8Array {
  const window = { x: 0, y: 0, width: 64, height: 48 };
  return new TraceWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', window)
    .call('glClear', { mask: 0x4000 })
    .call('glEnable', { cap: 0x0c11 })
    .call('glScissor', { ...window, width: 20 })
    .call('glClearColor', { red: 1, green: 0.5, blue: 0, alpha: 1 })
    .call('glClear', { mask: 0x4000 })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish();
}

describe('ModelPreparer', () => {
  const started: ModelPreparer[] = [];
  let blobs: BlobStore;

  beforeEach(() => {
    blobs = openTestStore().blobs;
  });

  function makePreparer(withinMs: number): ModelPreparer {
    const preparer = new ModelPreparer({
      withinMs,
      heapMb: 512,
      limits: {
        maxCaptureBytes: 1e6,
        maxCaptureObjectBytes: 1e6,
        maxCaptureCalls: 1000,
        maxResourceBytes: 2 ** 28,
        maxPixels: 1e6,
        frame: DEFAULT_FRAME_LIMITS,
      },
      pathOf: (sha256) => blobs.pathOf(sha256),
      filesFolder: blobs.folder,
    });
    started.push(preparer);
    return preparer;
  }

  afterEach(async () => {
    await Promise.all(started.splice(0).map((preparer) => preparer.close()));
    removeTestStores();
  });

  it('prepares one model after the other, and goes on after a bad one', async () => {
    const preparer = makePreparer(60_000);
    const bytes = await makeModelGlb();
    const source = await putSource(blobs, bytes);
    const bad = await putSource(blobs, bytes.slice(0, 30));
    const [first, refused, second] = await Promise.allSettled([
      preparer.prepare(source, OPTIONS, never),
      preparer.prepare(bad, OPTIONS, never),
      preparer.prepare(source, { ...OPTIONS, binCount: 2 }, never),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'MODEL_INVALID' } });
    if (first.status !== 'fulfilled' || second.status !== 'fulfilled') throw new Error('refused');
    expect(first.value.frame.commands.grid).toMatchObject({ columns: 4, rows: 2, fineBinPx: 64 });
    expect(second.value.frame.commands.grid).toMatchObject({ columns: 2, rows: 1 });
    expect(first.value.frame.programs).toEqual(second.value.frame.programs);
  });

  it('prepares a capture with a partial clear again and again in one thread', async () => {
    const preparer = makePreparer(60_000);
    const source = await putSource(blobs, makePartialClearCapture(), 'capture');
    const first = await preparer.prepare(source, OPTIONS, never);
    expect(first.frame.buffers.map(({ bytes }) => bytes.length)).toEqual([32]);
    for (let repeat = 0; repeat < 2; repeat++) {
      const again = await preparer.prepare(source, OPTIONS, never);
      expect(again.frame).toEqual(first.frame);
    }
  });

  it('gives up a model that takes too long', async () => {
    const source = await putSource(blobs, await makeModelGlb());
    await expect(makePreparer(1).prepare(source, OPTIONS, never)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });

  it('gives up a model that is cancelled, and takes the next in a new thread', async () => {
    const preparer = makePreparer(60_000);
    const source = await putSource(blobs, await makeModelGlb());
    const abort = new AbortController();
    const cancelled = preparer.prepare(source, OPTIONS, abort.signal);
    const next = preparer.prepare(source, OPTIONS, never);
    await Promise.resolve(); // the first has begun
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    expect((await next).warnings).toEqual([]);
  });
});
