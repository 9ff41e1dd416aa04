import { connectInMemory, type Message, type MessageOf } from '@tessera/wire';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../observe/event-log.ts';
import { ChipletRegistry, type ChipletRegistryOptions } from './chiplet-registry.ts';

const HELLO: MessageOf<'hello'> = {
  type: 'hello',
  protocolVersion: 5,
  role: 'worker',
  crosslinkUrl: null,
  instance: 'test',
};
const VISIBILITY_HELLO: MessageOf<'hello'> = {
  ...HELLO,
  role: 'visibility',
  crosslinkUrl: 'ws://host:1/crosslink',
};

function makeRegistry(
  isVisibilityChipletRendering = true,
  options: Partial<ChipletRegistryOptions> = {},
) {
  return new ChipletRegistry({
    log: pino({ level: 'silent' }),
    events: new EventLog(100, 1),
    answerWithinMs: 1000,
    heartbeatMs: 60_000,
    silentMs: 600_000,
    setAsideMs: 600_000,
    quarantineMs: 600_000,
    isVisibilityChipletRendering,
    ...options,
  });
}

/** Registers a chiplet and returns its end of the connection. */
async function join(registry: ChipletRegistry, hello: MessageOf<'hello'>, isReady = true) {
  const [near, far] = connectInMemory('coordinator', 'chiplet');
  const received: Message[] = [];
  const welcomed = new Promise<void>((resolve) => {
    far.listen({
      onMessage: (message) => {
        received.push(message);
        resolve();
      },
      onClose: () => resolve(),
    });
  });
  registry.accept(near);
  far.send(hello);
  await welcomed;
  far.send({ type: 'ready', isReady });
  await turns();
  return { far, received };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('ChipletRegistry', () => {
  it('numbers the visibility chiplet 0 and workers from 1, the lowest free number first', async () => {
    const registry = makeRegistry();
    const first = await join(registry, HELLO);
    await join(registry, HELLO);
    await join(registry, VISIBILITY_HELLO);
    expect(registry.list().map(({ id, role }) => [id, role])).toEqual([
      [0, 'visibility'],
      [1, 'worker'],
      [2, 'worker'],
    ]);
    first.far.close('gone');
    await turns();
    expect(registry.list().map(({ id }) => id)).toEqual([0, 2]);
    const third = await join(registry, HELLO);
    expect(third.received[0]).toEqual({
      type: 'welcome',
      chipletId: 1,
      crosslinkUrl: 'ws://host:1/crosslink',
    });
  });

  it('selects ready chiplets, numbered without gaps', async () => {
    const registry = makeRegistry();
    expect(registry.select(8)).toBeNull();
    await join(registry, HELLO, false);
    await join(registry, HELLO);
    expect(registry.select(8)).toBeNull();
    await join(registry, VISIBILITY_HELLO);
    expect(registry.select(8)?.chiplets.map(({ id }) => id)).toEqual([0, 1]);
    expect(registry.select(1)?.chiplets.map(({ id }) => id)).toEqual([0]);
  });

  it('selects nothing if the visibility chiplet would have to render alone but renders no bins', async () => {
    const registry = makeRegistry(false);
    await join(registry, VISIBILITY_HELLO);
    expect(registry.select(8)).toBeNull();
    await join(registry, HELLO);
    expect(registry.select(8)?.chiplets).toHaveLength(2);
    expect(registry.select(1)).toBeNull();
  });

  it('quarantines a worker at once: it is not selected and takes no bins of frames in progress', async () => {
    const registry = makeRegistry();
    await join(registry, VISIBILITY_HELLO);
    await join(registry, HELLO);
    const [, worker] = registry.select(8)!.chiplets;
    const trust = registry.trustOf(worker!);
    trust.noteAgreement();
    trust.noteAgreement();
    expect(registry.list()[1]).toMatchObject({ isTrusted: true, agreedBins: 2 });
    trust.noteLie();
    registry.quarantine(worker!, 'its result is wrong');
    expect(registry.select(8)?.chiplets.map(({ id }) => id)).toEqual([0]);
    expect(registry.list()[1]).toMatchObject({
      faults: 1,
      isTrusted: false,
      agreedBins: 0,
      setAsideUntilMs: expect.any(Number),
    });
    const request = { frameId: 'f', passIndex: 0, binId: 0 };
    await expect(worker!.renderBin(request)).rejects.toMatchObject({ code: 'NO_CHIPLETS' });
  });

  it('gives a quarantined worker work after its time, as if it were new', async () => {
    const registry = makeRegistry(true, { quarantineMs: 1 });
    await join(registry, VISIBILITY_HELLO);
    await join(registry, HELLO);
    registry.quarantine(registry.select(8)!.chiplets[1]!, 'its result is wrong');
    await expect.poll(() => registry.select(8)?.chiplets.length).toBe(2);
    expect(registry.list()[1]).toMatchObject({ isTrusted: false, setAsideUntilMs: null });
  });

  it('trusts the visibility chiplet from the start, and closes its link when it gives a wrong bin', async () => {
    const registry = makeRegistry();
    const { far } = await join(registry, VISIBILITY_HELLO);
    expect(registry.list()[0]).toMatchObject({ isTrusted: true });
    registry.quarantine(registry.select(8)!.chiplets[0]!, 'its result is wrong');
    expect(await far.closed).toContain('quarantined: its result is wrong');
  });

  it('counts the loss of a worker against its frame only if it was trusted', async () => {
    const losses: [number | null | undefined, boolean][] = [];
    const registry = makeRegistry(true, {
      onLost: (work, isEvidence) => losses.push([work?.binId, isEvidence]),
    });
    await join(registry, VISIBILITY_HELLO);
    for (const agreedBins of [0, 2]) {
      const { far } = await join(registry, HELLO);
      const worker = registry.select(8)!.chiplets[1]!;
      for (let i = 0; i < agreedBins; i++) registry.trustOf(worker).noteAgreement();
      const answer = worker.renderBin({ frameId: 'f/1', passIndex: 0, binId: 7 });
      far.close('gone');
      await expect(answer).rejects.toMatchObject({ code: 'CHIPLET_LOST' });
      await turns();
    }
    expect(losses).toEqual([
      [undefined, false],
      [7, true],
    ]);
  });

  it('announces the crosslink to workers when it appears and disappears', async () => {
    const registry = makeRegistry();
    const { received } = await join(registry, HELLO);
    expect(received[0]).toMatchObject({ type: 'welcome', crosslinkUrl: null });
    const visibility = await join(registry, VISIBILITY_HELLO);
    visibility.far.close('gone');
    await turns();
    expect(received.slice(1)).toEqual([
      { type: 'crosslinkAddress', crosslinkUrl: 'ws://host:1/crosslink' },
      { type: 'crosslinkAddress', crosslinkUrl: null },
    ]);
  });

  it.each([
    ['another version', { ...HELLO, protocolVersion: 6 }, 'protocol version 6'],
    ['a worker with a crosslink', { ...HELLO, crosslinkUrl: 'ws://x' }, 'a worker has none'],
    ['a second visibility chiplet', VISIBILITY_HELLO, 'already'],
  ])('refuses %s', async (_name, hello, reason) => {
    const registry = makeRegistry();
    await join(registry, VISIBILITY_HELLO);
    const { far } = await join(registry, hello);
    expect(await far.closed).toContain(reason);
    expect(registry.list()).toHaveLength(1);
  });

  it('refuses a connection that does not begin with hello', async () => {
    const registry = makeRegistry();
    const [near, far] = connectInMemory('coordinator', 'chiplet');
    registry.accept(near);
    far.send({ type: 'ready', isReady: true });
    expect(await far.closed).toContain('before hello');
  });

  const never = new AbortController().signal;
  const WAIT = {
    maxChiplets: 8,
    wantedChiplets: 1,
    wantedWithinMs: 10_000,
    withinMs: 10_000,
    signal: never,
  };

  it('waits for chiplets, until time is up or the frame is cancelled', async () => {
    const registry = makeRegistry();
    const waiting = registry.waitForSelection(WAIT);
    await join(registry, VISIBILITY_HELLO);
    expect((await waiting).chiplets).toHaveLength(1);

    const empty = makeRegistry();
    await expect(empty.waitForSelection({ ...WAIT, withinMs: 1 })).rejects.toMatchObject({
      code: 'NO_CHIPLETS',
    });
    const cancelled = new AbortController();
    const cancelledWait = empty.waitForSelection({ ...WAIT, signal: cancelled.signal });
    cancelled.abort();
    await expect(cancelledWait).rejects.toMatchObject({ code: 'FRAME_CANCELLED' });
  });

  it('waits for the wanted number of chiplets, then accepts fewer', async () => {
    const registry = makeRegistry();
    await join(registry, VISIBILITY_HELLO);
    const waiting = registry.waitForSelection({ ...WAIT, wantedChiplets: 2 });
    await join(registry, HELLO);
    expect((await waiting).chiplets).toHaveLength(2);
    const fewer = registry.waitForSelection({ ...WAIT, wantedChiplets: 3, wantedWithinMs: 1 });
    expect((await fewer).chiplets).toHaveLength(2);
  });
});
