import { makeModelGlb } from '@tessera/scenes/model-writer';
import { connectInMemory } from '@tessera/wire';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChipletRegistry } from './chiplet-registry.ts';
import { readConfig } from './config.ts';
import type { FrameOptions } from './frame-options.ts';
import { FrameQueue } from './frame-queue.ts';
import { FrameStore } from './frame-store.ts';
import { Metrics } from './metrics.ts';
import { ModelPreparer, type PreparedModel } from './model-preparer.ts';

const OPTIONS: FrameOptions = {
  widthPx: 128,
  heightPx: 128,
  policy: 'dynamic',
  binCount: 4,
  visibilityShader: 'minimal',
  timing: 'functional',
  maxChiplets: 8,
  cameraIndex: null,
  timeSeconds: 0,
};

const log = pino({ level: 'silent' });

describe('FrameQueue', () => {
  const config = readConfig({
    TESSERA_QUEUE_FRAMES: '2',
    TESSERA_QUEUE_BYTES: '1048576',
    TESSERA_FRAMES_IN_FLIGHT: '1',
    TESSERA_FRAME_ATTEMPTS: '3',
    TESSERA_CHIPLET_WAIT_MS: '10000',
  });
  let registry: ChipletRegistry;
  let preparer: ModelPreparer;
  let queue: FrameQueue;
  let model: PreparedModel;

  beforeEach(async () => {
    registry = new ChipletRegistry({
      log,
      answerWithinMs: 10_000,
      heartbeatMs: 60_000,
      isVisibilityChipletRendering: true,
    });
    preparer = new ModelPreparer({ withinMs: 60_000, heapMb: 512 });
    const store = new FrameStore(10, 1_000_000);
    const metrics = new Metrics(() => []);
    queue = new FrameQueue({ config, log, store, registry, preparer, metrics });
    const source = { kind: 'glb', bytes: await makeModelGlb() } as const;
    model = await queue.prepare(source, OPTIONS, new AbortController().signal);
  });

  afterEach(async () => {
    await queue.stop(0);
    await preparer.close();
  });

  /** A visibility chiplet that goes away whenever it is given a frame, and comes back. */
  function joinFleetingChiplet(onFrame: () => void): void {
    const [near, far] = connectInMemory('coordinator', 'chiplet');
    registry.accept(near);
    far.listen({
      onMessage: (message) => {
        if (message.type !== 'computeVisibility') return;
        onFrame();
        far.close('gone');
        joinFleetingChiplet(onFrame);
      },
      onClose: () => {},
    });
    far.send({
      type: 'hello',
      protocolVersion: 1,
      role: 'visibility',
      spec: { name: 'default', fineBinPx: 64, clockHz: 1e9, parameters: {} },
      crosslinkUrl: 'ws://nowhere',
      instance: 'fleeting',
    });
    far.send({ type: 'ready', isReady: true });
  }

  it('begins a frame again when chiplets are lost, but not for ever', async () => {
    let framesGiven = 0;
    joinFleetingChiplet(() => framesGiven++);
    const record = queue.submit(model, OPTIONS, 'test');
    await queue.waitFor(record.id, 20_000);
    expect(record).toMatchObject({ status: 'failed', error: { code: 'CHIPLET_LOST' } });
    expect(framesGiven).toBe(3);
  });

  it('counts places reserved for bodies on their way as taken', () => {
    const giveBack = queue.reserve();
    queue.reserve();
    expect(() => queue.reserve()).toThrow(expect.objectContaining({ code: 'QUEUE_FULL' }));
    giveBack();
    giveBack(); // once is enough
    queue.reserve();
    expect(() => queue.reserve()).toThrow('at most 2');
  });

  it('cancels what waits and what is worked at when it stops, and takes no more', async () => {
    const records = [1, 2, 3].map(() => queue.submit(model, OPTIONS, 'test')); // no chiplet comes
    await queue.stop(0);
    expect(records.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(() => queue.reserve()).toThrow(expect.objectContaining({ code: 'SHUTTING_DOWN' }));
    expect(() => queue.submit(model, OPTIONS, 'test')).toThrow('stopping');
  });

  it('takes no frame whose bytes are too many for those that wait', () => {
    const [buffer] = model.frame.buffers;
    const bytes = { ...buffer!, bytes: new Uint8Array(config.TESSERA_QUEUE_BYTES / 2 + 1) };
    const large = { ...model, frame: { ...model.frame, buffers: [bytes] } };
    queue.submit(large, OPTIONS, 'begun at once');
    queue.submit(large, OPTIONS, 'waits');
    expect(() => queue.submit(large, OPTIONS, 'too much')).toThrow(/bytes of 1048576/);
    queue.submit(model, OPTIONS, 'small');
  });
});
