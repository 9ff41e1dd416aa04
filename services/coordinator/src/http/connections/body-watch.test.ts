import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { addBodyWatch } from './body-watch.ts';

const opened: { close(): unknown }[] = [];
afterAll(async () => {
  for (const each of opened) await each.close();
});

/** Starts a server with one route for each way in which a service may treat a body. */
async function startServer() {
  const app = fastify({ forceCloseConnections: true }) as unknown as App;
  const config = readConfig({ TESSERA_HEADERS_MS: '500', TESSERA_BODY_BYTES_PER_SECOND: '100' });
  const paused = Promise.withResolvers<void>();
  addBodyWatch(app, config, app.log);
  app.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
  app.post('/read', async ({ body }) => {
    let bytes = 0;
    for await (const chunk of body as Readable) bytes += (chunk as Buffer).length;
    return { bytes };
  });
  app.post('/pause', async ({ body }) => {
    await paused.promise;
    let bytes = 0;
    for await (const chunk of body as Readable) bytes += (chunk as Buffer).length;
    return { bytes };
  });
  app.post('/refuse', async (_request, reply) => reply.code(413).send('too large'));
  await app.listen({ host: '127.0.0.1', port: 0 });
  opened.push({ close: () => app.close() });
  const { port } = app.server.address() as { port: number };
  const count = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, n) => resolve(n)));
  return { port, readMore: paused.resolve, count };
}

interface Poster {
  readonly socket: Socket;
  received: string;
}

function post(port: number, path: string, bytes: number): Poster {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  opened.push({ close: () => socket.destroy() });
  const poster = { socket, received: '' };
  socket.setEncoding('latin1').on('error', () => {});
  socket.on('data', (part: string) => {
    poster.received += part;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n` +
      `Content-Length: ${bytes}\r\n\r\n`,
  );
  return poster;
}

/** Sends this many bytes every 50 ms until the connection is closed. */
function trickle({ socket }: Poster, bytes: number): void {
  const timer = setInterval(() => socket.write(Buffer.alloc(bytes)), 50);
  opened.push({ close: () => clearInterval(timer) });
  socket.once('close', () => clearInterval(timer));
}

describe.concurrent('the body of a request', () => {
  it.each([
    ['of which nothing more comes', 1000, 0],
    ['that trickles below the least rate', 100_000, 1],
  ])('%s gets 408, and its connection is cut', async (_title, length, bytesEach) => {
    const { port, count } = await startServer();
    const poster = post(port, '/read', length);
    trickle(poster, bytesEach);
    // Client and server share an event loop. If a busy machine stops it for over a second, the
    // connection is reset instead of ended, after the answer.
    await new Promise((resolve) => poster.socket.once('end', resolve).once('close', resolve));
    expect(poster.received).toContain(' 408 ');
    expect(poster.received).toContain('REQUEST_TIMEOUT');
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
  });

  it('that is slow but fast enough arrives', async () => {
    const { port } = await startServer();
    const poster = post(port, '/read', 12_000);
    trickle(poster, 200); // 4,000 bytes per second for three seconds, forty times the minimum rate.
    await once(poster.socket, 'data');
    expect(poster.received).toContain(' 200 ');
    expect(poster.received).toContain('{"bytes":12000}');
  });

  it('is not blamed for a service that does not read', async () => {
    const { port, readMore } = await startServer();
    // More than all buffers hold, so that the client cannot finish.
    const bytes = 20_000_000;
    const poster = post(port, '/pause', bytes);
    poster.socket.write(Buffer.alloc(bytes));
    const looks = Promise.withResolvers<void>();
    const timer = setTimeout(looks.resolve, 3200); // Three checks of the watch.
    await looks.promise;
    clearTimeout(timer);
    expect(poster.received).toBe('');
    readMore();
    await once(poster.socket, 'data');
    expect(poster.received).toContain(`{"bytes":${bytes}}`);
  });

  it('that continues after its answer is disconnected', async () => {
    const { port, count } = await startServer();
    const poster = post(port, '/refuse', 2 ** 28);
    trickle(poster, 65_536);
    await once(poster.socket, 'data');
    expect(poster.received).toContain(' 413 ');
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
  });
});
