/** What one client may take up: requests a minute, time to send one, headers, connections, streams of events. */
import type { Socket } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import { RenderError } from '@tessera/frame';
import { isLoopbackHost } from '@tessera/wire';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { App } from './app.ts';
import { PROBLEM_MEDIA_TYPE, problemOf } from './problem.ts';

const MINUTE_MS = 60_000;
/** Clients that are counted at once; beyond, the one that was away longest is forgotten. */
const MAX_CLIENTS = 10_000;
/** How often connections are looked at that take too long. */
const LOOK_EVERY_MS = 1000;
const HEALTH_ROUTES = ['/livez', '/readyz'];

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
    keyGenerator: ({ ip }) => ip,
    allowList: ({ ip, routeOptions }) =>
      isLoopbackHost(ip.replace(/^::ffff:/, '')) || HEALTH_ROUTES.includes(routeOptions.url ?? ''),
    errorResponseBuilder: () => new RenderError('RATE_LIMITED', `over ${max} requests a minute`),
  });
}

/** Problems for requests that never become one: cut off, too slow, too large in the head. */
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
