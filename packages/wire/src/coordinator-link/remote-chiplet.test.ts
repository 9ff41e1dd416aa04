import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { connectInMemory } from '../connection/in-memory-connection.ts';
import { ResourceStore } from '../resources/resource-store.ts';
import { FakeChiplet } from '../testing/fake-chiplet.ts';
import { makeSampleFrame } from '../testing/sample-frame.ts';
import { ChipletServer } from './chiplet-server.ts';
import { type RejectedAnswer, RemoteChiplet } from './remote-chiplet.ts';

/** Returns a remote chiplet and the fake one behind it, with a timer that the test fires. */
function connectFake(storeBytes = 1_000_000) {
  const [near, far] = connectInMemory('coordinator', 'chiplet');
  const fake = new FakeChiplet(0);
  const bugs: unknown[] = [];
  const resources = new ResourceStore(storeBytes);
  const server = new ChipletServer({
    connection: far,
    chiplet: fake,
    resources,
    onBug: (bug) => bugs.push(bug),
  });
  far.listen({
    onMessage: (message) => server.receive(message),
    onClose: () => server.connectionClosed(),
  });
  let elapse: (() => void) | null = null;
  const rejected: [RejectedAnswer, string][] = [];
  const remote = new RemoteChiplet({
    id: 0,
    onRejected: (why, detail) => rejected.push([why, detail]),
    connection: near,
    answerWithinMs: 1000,
    startTimer: (onElapsed) => {
      elapse = onElapsed;
      return () => {
        elapse = null;
      };
    },
  });
  near.listen({
    onMessage: (message) => remote.receive(message),
    onClose: (reason) => remote.connectionClosed(reason),
  });
  return {
    near,
    far,
    fake,
    bugs,
    rejected,
    remote,
    resources,
    elapse: () => elapse?.(),
    hasTimer: () => elapse !== null,
  };
}

const BIN = { frameId: 'f', passIndex: 0, binId: 1 };

describe('RemoteChiplet', () => {
  it('returns the results of the chiplet behind the connection', async () => {
    const { remote, fake, hasTimer } = connectFake();
    const frame = makeSampleFrame();
    const summary = await remote.computeVisibility('f', frame, 0);
    expect(summary.counters).toEqual({ 'visibility.primitivesIn': 2 });
    expect(fake.broadcasts[0]!.frame).toEqual(frame);
    const bin = await remote.renderBin(BIN);
    expect(bin.colors[0]).toEqual(new Uint8Array(128 * 128 * 4).fill(2));
    expect(remote.binsDone).toBe(1);
    expect(hasTimer()).toBe(false);
  });

  it('answers bins in the order in which they were asked', async () => {
    const { remote } = connectFake();
    await remote.computeVisibility('f', makeSampleFrame(), 0);
    const order: number[] = [];
    await Promise.all(
      [1, 0, 1, 0].map(async (binId) => {
        order.push((await remote.renderBin({ ...BIN, binId })).binId);
      }),
    );
    expect(order).toEqual([1, 0, 1, 0]);
  });

  it('sends a resource once, and again when the receiver evicted it', async () => {
    const { remote, near, resources } = connectFake(10);
    let sentResources = 0;
    const sendEncoded = near.sendEncoded.bind(near);
    near.sendEncoded = (encoded) => {
      if (Buffer.concat(encoded.chunks).includes('resource')) sentResources++;
      sendEncoded(encoded);
    };
    await remote.computeVisibility('f', makeSampleFrame(), 0);
    // The store holds 10 bytes, so everything was evicted before the commands came and is sent
    // again.
    expect(sentResources).toBe(6);
    expect(resources.held()).toEqual([]);

    const roomy = connectFake();
    let roomySent = 0;
    const roomySend = roomy.near.sendEncoded.bind(roomy.near);
    roomy.near.sendEncoded = (encoded) => {
      if (Buffer.concat(encoded.chunks).includes('resource')) roomySent++;
      roomySend(encoded);
    };
    await roomy.remote.computeVisibility('f', makeSampleFrame(), 0);
    await roomy.remote.computeVisibility('g', makeSampleFrame(), 0);
    expect(roomySent).toBe(3);
  });

  it('carries errors by their code, and a bug as INTERNAL', async () => {
    const { remote, fake, bugs } = connectFake();
    fake.nextError = new RenderError('SHADER_BUDGET_EXCEEDED', 'too long');
    await expect(remote.renderBin(BIN)).rejects.toMatchObject({
      code: 'SHADER_BUDGET_EXCEEDED',
      message: 'too long',
    });
    fake.nextError = new Error('broken invariant');
    await expect(remote.renderBin(BIN)).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'broken invariant',
    });
    expect(bugs).toHaveLength(1);
  });

  it('fails pending and later requests with CHIPLET_LOST when the connection closes', async () => {
    const { remote, far } = connectFake();
    const waiting = remote.renderBin(BIN); // never answered, because there is no broadcast
    far.close('gone');
    await expect(waiting).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    await expect(remote.renderBin(BIN)).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    await expect(remote.computeVisibility('g', makeSampleFrame(), 0)).rejects.toMatchObject({
      code: 'CHIPLET_LOST',
    });
  });

  it('fails pending requests with CHIPLET_TIMEOUT and closes the connection on timeout', async () => {
    const { remote, near, elapse } = connectFake();
    const waiting = remote.renderBin(BIN);
    elapse();
    await expect(waiting).rejects.toMatchObject({ code: 'CHIPLET_TIMEOUT' });
    expect(near.isOpen()).toBe(false);
  });

  it('stops the bins of a released frame and continues with the next', async () => {
    const { remote, fake } = connectFake();
    const waiting = remote.renderBin(BIN);
    await new Promise((resolve) => setImmediate(resolve));
    remote.releaseFrame('f');
    await expect(waiting).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    await remote.computeVisibility('g', makeSampleFrame(), 0);
    await expect(remote.renderBin({ ...BIN, frameId: 'g' })).resolves.toMatchObject({ binId: 1 });
    expect(fake.released).toEqual(['f']);
  });

  it.each([
    [
      'an answer to no question',
      { type: 'binFailed', requestId: 99, error: { code: 'INTERNAL', message: '' } },
    ],
    [
      'a second hello',
      {
        type: 'hello',
        protocolVersion: 5,
        role: 'worker',
        crosslinkUrl: null,
        instance: 'i',
      },
    ],
  ] as const)('closes the connection on %s', async (_name, message) => {
    const { near, far } = connectFake();
    far.send(message);
    expect(await near.closed).toContain('malformed');
  });

  const ANSWER = {
    type: 'binDone',
    requestId: 0,
    result: {
      ...BIN,
      rect: { x: 0, y: 0, width: 1, height: 1 },
      colors: [new Uint8Array(4)],
      depthStencil: null,
      counters: {},
      cycles: null,
      spans: [],
    },
  } as const;

  it('rejects an answer that does not match the request, which can then run on another chiplet', async () => {
    const { remote, near, far, rejected } = connectFake();
    const waiting = remote.renderBin(BIN);
    far.send({ ...ANSWER, result: { ...ANSWER.result, binId: 0 } });
    await expect(waiting).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
    expect(rejected).toEqual([['wrong', 'bin 0 of f instead of bin 1 of f']]);
    expect(near.isOpen()).toBe(true);
  });

  it('distinguishes a late answer from a duplicate one', async () => {
    const { remote, far, rejected } = connectFake();
    const waiting = remote.renderBin(BIN);
    far.send(ANSWER);
    expect((await waiting).binId).toBe(1);
    far.send(ANSWER);
    const released = remote.renderBin(BIN);
    remote.releaseRendering('f');
    await expect(released).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
    far.send({ ...ANSWER, requestId: 1 });
    await expect.poll(() => rejected.map(([why]) => why)).toEqual(['duplicate', 'late']);
  });
});
