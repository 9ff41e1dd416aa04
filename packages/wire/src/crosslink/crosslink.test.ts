import { describe, expect, it } from 'vitest';
import { connectInMemory } from '../connection/in-memory-connection.ts';
import { PROTOCOL_VERSION } from '../messages/messages.ts';
import { ResourceStore } from '../resources/resource-store.ts';
import { FakeChiplet } from '../testing/fake-chiplet.ts';
import { makeSampleFrame } from '../testing/sample-frame.ts';
import { CrosslinkClient } from './crosslink-client.ts';
import { CrosslinkServer } from './crosslink-server.ts';

const OPTIONS = { heartbeatMs: 60_000, heartbeatSilentLimit: 3 };

function makeBroadcast(frameId: string) {
  const bins = [Uint8Array.of(1, 0), Uint8Array.of(1, 0)];
  return { frameId, frame: makeSampleFrame(), visibility: { passIndex: 0, bins } };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isTrue(); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isTrue()).toBe(true);
}

function makeWorker(storeBytes = 1_000_000, chipletId = 1) {
  const chiplet = new FakeChiplet(chipletId);
  const joins: boolean[] = [];
  const client = new CrosslinkClient({
    chipletId,
    resources: new ResourceStore(storeBytes),
    sink: chiplet,
    onJoined: (isJoined) => joins.push(isJoined),
  });
  return { chiplet, client, joins };
}

function join(server: CrosslinkServer, client: CrosslinkClient) {
  const [serverEnd, clientEnd] = connectInMemory('crosslink-server', 'crosslink-client');
  server.attach(serverEnd);
  client.attach(clientEnd);
  return { serverEnd, clientEnd };
}

describe('crosslink', () => {
  it('delivers a broadcast to every worker, and to one that joins late', async () => {
    const server = new CrosslinkServer(OPTIONS);
    const early = makeWorker();
    join(server, early.client);
    await until(() => server.workerCount === 1);
    const broadcast = makeBroadcast('f');
    await server.broadcast(broadcast);
    await until(() => early.chiplet.broadcasts.length === 1);
    expect(early.chiplet.broadcasts[0]).toEqual(broadcast);

    const late = makeWorker();
    join(server, late.client);
    await until(() => late.chiplet.broadcasts.length === 1);
    expect(late.chiplet.broadcasts[0]).toEqual(broadcast);
  });

  it('is acknowledged by all workers, including the late one, after all resources have arrived', async () => {
    const acknowledged: [string, number, number][] = [];
    const onAcknowledged = (...args: [string, number, number]) => acknowledged.push(args);
    const server = new CrosslinkServer({ ...OPTIONS, onAcknowledged });
    const workers = [makeWorker(1_000_000, 1), makeWorker(10, 2)];
    for (const { client } of workers) join(server, client);
    await until(() => server.workerCount === 2);
    await server.broadcast(makeBroadcast('f'));
    await until(() => acknowledged.length === 1);
    expect(acknowledged).toEqual([['f', 0, 2]]);
    for (const { chiplet } of workers) expect(chiplet.broadcasts).toHaveLength(1);

    const late = makeWorker(1_000_000, 3);
    join(server, late.client);
    await until(() => acknowledged.length === 2);
    expect(acknowledged[1]).toEqual(['f', 0, 3]);
    expect(late.chiplet.broadcasts).toHaveLength(1);
  });

  it('is acknowledged again by a worker that reconnects with it', async () => {
    const acknowledged: string[] = [];
    const onAcknowledged = (frameId: string) => acknowledged.push(frameId);
    const server = new CrosslinkServer({ ...OPTIONS, onAcknowledged });
    const { chiplet, client, joins } = makeWorker();
    const first = join(server, client);
    await until(() => joins.length === 1);
    await server.broadcast(makeBroadcast('f'));
    await until(() => acknowledged.length === 1);
    first.serverEnd.close('cut');
    await until(() => joins.length === 2);
    join(server, client);
    await until(() => acknowledged.length === 2);
    expect(chiplet.broadcasts).toHaveLength(1);
  });

  it('notifies workers when a frame is released, and drops later broadcasts', async () => {
    const server = new CrosslinkServer(OPTIONS);
    const { chiplet, client } = makeWorker();
    join(server, client);
    await until(() => server.workerCount === 1);
    await server.broadcast(makeBroadcast('f'));
    server.release('f');
    await until(() => chiplet.released.length === 1);
    await server.broadcast(makeBroadcast('f'));
    await server.broadcast(makeBroadcast('g'));
    await until(() => chiplet.broadcasts.length === 2);
    expect(chiplet.broadcasts.map(({ frameId }) => frameId)).toEqual(['f', 'g']);
  });

  it('completes a frame that is larger than the worker’s store', async () => {
    const server = new CrosslinkServer(OPTIONS);
    const { chiplet, client } = makeWorker(10);
    join(server, client);
    await until(() => server.workerCount === 1);
    const broadcast = makeBroadcast('f');
    await server.broadcast(broadcast);
    await until(() => chiplet.broadcasts.length === 1);
    expect(chiplet.broadcasts[0]).toEqual(broadcast);
  });

  it('after a reconnect delivers missed broadcasts once and releases finished frames', async () => {
    const server = new CrosslinkServer(OPTIONS);
    const { chiplet, client, joins } = makeWorker();
    const first = join(server, client);
    await until(() => joins.length === 1);
    await server.broadcast(makeBroadcast('f'));
    await server.broadcast(makeBroadcast('over'));
    await until(() => chiplet.broadcasts.length === 2);
    first.serverEnd.close('cut');
    await until(() => joins.length === 2);
    server.release('over');
    await server.broadcast(makeBroadcast('g'));
    join(server, client);
    await until(() => chiplet.broadcasts.length === 3);
    expect(joins).toEqual([true, false, true]);
    expect(chiplet.broadcasts.map(({ frameId }) => frameId)).toEqual(['f', 'over', 'g']);
    expect(chiplet.released).toEqual(['over']);
  });

  it('refuses another version and a message before the hello', async () => {
    const server = new CrosslinkServer(OPTIONS);
    const [firstServerEnd, firstClientEnd] = connectInMemory(
      'crosslink-server',
      'crosslink-client',
    );
    server.attach(firstServerEnd);
    const protocolVersion = PROTOCOL_VERSION + 1;
    firstClientEnd.send({ type: 'crosslinkHello', protocolVersion, chipletId: 1, held: [] });
    expect(await firstClientEnd.closed).toContain(`protocol version ${protocolVersion}`);
    const [secondServerEnd, secondClientEnd] = connectInMemory(
      'crosslink-server',
      'crosslink-client',
    );
    server.attach(secondServerEnd);
    secondClientEnd.send({ type: 'resourcesMissing', resources: [] });
    expect(await secondClientEnd.closed).toContain('before crosslinkHello');
    expect(server.workerCount).toBe(0);
  });
});
