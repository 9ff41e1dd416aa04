import { DEFAULT_FRAME_LIMITS } from '@tessera/frame';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { connectInMemory } from '@tessera/wire';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientQuotas } from '../../services/coordinator/src/admission/client-quotas.ts';
import { ChipletRegistry } from '../../services/coordinator/src/chiplets/chiplet-registry.ts';
import { readConfig } from '../../services/coordinator/src/config/config.ts';
import { FrameQueue } from '../../services/coordinator/src/frames/frame-queue.ts';
import type { Admission } from '../../services/coordinator/src/frames/frame-record.ts';
import { Metrics } from '../../services/coordinator/src/observe/metrics.ts';
import {
  ModelPreparer,
  type PreparedModel,
} from '../../services/coordinator/src/prepare/model-preparer.ts';
import { FUNCTIONAL_OPTIONS } from '../../services/coordinator/src/testing/functional-options.ts';
import {
  openTestStore,
  putSource,
  removeTestStores,
  type TestStore,
} from '../../services/coordinator/src/testing/temporary-data-folder.ts';

const OPTIONS = { ...FUNCTIONAL_OPTIONS, modelOptions: { quality: 'simple' } } as const;

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
  let opened: TestStore;
  let admission: Admission;

  beforeEach(async () => {
    opened = openTestStore();
    const { store, events, blobs } = opened;
    registry = new ChipletRegistry({
      log,
      events,
      answerWithinMs: 10_000,
      onLost: (work) => queue.noteLoss(work),
      heartbeatMs: 60_000,
      silentMs: 600_000,
      setAsideMs: 600_000,
      quarantineMs: 600_000,
      isVisibilityChipletRendering: true,
    });
    preparer = new ModelPreparer({
      withinMs: 60_000,
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
    const metrics = new Metrics(() => []);
    const machineRooms = {
      prepare: () => {
        throw new Error('these frames have no records');
      },
      simulate: () => Promise.reject(new Error('these frames have no records')),
    };
    queue = new FrameQueue({
      quotas: new ClientQuotas(opened.database, []),
      ...{ config, log, store, registry, preparer, metrics, events, machineRooms },
    });
    const source = await putSource(blobs, await makeModelGlb());
    admission = { name: 'test', model: 'test', source, idempotency: null };
    model = await queue.prepare(source, OPTIONS, new AbortController().signal);
  });

  afterEach(async () => {
    await queue.stop(0);
    await preparer.close();
    removeTestStores();
  });

  let fleetingCount = 0;

  /**
   * Connects a visibility chiplet that disconnects whenever it is given a frame, then reconnects.
   */
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
      protocolVersion: 5,
      role: 'visibility',
      crosslinkUrl: 'ws://nowhere',
      instance: `fleeting ${fleetingCount++}`,
    });
    far.send({ type: 'ready', isReady: true });
  }

  it('restarts a frame when chiplets are lost, but not when three are lost at the same work', async () => {
    let framesGiven = 0;
    joinFleetingChiplet(() => framesGiven++);
    const record = queue.submit(model, OPTIONS, admission);
    await queue.waitFor(record.id, 20_000);
    expect(record).toMatchObject({ status: 'failed', error: { code: 'FRAME_KILLS_CHIPLETS' } });
    expect(record.error?.message).toBe(
      'pass 0, visibility phase: 3 chiplets were lost while they rendered it',
    );
    expect(framesGiven).toBe(3);
  });

  it('counts places reserved for bodies being received', () => {
    const release = queue.reserve('a');
    queue.reserve('a');
    expect(() => queue.reserve('a')).toThrow(expect.objectContaining({ code: 'QUEUE_FULL' }));
    release();
    release(); // Only the first call has an effect.
    queue.reserve('a');
    expect(() => queue.reserve('a')).toThrow('at most 2');
  });

  it('leaves waiting and running frames to the next process when it stops, and accepts no more', async () => {
    // No chiplet connects.
    const records = [1, 2, 3].map(() => queue.submit(model, OPTIONS, admission));
    await queue.stop(0);
    expect(records.map(({ status }) => status)).toEqual(['running', 'queued', 'queued']);
    const left = opened.store.takeUnfinished().map(({ record }) => record.id);
    expect(left).toEqual(records.map(({ id }) => id));
    expect(() => queue.reserve('a')).toThrow(expect.objectContaining({ code: 'SHUTTING_DOWN' }));
    expect(() => queue.submit(model, OPTIONS, admission)).toThrow('stopping');
  });

  it('cancels frames that wait or are in progress', async () => {
    const [running, waiting] = [1, 2].map(() => queue.submit(model, OPTIONS, admission));
    expect(queue.load).toEqual({ waiting: 1, running: 1 });
    for (const record of [waiting!, running!]) {
      expect(queue.cancel(record.id)).toBe(true);
      await queue.waitFor(record.id, 10_000);
      expect(record).toMatchObject({ status: 'cancelled', error: { code: 'FRAME_CANCELLED' } });
    }
    expect(queue.cancel(running!.id)).toBe(false);
    expect(opened.store.takeUnfinished()).toEqual([]);
  });

  it('resumes a suspect alone, after the waiting frames and before later ones', async () => {
    const [running, waiting] = [1, 2].map(() => queue.submit(model, OPTIONS, admission));
    const suspect = opened.store.add(admission, OPTIONS, []);
    const begun: string[] = [];
    const ended = queue.resumeAlone(suspect, async () => {
      begun.push('suspect');
      expect(queue.load.running).toBe(0);
      return model;
    });
    for (const record of [running!, waiting!]) {
      expect(begun).toEqual([]);
      queue.cancel(record.id);
      await queue.waitFor(record.id, 10_000);
    }
    await expect.poll(() => suspect.status).toBe('running');
    const later = queue.submit(model, OPTIONS, admission);
    expect(queue.load).toEqual({ waiting: 1, running: 1 });
    expect(later.status).toBe('queued');
    queue.cancel(suspect.id);
    await ended;
    await expect.poll(() => later.status).toBe('running');
  });

  it('waits for a frame of an earlier process that is not in the queue yet', async () => {
    const record = opened.store.add(admission, OPTIONS, []);
    let isOver = false;
    const waited = queue.waitFor(record.id, 60_000).then(() => {
      isOver = true;
    });
    await queue.waitFor(record.id, 20);
    expect(isOver).toBe(false);
    const error = { code: 'FRAME_CANCELLED', message: 'cancelled' } as const;
    opened.store.finish(record, { status: 'cancelled', error });
    await waited;
    expect(isOver).toBe(true);
  });

  it('accepts no frame that would exceed the bytes of waiting frames', () => {
    const [buffer] = model.frame.buffers;
    const bytes = { ...buffer!, bytes: new Uint8Array(config.TESSERA_QUEUE_BYTES / 2 + 1) };
    const large = { ...model, frame: { ...model.frame, buffers: [bytes] } };
    queue.submit(large, OPTIONS, admission);
    queue.submit(large, OPTIONS, admission);
    expect(() => queue.submit(large, OPTIONS, admission)).toThrow(/of 1048576 bytes/);
    queue.submit(model, OPTIONS, admission);
  });

  it('lets clients take turns, however many frames of one wait', async () => {
    const submit = (client: string) => queue.submit(model, OPTIONS, { ...admission, client });
    submit('a'); // It waits for chiplets, and the other frames wait for it.
    const waiting = ['a', 'a', 'a', 'b', 'c', 'b'].map((client) => ({
      client,
      record: submit(client),
    }));
    const order: string[] = [];
    const findRunning = () => [...opened.store.list({ status: 'running', limit: 10 }).frames][0];
    for (let turn = 0; turn < 7; turn++) {
      await expect.poll(findRunning).toBeDefined();
      const { id } = findRunning()!;
      order.push(waiting.find(({ record }) => record.id === id)?.client ?? 'a');
      queue.cancel(id);
      await queue.waitFor(id, 10_000);
    }
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('reserves bytes of the queue for clients without waiting frames', () => {
    const [buffer] = model.frame.buffers;
    const bytes = { ...buffer!, bytes: new Uint8Array(config.TESSERA_QUEUE_BYTES * 0.4) };
    const large = { ...model, frame: { ...model.frame, buffers: [bytes] } };
    queue.submit(large, OPTIONS, { ...admission, client: 'a' });
    queue.submit(large, OPTIONS, { ...admission, client: 'a' });
    expect(() => queue.submit(large, OPTIONS, { ...admission, client: 'a' })).toThrow(
      /of this client.*786432/,
    );
    queue.submit(large, OPTIONS, { ...admission, client: 'b' });
  });
});
