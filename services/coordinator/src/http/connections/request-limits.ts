/** Limits of single requests: how many a minute, the time to send a head, its size. Connections: connection-places.ts. */
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { RenderError } from '@tessera/frame';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { PROBLEM_MEDIA_TYPE, problemOf } from '../protocol/problem.ts';
import { clientKey, isFromThisMachine } from './client-address.ts';

const MINUTE_MS = 60_000;
/** Clients that are counted at once; beyond, the one that was away longest is forgotten. */
const MAX_CLIENTS = 10_000;
/** How often connections are looked at that take too long. */
export const LOOK_EVERY_MS = 1000;
/** How long the other end has to read a last answer and close, until its connection is cut. */
export const LINGER_MS = 1000;
/** Answered whoever asks, and however many do. */
export const HEALTH_ROUTES = ['/livez', '/readyz'];

/** Options of the server that listens, below fastify. */
export function serverOptions(config: Config) {
  return {
    maxHeaderSize: config.TESSERA_MAX_HEADER_BYTES,
    headersTimeout: config.TESSERA_HEADERS_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  };
}

/** Counts requests by address. Clients on this machine, and health requests, are not counted. */
export async function addRateLimit(app: App, config: Config): Promise<void> {
  const max = config.TESSERA_REQUESTS_PER_MINUTE;
  await app.register(rateLimit, {
    max,
    timeWindow: MINUTE_MS,
    cache: MAX_CLIENTS,
    keyGenerator: ({ ip }) => clientKey(ip),
    allowList: (request) =>
      isFromThisMachine(request) || HEALTH_ROUTES.includes(request.routeOptions.url ?? ''),
    errorResponseBuilder: () => new RenderError('RATE_LIMITED', `over ${max} requests a minute`),
  });
}

/**
 * Answers what never becomes a request with a problem: one that is cut off, too slow or too large in the head. Then the
 * connection is closed, for a second by halves so that the client can read the answer.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  log: FastifyBaseLogger,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Not the error itself, which holds what was sent, tokens included.
  log.debug({ code: error.code }, 'broken request');
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const problem = brokenRequestProblem(error);
  const body = JSON.stringify(problem);
  socket.end(
    `HTTP/1.1 ${problem.status} ${problem.code}\r\nContent-Type: ${PROBLEM_MEDIA_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

function brokenRequestProblem({ code, message }: NodeJS.ErrnoException) {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return problemOf('HEADERS_TOO_LARGE', 'the headers are larger than this service takes', '');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problemOf('REQUEST_TIMEOUT', 'the request took too long to arrive', '');
  }
  return problemOf('REQUEST_INVALID', `no HTTP: ${message}`, '');
}
