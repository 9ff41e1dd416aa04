/** HTTP client of the service, with the types of its OpenAPI document for each operation. */
import { type Dispatcher, fetch, type Response } from 'undici';
import { OPERATIONS, type Operations, type Problem } from './generated.ts';
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts';

/** Name of an operation in the OpenAPI document. */
export type OperationName = keyof Operations;

/** Answer of an operation, with its headers. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'] & {
  readonly headers: Readonly<Record<string, string>>;
};

/** Parameters and body of an operation. */
export interface CallOptions<Name extends OperationName> {
  readonly parameters?: Operations[Name]['parameters'];
  readonly body?: Operations[Name]['body'];
  /** Headers in addition to those of the parameters: `Accept`, `Prefer`, `If-None-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Names of the operations that answer with a stream of events. */
export type EventOperationName = 'watchFrame' | 'watchService' | 'watchStudy';

/** Options of a {@link TesseraClient}. */
export interface TesseraClientOptions {
  /** Bearer token to send. */
  readonly token?: string;
  /** Dispatcher of undici: a pool of connections, a proxy, other timeouts. */
  readonly dispatcher?: Dispatcher;
}

/** A problem (RFC 9457) that the service answered with. */
export class TesseraError extends Error {
  override readonly name = 'TesseraError';
  readonly status: number;
  readonly code: Problem['code'];
  /** Seconds after which to retry; null if a retry does not help. */
  readonly retryAfterSeconds: number | null;
  /** Hashes to upload after RESOURCES_MISSING; else empty. */
  readonly missing: readonly string[];

  constructor(problem: Problem, retryAfterSeconds: number | null) {
    super(`${problem.code}: ${problem.detail}`);
    this.status = problem.status;
    this.code = problem.code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.missing = problem.missing ?? [];
  }
}

/**
 * Client of one service.
 *
 * @example
 * const client = new TesseraClient('http://127.0.0.1:8080');
 * const { value } = await client.call('postFrame', {
 *   body: { mediaType: 'model/gltf-binary', value: glb },
 *   headers: { Prefer: 'wait=60' },
 * });
 */
export class TesseraClient {
  readonly #origin: string;
  readonly #options: TesseraClientOptions;

  /** @param origin Origin of the service, such as `http://127.0.0.1:8080`. */
  constructor(origin: string, options: TesseraClientOptions = {}) {
    this.#origin = origin.replace(/\/$/, '');
    this.#options = options;
  }

  /**
   * Calls an operation.
   *
   * @throws {TesseraError} If the service answers with status 4xx or 5xx.
   */
  async call<Name extends OperationName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): Promise<AnswerOf<Name>> {
    const response = await this.#send(name, options);
    const headers = Object.fromEntries(response.headers);
    const mediaType = headers['content-type']?.split(';', 1)[0] ?? null;
    const value = readValue(mediaType, new Uint8Array(await response.arrayBuffer()));
    // Status and media type are among those in the OpenAPI document.
    return { status: response.status, mediaType, value, headers } as unknown as AnswerOf<Name>;
  }

  /**
   * Yields events until the service ends the stream or the caller leaves the loop.
   *
   * @throws {TesseraError} If the service answers with status 4xx or 5xx.
   */
  async *events<Name extends EventOperationName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): AsyncGenerator<ServerSentEvent> {
    const headers = { Accept: 'text/event-stream', ...options.headers };
    const { body } = await this.#send(name, { ...options, headers });
    if (body !== null) yield* readServerSentEvents(body);
  }

  async #send<Name extends OperationName>(
    name: Name,
    { parameters = {}, body, headers = {}, signal }: CallOptions<Name>,
  ): Promise<Response> {
    const { method, path, query, headers: headerNames } = OPERATIONS[name];
    const given = parameters as Readonly<Record<string, unknown>>;
    const place = path.replace(/\{(\w+)\}/g, (_all, field: string) =>
      encodeURIComponent(String(given[field])),
    );
    const url = new URL(this.#origin + place);
    for (const field of query) {
      if (given[field] !== undefined) url.searchParams.set(field, String(given[field]));
    }
    const sent: Record<string, string> = { ...headers };
    for (const field of headerNames) {
      if (given[field] !== undefined) sent[field] = String(given[field]);
    }
    if (this.#options.token !== undefined) sent.Authorization = `Bearer ${this.#options.token}`;
    const content = body as { mediaType: string; value: unknown } | null | undefined;
    if (content) sent['Content-Type'] = content.mediaType;
    const { dispatcher } = this.#options;
    const response = await fetch(url, {
      method,
      headers: sent,
      body: content ? writeValue(content.value) : null,
      signal: signal ?? null,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
    if (response.status >= 400) throw await readProblem(response);
    return response;
  }
}

/** Reads the problem that a service answered with. */
export async function readProblem(response: Response): Promise<Error> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) {
    return new Error(`HTTP ${response.status}: ${text.slice(0, 200)}`);
  }
  const retryAfter = response.headers.get('retry-after');
  const seconds = retryAfter === null ? null : Number(retryAfter);
  // JSON, according to the media type
  return new TesseraError(JSON.parse(text) as Problem, seconds);
}

function readValue(mediaType: string | null, bytes: Uint8Array): unknown {
  if (mediaType === null || bytes.length === 0) return null;
  const isText = /^(text\/|image\/svg|application\/json)/.test(mediaType);
  if (!isText) return bytes;
  const text = new TextDecoder().decode(bytes);
  return mediaType === 'application/json' ? JSON.parse(text) : text;
}

function writeValue(value: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof value === 'string') return value;
  return value instanceof Uint8Array ? new Uint8Array(value) : JSON.stringify(value);
}
