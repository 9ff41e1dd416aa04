import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Message } from '../messages/messages.ts';
import type { Connection } from './connection.ts';
import { acceptWebSockets, connectWebSocket } from './websocket-connection.ts';

describe('WebSocket connections', () => {
  const server = createServer();
  const accepted: Connection[] = [];
  let url: string;
  let closeEndpoint: () => void;

  beforeEach(async () => {
    accepted.length = 0;
    server.removeAllListeners('upgrade');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closeEndpoint = acceptWebSockets(server, '/link', 'coordinator', (connection) => {
      accepted.push(connection);
    });
  });

  afterEach(async () => {
    closeEndpoint();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  it('carry messages with bulk both ways', async () => {
    const client = await connectWebSocket(`${url}/link`, 'chiplet', 1000);
    const bytes = new Uint8Array(3_000_000).fill(7);
    const received = new Promise<Message>((resolve) => {
      client.listen({ onMessage: resolve, onClose: () => {} });
    });
    const resource = { sha256: 'a'.repeat(64), bytes };
    accepted[0]!.send({ type: 'resource', kind: 'buffer', resource });
    const message = await received;
    if (message.type !== 'resource' || message.kind !== 'buffer') throw new Error(message.type);
    expect(Buffer.compare(message.resource.bytes, bytes)).toBe(0);
    await accepted[0]!.drained();

    const answered = new Promise<Message>((resolve) => {
      accepted[0]!.listen({ onMessage: resolve, onClose: () => {} });
    });
    client.send({ type: 'ready', isReady: true });
    expect(await answered).toEqual({ type: 'ready', isReady: true });
  });

  it.each([
    ['text', 'hello', 'text'],
    ['bytes that are not MessagePack', Buffer.from([0xc1, 0xff, 0x00]), 'not MessagePack'],
    ['a value that is no message', Buffer.from([0x93, 1, 2, 3]), 'not an object'],
  ])('close on %s with a reason', async (_name, sent, reason) => {
    const socket = new WebSocket(`${url}/link`);
    await once(socket, 'open');
    socket.send(sent);
    const [code, text] = await once(socket, 'close');
    expect(code).toBe(1008);
    expect(String(text)).toContain(reason);
    expect(await accepted[0]!.closed).toContain(reason);
  });

  it('are rejected on another path', async () => {
    await expect(connectWebSocket(`${url}/other`, 'chiplet', 1000)).rejects.toThrow('404');
  });

  it('end when the peer is silent', async () => {
    const socket = new WebSocket(`${url}/link`); // This socket does not answer pings.
    await once(socket, 'open');
    accepted[0]!.startHeartbeat(5, 2);
    expect(await accepted[0]!.closed).toContain('silent');
  });

  it('stay open while pings are answered', async () => {
    const client = await connectWebSocket(`${url}/link`, 'chiplet', 1000);
    let pings = 0;
    const send = accepted[0]!.send.bind(accepted[0]!);
    const enough = new Promise<void>((resolve) => {
      accepted[0]!.send = (message) => {
        if (message.type === 'ping' && ++pings === 10) resolve();
        send(message);
      };
    });
    accepted[0]!.startHeartbeat(20, 3);
    await enough;
    expect(client.isOpen()).toBe(true);
  });
});
