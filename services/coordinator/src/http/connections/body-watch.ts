/**
 * Bounds the time for which the body of a request may occupy a connection.
 *
 * A body gets `TESSERA_HEADERS_MS`. After that it must have arrived at
 * `TESSERA_BODY_BYTES_PER_SECOND` on average, or the client gets 408. Only the time that the
 * service waits for the client counts. While received bytes are unread, the service is the slow
 * side. A client that continues to send after its answer is disconnected after a second.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { answerBrokenRequest, LINGER_MS, LOOK_EVERY_MS } from './request-limits.ts';

interface ArrivingBody {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Socket of the request, which drops its own reference when its stream is destroyed. */
  readonly socket: Socket;
  /** Bytes received on the connection before the body. */
  readonly startBytes: number;
  /** Time of the last check of the body, or of the arrival of its head. */
  lookedMs: number;
  /** Time that the service waited for the client, in milliseconds. */
  waitedMs: number;
  /** Time since the answer was sent, in milliseconds. */
  answeredMs: number;
}

/** Watches all bodies. Call it before other hooks are added, because those may answer. */
export function addBodyWatch(app: App, config: Config, log: FastifyBaseLogger): void {
  const arriving = new Set<ArrivingBody>();
  const { TESSERA_HEADERS_MS: graceMs, TESSERA_BODY_BYTES_PER_SECOND: bytesPerSecond } = config;

  app.addHook('onRequest', async ({ raw }, reply) => {
    if (!hasBody(raw)) return;
    const { socket } = raw;
    const startBytes = socket.bytesRead;
    arriving.add({
      request: raw,
      response: reply.raw,
      socket,
      startBytes,
      lookedMs: performance.now(),
      waitedMs: 0,
      answeredMs: 0,
    });
  });

  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const body of arriving) if (look(body, nowMs)) arriving.delete(body);
  }, LOOK_EVERY_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));

  /** Checks a body. Returns whether there is nothing more to watch. */
  function look(body: ArrivingBody, nowMs: number): boolean {
    const { request, response, socket, startBytes } = body;
    // A blocked event loop is not the client's fault.
    const elapsedMs = Math.min(nowMs - body.lookedMs, 2 * LOOK_EVERY_MS);
    body.lookedMs = nowMs;
    if (request.complete || socket.destroyed) return true;
    if (response.writableFinished) {
      body.answeredMs += elapsedMs;
      if (body.answeredMs < LINGER_MS) return false;
      socket.destroy();
      return true;
    }
    if (request.readableLength === 0) body.waitedMs += elapsedMs;
    const earnedMs = ((socket.bytesRead - startBytes) / bytesPerSecond) * 1000;
    if (body.waitedMs <= graceMs + earnedMs) return false;
    if (response.headersSent) socket.destroy();
    else answerBrokenRequest(new SlowBodyError(), socket, log);
    return true;
  }
}

/** Error like Node's own for a request that takes too long. */
class SlowBodyError extends Error {
  readonly code = 'ERR_HTTP_REQUEST_TIMEOUT';
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
