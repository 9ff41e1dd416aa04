import { execFileSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { DEFAULT_FRAME_LIMITS } from '@tessera/frame';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FrameSource } from '../../services/coordinator/src/prepare/frame-source.ts';
import {
  MAX_QUICK_BYTES,
  ModelPreparer,
} from '../../services/coordinator/src/prepare/model-preparer.ts';
import type { BlobStore } from '../../services/coordinator/src/store/blob-store.ts';
import { FUNCTIONAL_OPTIONS } from '../../services/coordinator/src/testing/functional-options.ts';
import { nativeTriangle } from '../../services/coordinator/src/testing/native-triangle.ts';
import {
  openTestStore,
  putSource,
  removeTestStores,
} from '../../services/coordinator/src/testing/temporary-data-folder.ts';

const OPTIONS = { ...FUNCTIONAL_OPTIONS, widthPx: 256, binCount: 8 };
const never = new AbortController().signal;
const PLAIN = 'void main() { gl_FragColor = vec4(1.0); }';

/**
 * Capture of one frame that clears its window and then a part of it; the second clear is a draw.
 */
function makePartialClearCapture(): Uint8Array {
  const window = { x: 0, y: 0, width: 64, height: 48 };
  return new CaptureWriter()
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

  function makePreparer(withinMs: number, quickMs?: number): ModelPreparer {
    const preparer = new ModelPreparer({
      withinMs,
      ...(quickMs === undefined ? {} : { quickMs }),
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

  it('prepares one model after the other, and continues after an invalid one', async () => {
    const preparer = makePreparer(60_000);
    const bytes = await makeModelGlb();
    const source = await putSource(blobs, bytes);
    const bad = await putSource(blobs, bytes.slice(0, 30));
    const [first, refused, second] = await Promise.allSettled([
      preparer.prepare(source, OPTIONS, never, 'a'),
      preparer.prepare(bad, OPTIONS, never, 'a'),
      preparer.prepare(source, { ...OPTIONS, binCount: 2 }, never, 'a'),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'MODEL_INVALID' } });
    if (first.status !== 'fulfilled' || second.status !== 'fulfilled') throw new Error('refused');
    expect(first.value.frame.commands.grid).toMatchObject({ columns: 4, rows: 2, fineBinPx: 64 });
    expect(second.value.frame.commands.grid).toMatchObject({ columns: 2, rows: 1 });
    expect(first.value.frame.programs).toEqual(second.value.frame.programs);
  });

  it('leaves no listener on the signal of a model that is prepared or refused', async () => {
    const preparer = makePreparer(60_000);
    const bytes = await makeModelGlb();
    const { signal } = new AbortController();
    await preparer.prepare(await putSource(blobs, bytes), OPTIONS, signal, 'a');
    const bad = await putSource(blobs, bytes.slice(0, 30));
    await expect(preparer.prepare(bad, OPTIONS, signal, 'a')).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('prepares a capture with a partial clear again and again in one thread', async () => {
    const preparer = makePreparer(60_000);
    const source = await putSource(blobs, makePartialClearCapture(), 'capture');
    const first = await preparer.prepare(source, OPTIONS, never, 'a');
    expect(first.frame.buffers.map(({ bytes }) => bytes.length)).toEqual([32]);
    for (let repeat = 0; repeat < 2; repeat++) {
      const again = await preparer.prepare(source, OPTIONS, never, 'a');
      expect(again.frame).toEqual(first.frame);
    }
  });

  it('aborts a model that takes too long', async () => {
    const source = await putSource(blobs, await makeModelGlb());
    await expect(makePreparer(1).prepare(source, OPTIONS, never, 'a')).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });

  it('aborts a cancelled model, and prepares the next one in a new thread', async () => {
    const preparer = makePreparer(60_000);
    const source = await putSource(blobs, await makeModelGlb());
    const abort = new AbortController();
    const cancelled = preparer.prepare(source, OPTIONS, abort.signal, 'a');
    const next = preparer.prepare(source, OPTIONS, never, 'a');
    await Promise.resolve(); // The first one has started.
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    expect((await next).warnings).toEqual([]);
  });

  /**
   * Prepares models of clients. Returns them in the order in which they finished, by client and
   * number.
   */
  async function finishOrder(
    preparer: ModelPreparer,
    jobs: readonly (readonly [name: string, body: Buffer])[],
  ): Promise<string[]> {
    const order: string[] = [];
    const sources = await Promise.all(jobs.map(([, body]) => putSource(blobs, body, 'frame-json')));
    await Promise.all(
      jobs.map(async ([name], index) => {
        await preparer.prepare(sources[index]!, OPTIONS, never, name[0]!);
        order.push(name);
      }),
    );
    return order;
  }

  /** Body that is too large to count as quick. White space makes each one a different file. */
  const padded = (body: Buffer, bytes: number) => Buffer.concat([body, Buffer.alloc(bytes, ' ')]);
  const large = (number: number) => padded(nativeTriangle(16, PLAIN), MAX_QUICK_BYTES + number);

  it('lets clients take turns, however many models of one wait', async () => {
    const order = await finishOrder(makePreparer(60_000), [
      ...[1, 2, 3, 4, 5, 6].map((number) => [`a${number}`, large(number)] as const),
      ['b1', large(7)],
      ['b2', large(8)],
    ]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5', 'a6']);
  });

  /**
   * Stores a body whose reader waits until the returned function is called, which ends the file.
   */
  async function putStalled(body: Buffer) {
    const source = await putSource(blobs, body, 'frame-json');
    const pipe = blobs.pathOf(source.files[0]!.sha256);
    rmSync(pipe);
    execFileSync('mkfifo', [pipe]);
    return { source, end: () => writeFile(pipe, '') };
  }

  it('prepares quick models beside a long one, even of the same client', async () => {
    const preparer = makePreparer(60_000);
    const { source, end } = await putStalled(large(1));
    const long = preparer.prepare(source, OPTIONS, never, 'a').catch(() => 'ended');
    const waiting = finishOrder(preparer, [['a2', large(2)]]);
    const quick = [
      ['b1', nativeTriangle(16, PLAIN)],
      ['a3', nativeTriangle(17, PLAIN)],
    ] as const;
    expect((await finishOrder(preparer, quick)).sort()).toEqual(['a3', 'b1']);
    await end();
    expect(await long).toBe('ended');
    expect(await waiting).toEqual(['a2']);
  });

  it('starts threads as they are needed', async () => {
    const preparer = makePreparer(60_000);
    const bodies = [16, 17, 18].map((edgePx) => nativeTriangle(edgePx, PLAIN));
    await finishOrder(preparer, [['a1', bodies[0]!]]);
    expect(preparer.threadCount).toBe(1);
    await finishOrder(
      preparer,
      bodies.map((body, index) => [`a${index}`, body]),
    );
    expect(preparer.threadCount).toBe(2);
  });

  it('ends threads without a model on request', async () => {
    const preparer = makePreparer(60_000);
    const [first, second] = [16, 17].map((edgePx) => nativeTriangle(edgePx, PLAIN));
    await finishOrder(preparer, [['a1', first!]]);
    preparer.endIdle();
    expect(preparer.threadCount).toBe(0);
    const next = finishOrder(preparer, [['a2', second!]]);
    await expect.poll(() => preparer.threadCount).toBe(1);
    preparer.endIdle();
    expect(await next).toEqual(['a2']);
    expect(preparer.threadCount).toBe(1);
  });

  it('moves a small model that takes long out of the quick lane', async () => {
    const preparer = makePreparer(60_000, 1);
    const over: string[] = [];
    const prepare = async (name: string, source: FrameSource) => {
      await preparer.prepare(source, OPTIONS, never, name[0]!).catch(() => {});
      over.push(name);
    };
    const sourceOf = (body: Buffer) => putSource(blobs, body, 'frame-json');
    const endless = [await putStalled(nativeTriangle(16, PLAIN)), await putStalled(large(1))];
    const ofA = [
      prepare('a1', endless[0]!.source),
      prepare('a2', endless[1]!.source),
      // The client of a1 overstays, so this model does not count as quick.
      prepare('a3', await sourceOf(nativeTriangle(17, PLAIN))),
    ];
    await prepare('b1', await sourceOf(nativeTriangle(18, PLAIN)));
    expect(over).toEqual(['b1']);
    await Promise.all(endless.map(({ end }) => end()));
    await Promise.all(ofA);
    expect(over).toContain('a3');
  });
});
