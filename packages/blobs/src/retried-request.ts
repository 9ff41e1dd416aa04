/** Requests to a blob server that are repeated while the server is away. */
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { BlobStoreUnavailableError } from './blob-store.ts';
import { causeOf } from './checked-content.ts';

/** Request that can be sent several times. */
export interface RepeatableRequest {
  /** Name of the store in messages. */
  readonly store: string;
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** Returns the headers of one attempt, because signatures contain the time. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** Opens the body of one attempt: content of `checkProvided`. */
  readonly body?: () => Readable;
  /** Statuses to return. All others are errors. */
  readonly expected: readonly number[];
}

/** Waits before the second and later attempts, in milliseconds: at most 3.75 s in total. */
export const RETRY_WAITS_MS: readonly number[] = [250, 500, 1000, 2000];
/** Statuses of a server that may accept the same request later. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429;
/** Wall time that a connection may take to open. */
const CONNECT_MS = 10_000;
/** Wall time without progress after which a server counts as away, while it sends or receives. */
const STALLED_MS = 60_000;
/** Wall time for an answer after the whole body was sent: the server may hash 5 GB meanwhile. */
const ANSWER_MS = 300_000;
/** Length of an error text that a message quotes, in characters. */
const QUOTED_LENGTH = 300;

/** Returns the connections of one store. Idle connections do not keep the process alive. */
export function openConnections(): Dispatcher {
  return new Agent({
    connect: { timeout: CONNECT_MS },
    headersTimeout: ANSWER_MS,
    bodyTimeout: STALLED_MS,
  });
}

/**
 * Sends a request until an attempt succeeds. The caller reads the body of the answer or destroys
 * it.
 *
 * @param waitsMs Upper bounds on the waits before the second and later attempts.
 * @throws {BlobStoreUnavailableError} If the last attempt fails, or at once if the server refuses
 *   the request. Errors of the request's body are passed on.
 */
export async function sendRepeatedly(
  connections: Dispatcher,
  request: RepeatableRequest,
  waitsMs: readonly number[],
): Promise<Dispatcher.ResponseData> {
  for (let attempt = 0; ; attempt++) {
    const answer = await sendOnce(connections, request);
    if (!(answer instanceof BlobStoreUnavailableError)) return answer;
    const waitMs = waitsMs[attempt];
    const isFinal = answer.status !== null && !isPassing(answer.status);
    if (isFinal || waitMs === undefined) throw answer;
    // Random, so that the processes of a cluster do not return all at once.
    await sleep(waitMs * (0.5 + Math.random() / 2));
  }
}

/** Returns the answer, or the error of an attempt that the store made fail. */
async function sendOnce(
  connections: Dispatcher,
  { store, method, url, headers, body: openBody, expected }: RepeatableRequest,
): Promise<Dispatcher.ResponseData | BlobStoreUnavailableError> {
  let answer: Dispatcher.ResponseData;
  const sentHeaders = await headers();
  try {
    const body = openBody?.() ?? null;
    // If the server answers early, the rest of the body is dropped with an error.
    body?.on('error', () => {});
    answer = await connections.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: sentHeaders,
      body,
    });
  } catch (error) {
    const cause = causeOf(error);
    if (cause.isContent) throw cause.error;
    const message = `blob store ${store}: ${method} failed: ${describe(cause.error)}`;
    return new BlobStoreUnavailableError(message, { cause: error });
  }
  const { statusCode: status } = answer;
  if (expected.includes(status)) return answer;
  const text = await answer.body.text().catch(() => '');
  const quoted = text.replaceAll(/\s+/g, ' ').slice(0, QUOTED_LENGTH);
  return new BlobStoreUnavailableError(
    `blob store ${store}: ${method} answered with status ${status}; expected ${expected.join(', ')}: ${quoted}`,
    { status },
  );
}

/** Returns the message of an error; that of a refused connection is empty and has a code. */
function describe(error: Error): string {
  return error.message || String((error as NodeJS.ErrnoException).code ?? error.name);
}
