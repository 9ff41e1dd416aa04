import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { ReconnectingLink } from './reconnecting-link.ts';
import { acceptWebSockets } from './websocket-connection.ts';

describe('ReconnectingLink', () => {
  it('reconnects after its server was down, but not after it was stopped', async () => {
    let server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const accepted: Connection[] = [];
    const accept = () =>
      acceptWebSockets(server, '/', 'coordinator', (connection) => accepted.push(connection));
    let close = accept();

    const downs: string[] = [];
    let attached = Promise.withResolvers<Connection>();
    const link = new ReconnectingLink({
      url: `ws://127.0.0.1:${port}/`,
      receiver: 'chiplet',
      attach: (connection, markHealthy) => {
        connection.listen({ onMessage: () => {}, onClose: () => {} });
        markHealthy();
        attached.resolve(connection);
      },
      onDown: (reason) => downs.push(reason),
    });
    await attached.promise;

    attached = Promise.withResolvers();
    close();
    server.close();
    // one call for the lost connection, then one for the refused attempt
    await expect.poll(() => downs.length).toBeGreaterThan(1);
    server = createServer();
    close = accept();
    server.listen(port, '127.0.0.1');
    const second = await attached.promise;
    expect(second.isOpen()).toBe(true);

    const downsBefore = downs.length;
    link.stop('enough');
    expect(await second.closed).toBe('enough');
    await accepted.at(-1)!.closed;
    expect(downs.length).toBe(downsBefore);
    close();
    server.close();
  });

  it('retries when a connection cannot be attached', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const close = acceptWebSockets(server, '/', 'coordinator', () => {});
    let attempts = 0;
    const downs: string[] = [];
    const attached = Promise.withResolvers<void>();
    const link = new ReconnectingLink({
      url: `ws://127.0.0.1:${port}/`,
      receiver: 'chiplet',
      attach: (connection) => {
        connection.listen({ onMessage: () => {}, onClose: () => {} });
        attempts++;
        if (attempts === 1) throw new Error('a bug');
        attached.resolve();
      },
      onDown: (reason) => downs.push(reason),
    });
    await attached.promise;
    expect(downs).toEqual([expect.stringContaining('a bug')]);
    link.stop('enough');
    close();
    server.close();
  });
});
