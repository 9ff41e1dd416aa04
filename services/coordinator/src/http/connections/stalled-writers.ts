/**
 * Closes connections whose client does not receive its answer. In each period a client must receive
 * everything that waited for it at the start of the period, or a minimum of it. A slow client can
 * continue. A client that receives nothing, or a few bytes, does not occupy its connection, file
 * and buffers.
 */
import type { Server, Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { App } from '../protocol/app.ts';
import { SLICE_BYTES, streamPieces } from '../protocol/stored-results.ts';

/** Bytes that a client must receive per period if at least as many wait. */
const MIN_TAKEN_BYTES = 2 ** 16;

/** Bytes of a connection that waited and that were sent at the start of a period. */
interface Progress {
  readonly waitingBytes: number;
  readonly takenBytes: number;
}

/**
 * Checks all connections of a server once per period.
 *
 * @param periodMs Wall time of a period.
 * @returns Function that stops the checks.
 */
export function closeStalledWriters(
  server: Server,
  periodMs: number,
  log: FastifyBaseLogger,
): () => void {
  const progressBySocket = new Map<Socket, Progress>();
  const add = (socket: Socket) => {
    progressBySocket.set(socket, { waitingBytes: 0, takenBytes: 0 });
    socket.once('close', () => progressBySocket.delete(socket));
  };
  const look = () => {
    for (const [socket, before] of progressBySocket) {
      const waitingBytes = socket.writableLength;
      const takenBytes = socket.bytesWritten - waitingBytes;
      const wantedBytes = Math.min(before.waitingBytes, MIN_TAKEN_BYTES);
      if (takenBytes - before.takenBytes < wantedBytes) {
        log.info(
          { waitingBytes, periodMs },
          'connection closed because its client receives nothing',
        );
        socket.destroy();
        continue;
      }
      progressBySocket.set(socket, { waitingBytes, takenBytes });
    }
  };
  // The links of chiplets have limits of their own.
  const forget = (_request: unknown, socket: Socket) => progressBySocket.delete(socket);
  server.on('connection', add);
  server.on('secureConnection', add);
  server.on('upgrade', forget);
  const timer = setInterval(look, periodMs).unref();
  return () => {
    clearInterval(timer);
    server.off('connection', add);
    server.off('secureConnection', add);
    server.off('upgrade', forget);
  };
}

/** Passes large bodies to their connections in slices, which share the memory of the body. */
export function addSlicedBodies(app: App): void {
  app.addHook('onSend', async (_request, reply, payload: unknown) => {
    const isLarge =
      (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > SLICE_BYTES;
    if (!isLarge) return payload;
    const body = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    reply.header('Content-Length', body.length);
    return streamPieces([body]);
  });
}
