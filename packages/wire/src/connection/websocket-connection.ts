/**
 * Connections over WebSocket (RFC 6455). They are not compressed, because compression takes forty
 * times the CPU time of copying. Client frames are masked with zeros, which the protocol allows and
 * `ws` skips at both ends. Random masks protect caching proxies, and there are none between
 * chiplets.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { bearerOf, isSameSecret } from '../environment/shared-secret.ts';
import type { Endpoint } from '../messages/messages.ts';
import { Connection } from './connection.ts';

/** Maximum size of a message, above the size of the largest texture with all its levels. */
export const MAX_MESSAGE_BYTES = 512 * 2 ** 20;
/** Close code for a protocol violation by the peer (RFC 6455, section 7.4.1). */
const POLICY_VIOLATION = 1008;
const NORMAL_CLOSURE = 1000;
/** Maximum length of a close reason in a control frame. */
const MAX_REASON_BYTES = 123;
/**
 * Maximum size of a message of several chunks that is joined before sending: enough for a bin, not
 * for a texture.
 */
const MAX_JOINED_BYTES = 2 ** 20;
/** Time for the other end to answer a close before the socket is terminated. */
const CLOSE_GRACE_MS = 1000;

/**
 * Opens a connection to `url`.
 *
 * @param secret Secret sent to the other end; `null` for none.
 * @throws {Error} If it cannot be opened within `withinMs`.
 */
export function connectWebSocket(
  url: string,
  receiver: Endpoint,
  withinMs: number,
  secret: string | null = null,
): Promise<Connection> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handshakeTimeout: withinMs,
    followRedirects: false,
    ...(secret === null ? {} : { headers: { Authorization: `Bearer ${secret}` } }),
    generateMask: (mask) => mask.fill(0),
  });
  let bytesOf = () => 0;
  socket.once('upgrade', ({ socket: tcpSocket }) => {
    bytesOf = () => tcpSocket.bytesRead;
  });
  const connection = overWebSocket(socket, receiver, url, () => bytesOf());
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(connection));
    socket.once('error', reject);
  });
}

/**
 * Accepts WebSocket connections on one path of an HTTP server. Upgrades are rejected with 404 on
 * other paths, with 403 if they come from a web page, and with 401 if they lack the secret.
 *
 * @param secret Secret that the other end must send; `null` accepts every connection.
 * @returns A function that closes the endpoint and terminates its sockets.
 */
export function acceptWebSockets(
  server: Server | TlsServer,
  path: string,
  receiver: Endpoint,
  onConnection: (connection: Connection) => void,
  secret: string | null = null,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  });
  server.on('upgrade', (request: IncomingMessage, tcpSocket, head: Buffer) => {
    tcpSocket.on('error', () => tcpSocket.destroy());
    const refusal = refusalOf(request, path, secret);
    if (refusal !== null) {
      tcpSocket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      // A client that does not close its end would keep the connection open.
      const timer = setTimeout(() => tcpSocket.destroy(), CLOSE_GRACE_MS);
      tcpSocket.once('close', () => clearTimeout(timer));
      return;
    }
    sockets.handleUpgrade(request, tcpSocket, head, (socket) => {
      const peer = `${request.socket.remoteAddress}:${request.socket.remotePort}`;
      onConnection(overWebSocket(socket, receiver, peer, () => request.socket.bytesRead));
    });
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

/** Returns the status with which an upgrade is rejected, or `null` if it is accepted. */
function refusalOf(request: IncomingMessage, path: string, secret: string | null): string | null {
  if ((request.url ?? '/').split('?', 1)[0] !== path) return '404 Not Found';
  // Browsers always send the origin of the requesting page, chiplets never.
  if (request.headers.origin !== undefined) return '403 Forbidden';
  if (secret === null) return null;
  const given = bearerOf(request.headers.authorization);
  return given !== null && isSameSecret(given, secret) ? null : '401 Unauthorized';
}

function overWebSocket(
  socket: WebSocket,
  receiver: Endpoint,
  peer: string,
  receivedBytes: () => number,
): Connection {
  let problem: string | null = null;
  const connection = new Connection(
    {
      send: ({ chunks, length }, onSent) => {
        // Small chunks are joined here, because otherwise the other end joins them and holds the
        // message twice.
        if (chunks.length > 1 && length <= MAX_JOINED_BYTES) {
          socket.send(Buffer.concat(chunks, length), { binary: true }, () => onSent());
          return;
        }
        // Sends the chunks as fragments of one message (RFC 6455, section 5.4), so that nothing is
        // joined in this process.
        const last = chunks.length - 1;
        for (let i = 0; i < last; i++) socket.send(chunks[i]!, { binary: true, fin: false });
        socket.send(chunks[last]!, { binary: true }, () => onSent());
      },
      close: (reason) => {
        const code = reason.startsWith('malformed') ? POLICY_VIOLATION : NORMAL_CLOSURE;
        socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES).toString('latin1'));
        setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
      },
      receivedBytes,
    },
    receiver,
    peer,
  );
  socket.on('message', (message: RawData, isBinary) => {
    if (isBinary) connection.receiveBytes(asBytes(message));
    else connection.close('malformed message: text; messages must be binary');
  });
  // 'error' is always followed by 'close'.
  socket.on('error', (error) => {
    problem = error.message;
  });
  socket.on('close', (code, reason) => {
    connection.transportClosed(problem ?? `closed by the peer (${`${code} ${reason}`.trim()})`);
  });
  return connection;
}

function asBytes(message: RawData): Uint8Array {
  if (Array.isArray(message)) return Buffer.concat(message);
  return message instanceof ArrayBuffer ? new Uint8Array(message) : message;
}
