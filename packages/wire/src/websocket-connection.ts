/**
 * Connections over WebSocket (RFC 6455). No compression: it costs forty times the CPU time of the copy.
 * Client frames are masked with zeros, which the protocol allows and `ws` skips on both ends; random
 * masks protect caching proxies, of which there is none between chiplets.
 */
import type { IncomingMessage, Server } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { Connection } from './connection.ts';
import type { Endpoint } from './messages.ts';

/** Largest message taken: above the largest texture with all its levels. */
export const MAX_MESSAGE_BYTES = 512 * 2 ** 20;
/** Close code for a peer that broke the protocol (RFC 6455, section 7.4.1). */
const POLICY_VIOLATION = 1008;
const NORMAL_CLOSURE = 1000;
/** Longest close reason that a control frame holds. */
const MAX_REASON_BYTES = 123;
/** How long the other end has to answer a close before the socket is cut. */
const CLOSE_GRACE_MS = 1000;

/**
 * Opens a connection to `url`.
 *
 * @throws {Error} If it cannot be opened within `withinMs`.
 */
export function connectWebSocket(
  url: string,
  receiver: Endpoint,
  withinMs: number,
): Promise<Connection> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: withinMs,
    generateMask: (mask) => mask.fill(0),
  });
  const connection = overWebSocket(socket, receiver, url);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(connection));
    socket.once('error', reject);
  });
}

/**
 * Accepts WebSocket connections on one path of an HTTP server; upgrades of other paths are refused
 * with 404.
 *
 * @returns A function that closes the endpoint and cuts its sockets.
 */
export function acceptWebSockets(
  server: Server,
  path: string,
  receiver: Endpoint,
  onConnection: (connection: Connection) => void,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  server.on('upgrade', (request: IncomingMessage, tcpSocket, head: Buffer) => {
    tcpSocket.on('error', () => tcpSocket.destroy());
    const requestPath = (request.url ?? '/').split('?', 1)[0];
    if (requestPath !== path) {
      tcpSocket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, tcpSocket, head, (socket) => {
      const peer = `${request.socket.remoteAddress}:${request.socket.remotePort}`;
      onConnection(overWebSocket(socket, receiver, peer));
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function overWebSocket(socket: WebSocket, receiver: Endpoint, peer: string): Connection {
  let problem: string | null = null;
  const connection = new Connection(
    {
      send: ({ chunks }, onSent) => {
        // Fragments of one message (RFC 6455, section 5.4): nothing is put together in this process.
        const last = chunks.length - 1;
        for (let i = 0; i < last; i++) socket.send(chunks[i]!, { binary: true, fin: false });
        socket.send(chunks[last]!, { binary: true }, () => onSent());
      },
      close: (reason) => {
        const code = reason.startsWith('malformed') ? POLICY_VIOLATION : NORMAL_CLOSURE;
        socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString('latin1'));
        setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
      },
    },
    receiver,
    peer,
  );
  socket.on('message', (message: RawData, isBinary) => {
    if (isBinary) connection.receiveBytes(asBytes(message));
    else connection.close('malformed message: text, only binary messages are read');
  });
  // 'error' is always followed by 'close'.
  socket.on('error', (error) => {
    problem = error.message;
  });
  socket.on('close', (code, reason) => {
    connection.transportClosed(problem ?? `closed by the peer (${code} ${reason.toString()})`);
  });
  return connection;
}

function asBytes(message: RawData): Uint8Array {
  if (Array.isArray(message)) return Buffer.concat(message);
  return message instanceof ArrayBuffer ? new Uint8Array(message) : message;
}
