import { once } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  addSlicedBodies,
  closeStalledWriters,
} from '../../services/coordinator/src/http/connections/stalled-writers.ts';
import type { App } from '../../services/coordinator/src/http/protocol/app.ts';
import {
  jsonWithList,
  sendFile,
} from '../../services/coordinator/src/http/protocol/stored-results.ts';
import {
  makeTemporaryFolder,
  removeTestStores,
} from '../../services/coordinator/src/testing/temporary-data-folder.ts';

const log = pino({ level: 'silent' });
const PERIOD_MS = 200;
/** Long enough for a busy machine. */
const SLOW_PERIOD_MS = 2000;
/** More bytes than the sockets of both ends hold. */
const LARGE_BYTES = 32 * 2 ** 20;

describe('answers whose clients are slow', () => {
  let app: App;
  let port: number;
  let made: number;
  let endWatch: () => void;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const path = join(makeTemporaryFolder(), 'result');
    await writeFile(path, Buffer.alloc(LARGE_BYTES, 'x'));
    app = fastify() as unknown as App;
    addSlicedBodies(app);
    made = 0;
    app.get('/file', async (_request, reply) =>
      sendFile(reply, await open(path, 'r'), LARGE_BYTES, 'image/png'),
    );
    app.get('/text', async () => 'y'.repeat(LARGE_BYTES));
    app.get('/list', async (_request, reply) =>
      reply.send(jsonWithList({ a: 1 }, 'items', items())),
    );
    app.get('/wait', async () => {
      await sleep(6 * PERIOD_MS);
      return 'late';
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    port = (app.server.address() as AddressInfo).port;
    endWatch = closeStalledWriters(app.server, PERIOD_MS, log);
  });

  afterEach(async () => {
    endWatch();
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
    removeTestStores();
  });

  function* items(): Generator<string, void> {
    for (let i = 0; i < 1000; i++) {
      made++;
      yield JSON.stringify('z'.repeat(2 ** 16));
    }
  }

  async function ask(path: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    return socket;
  }

  /** Connections of the server. */
  const connectionCount = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );

  it.each(['/file', '/text', '/list'])(
    'closes the connection of a client that takes nothing of %s',
    async (path) => {
      await ask(path);
      await expect.poll(connectionCount).toBe(1);
      await expect.poll(connectionCount, { timeout: 60 * PERIOD_MS }).toBe(0);
    },
  );

  it('serves clients that receive little in each period', async () => {
    endWatch();
    endWatch = closeStalledWriters(app.server, SLOW_PERIOD_MS, log);
    const read = async (path: string) => {
      const socket = await ask(path);
      const slowUntilMs = performance.now() + 2.5 * SLOW_PERIOD_MS;
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (performance.now() > slowUntilMs) return;
        // The kernel lets the sender continue when half of the receiver's buffer is free, which is
        // some megabytes.
        socket.pause();
        setTimeout(() => socket.resume(), SLOW_PERIOD_MS / 100);
      });
      socket.resume();
      await once(socket, 'end');
      return bytes;
    };
    const taken = await Promise.all(['/file', '/text'].map(read));
    for (const bytes of taken) expect(bytes).toBeGreaterThan(LARGE_BYTES);
  });

  it('generates the elements of a list as the client receives them', async () => {
    await ask('/list');
    await expect.poll(connectionCount, { timeout: 60 * PERIOD_MS }).toBe(0);
    expect(made).toBeLessThan(400);
    endWatch();
    made = 0;
    const response = await fetch(`http://127.0.0.1:${port}/list`);
    const body = (await response.json()) as { a: number; items: string[] };
    expect(made).toBe(1000);
    expect([body.a, body.items.length]).toEqual([1, 1000]);
  });

  it('does not close connections for which nothing waits', async () => {
    const response = await fetch(`http://127.0.0.1:${port}/wait`);
    expect(await response.text()).toBe('late');
  });

  it('sends the length of a body that it slices', async () => {
    endWatch();
    const response = await fetch(`http://127.0.0.1:${port}/text`);
    expect(response.headers.get('content-length')).toBe(String(LARGE_BYTES));
    expect((await response.text()).length).toBe(LARGE_BYTES);
  });
});
