/**
 * Limits of single requests: their rate, the size of a head, and the time to receive it. Limits of
 * connections: connection-places.ts.
 */
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { RenderError } from '@tessera/frame';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { PROBLEM_MEDIA_TYPE, problemOf } from '../protocol/problem.ts';
import { clientKey, isFromThisMachine } from './client-address.ts';

const MINUTE_MS = 60_000;
/** Upper bound on clients that are counted. Beyond it the least recent one is dropped. */
const MAX_CLIENTS = 10_000;
/** Interval between two checks for connections that take too long. */
export const LOOK_EVERY_MS = 1000;
/** Time in which the client must read the last answer and close before its connection is cut. */
export const LINGER_MS = 1000;
/** Routes that always answer, without a token or a limit. */
export const HEALTH_ROUTES = ['/livez', '/readyz'];

/** Returns the options of the Node server below fastify. */
export function serverOptions(config: Config) {
  return {
    maxHeaderSize: config.TESSERA_MAX_HEADER_BYTES,
    headersTimeout: config.TESSERA_HEADERS_MS,
    connectionsCheckingInterval: LOOK_EVERY_MS,
  };
}

/**
 * Limits the rate of requests per address. Clients on this machine and health requests are exempt.
 */
export async function addRateLimit(app: App, config: Config): Promise<void> {
  const max = config.TESSERA_REQUESTS_PER_MINUTE;
  await app.register(rateLimit, {
    max,
    timeWindow: MINUTE_MS,
    cache: MAX_CLIENTS,
    keyGenerator: ({ ip }) => clientKey(ip),
    allowList: (request) =>
      isFromThisMachine(request) || HEALTH_ROUTES.includes(request.routeOptions.url ?? ''),
    errorResponseBuilder: () =>
      new RenderError('RATE_LIMITED', `more than ${max} requests per minute`),
  });
}

/**
 * Answers a connection whose bytes never become a request with a problem: the head is cut off, too
 * slow or too large. Then closes the connection, with a second for the client to read the answer.
 */
export function answerBrokenRequest(
  error: NodeJS.ErrnoException,
  socket: Socket,
  log: FastifyBaseLogger,
): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // The error is not logged, because it contains the received bytes, including tokens.
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
    return problemOf('HEADERS_TOO_LARGE', 'the head of the request is too large', '');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return problemOf('REQUEST_TIMEOUT', 'the request took too long to arrive', '');
  }
  return problemOf('REQUEST_INVALID', `not an HTTP request: ${message}`, '');
}
