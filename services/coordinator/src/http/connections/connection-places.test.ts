import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { acceptWebSockets } from '@tessera/wire';
import { fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { answerError } from '../protocol/problem.ts';
import { addConnectionPlaces } from './connection-places.ts';
import { answerBrokenRequest } from './request-limits.ts';

interface TestServer {
  readonly app: App;
  readonly port: number;
  /** Answers all requests to `/hold`. */
  readonly letGo: () => void;
  /** Number of connections that the operating system has. */
  readonly count: () => Promise<number>;
}

const opened: { close(): void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function startServer(variables: Record<string, string>): Promise<TestServer> {
  const app = fastify({
    trustProxy: '127.0.0.1',
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket as Socket, app.log),
  }) as unknown as App;
  const held = Promise.withResolvers<void>();
  app.setErrorHandler(answerError);
  addConnectionPlaces(app, readConfig(variables));
  app.get('/livez', async () => 'alive');
  app.get('/now', async () => 'now');
  app.post('/read', async ({ body }) => body);
  app.get('/hold', async () => {
    await held.promise;
    return 'held';
  });
  const closeSockets = acceptWebSockets(app.server, '/chiplets', 'coordinator', () => {}, 'secret');
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  opened.push({
    close: () => {
      held.resolve();
      closeSockets();
      return app.close();
    },
  });
  const count = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)));
  return { app, port, letGo: held.resolve, count };
}

/** Client's end of a connection, which never closes by itself. */
class Client {
  readonly socket: Socket;
  received = '';
  /** Whether the service has closed its end. */
  isClosed = false;
  readonly #connected: Promise<unknown>;

  constructor(port: number, localAddress = '127.0.0.1') {
    this.socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    this.#connected = once(this.socket, 'connect').catch(() => {});
    this.socket.setEncoding('latin1').on('error', () => {});
    this.socket.on('data', (part: string) => {
      this.received += part;
    });
    for (const event of ['end', 'close']) {
      this.socket.on(event, () => {
        this.isClosed = true;
      });
    }
    opened.push({ close: () => this.socket.destroy() });
  }

  async connected(): Promise<this> {
    await this.#connected;
    return this;
  }

  get(path: string, headers = ''): this {
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    return this;
  }

  /** Status of the first answer, once it has arrived. */
  async status(): Promise<number> {
    await expect
      .poll(() => this.received !== '' || this.isClosed, { interval: 5, timeout: 60_000 })
      .toBe(true);
    return Number(this.received.split(' ')[1]);
  }
}

async function openSilent(port: number, count: number, from?: string): Promise<Client[]> {
  const clients: Client[] = [];
  // One after the other, so that their order is defined.
  for (let i = 0; i < count; i++) clients.push(await new Client(port, from).connected());
  return clients;
}

describe('places of connections', () => {
  it('are taken from the longest silent connection, so that a new connection is always accepted', async () => {
    const { port, count } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const silent = await openSilent(port, 40);
    expect(await new Client(port).get('/livez').status()).toBe(200);
    expect(await new Client(port).get('/now').status()).toBe(200);
    expect(await count()).toBeLessThanOrEqual(16);
    await expect.poll(() => silent.slice(0, 24).every(({ isClosed }) => isClosed)).toBe(true);
    // The youngest connections are open and can send.
    expect(silent.at(-1)?.isClosed).toBe(false);
    expect(await silent.at(-1)?.get('/now').status()).toBe(200);
  });

  it('are kept by a request in progress and by a chiplet, however many others connect', async () => {
    const { port, letGo, count } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const asking = (await openSilent(port, 3)).map((client) => client.get('/hold'));
    const chiplet = new Client(port).get(
      '/chiplets',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer secret\r\n',
    );
    expect(await chiplet.status()).toBe(101);
    // The answer shows that the earlier requests have arrived.
    expect(await new Client(port).get('/now').status()).toBe(200);
    await openSilent(port, 60);
    letGo();
    for (const client of asking) expect(await client.status()).toBe(200);
    expect(chiplet.isClosed).toBe(false);
    expect(await count()).toBeLessThanOrEqual(16);
  });

  it('of a refused upgrade are free again, even if the client does not disconnect', async () => {
    const { port, count } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const refused = Array.from({ length: 12 }, () =>
      new Client(port).get('/chiplets', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
    );
    for (const client of refused) expect(await client.status()).toBe(401);
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
  });

  it('are reserved in part: an eighth is for health requests and chiplets', async () => {
    const { port, letGo } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const holding: Client[] = [];
    for (let i = 0; i < 14; i++) holding.push(new Client(port).get('/hold'));
    const isFull = async () => (await new Client(port).get('/now').status()) === 503;
    await expect.poll(isFull, { timeout: 60_000 }).toBe(true);
    const refused = new Client(port).get('/now');
    expect(await refused.status()).toBe(503);
    expect(refused.received).toContain('TOO_MANY_CONNECTIONS');
    expect(refused.received.toLowerCase()).toContain('retry-after');
    expect(await new Client(port).get('/livez').status()).toBe(200);
    letGo();
    for (const client of holding) expect(await client.status()).toBe(200);
    expect(await new Client(port).get('/now').status()).toBe(200);
  });

  it('of one address are limited, by the address that a trusted proxy names', async () => {
    const { port, letGo } = await startServer({ TESSERA_CONNECTIONS_PER_ADDRESS: '3' });
    const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;
    const holding: Client[] = [];
    for (let i = 0; i < 3; i++) {
      // All addresses of one IPv6 network count as one client.
      holding.push(new Client(port).get('/hold', from(`2001:db8:0:7::${i + 1}`)));
    }
    const again = async () => new Client(port).get('/now', from('2001:db8::7:ffff:0:0:1')).status();
    await expect.poll(again, { timeout: 60_000 }).toBe(503);
    expect(await new Client(port).get('/now', from('2001:db8:0:8::1')).status()).toBe(200);
    expect(await new Client(port).get('/now').status()).toBe(200);
    letGo();
    for (const client of holding) expect(await client.status()).toBe(200);
    expect(await again()).toBe(200);
  });

  it('are released when a client disconnects during its requests', async () => {
    const { port, count } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const statusNow = async () => {
      const client = new Client(port).get('/now');
      const status = await client.status();
      client.socket.destroy();
      return status;
    };
    for (let round = 0; round < 3; round++) {
      // Two concurrent requests: the second waits for the answer to the first.
      const holding = Array.from({ length: 14 }, () => new Client(port).get('/hold').get('/hold'));
      await expect.poll(statusNow, { timeout: 60_000 }).toBe(503);
      for (const client of holding) client.socket.destroy();
      await expect.poll(statusNow, { timeout: 60_000 }).toBe(200);
    }
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
  });

  it('are taken from the address with the most silent connections', async () => {
    const { port } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const [elder] = await openSilent(port, 1, '127.0.0.2');
    await openSilent(port, 60, '127.0.0.1');
    expect(elder?.isClosed).toBe(false);
    expect(await elder?.get('/now').status()).toBe(200);
  });

  it('are kept by idle connections that sent a request before, while others are silent', async () => {
    const { port } = await startServer({ TESSERA_MAX_CONNECTIONS: '16' });
    const idle = new Client(port).get('/now');
    expect(await idle.status()).toBe(200);
    await openSilent(port, 60);
    idle.received = '';
    expect(await idle.get('/now').status()).toBe(200);
    // They do not block new connections either.
    for (let i = 0; i < 30; i++) expect(await new Client(port).get('/now').status()).toBe(200);
    expect(await new Client(port).get('/now').status()).toBe(200);
  });
});

describe('a connection that is answered for the last time', () => {
  it.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400],
    ['a head that is cut off', 'GET / HTTP/1.1\r\nHost', 400],
    [
      'a body that is cut off',
      'POST /read HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n12',
      400,
    ],
  ])(
    'is cut after a second, though the client does not close: %s',
    async (_title, sent, status) => {
      const { port, count } = await startServer({});
      const client = new Client(port);
      client.socket.write(sent);
      if (sent !== 'nonsense\r\n\r\n') client.socket.end();
      expect(await client.status()).toBe(status);
      await expect.poll(count, { timeout: 60_000 }).toBe(0);
    },
  );
});
