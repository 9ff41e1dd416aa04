/** The service over HTTP, each operation with the types of its OpenAPI document. */
import { type Dispatcher, fetch, type Response } from 'undici';
import { OPERATIONS, type Operations, type Problem } from './generated.ts';
import { readServerSentEvents, type ServerSentEvent } from './server-sent-events.ts';

export type OperationName = keyof Operations;

/** The answer of an operation, with the headers that came with it. */
export type AnswerOf<Name extends OperationName> = Operations[Name]['answer'] & {
  readonly headers: Readonly<Record<string, string>>;
};

/** What an operation is asked with. */
export interface CallOptions<Name extends OperationName> {
  readonly parameters?: Operations[Name]['parameters'];
  readonly body?: Operations[Name]['body'];
  /** Beside those of the parameters: `Accept`, `Prefer`, `If-None-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Operations whose answer is a stream of events. */
export type EventOperationName = 'watchFrame' | 'watchService' | 'watchStudy';

export interface TesseraClientOptions {
  /** Sent as a bearer token. */
  readonly token?: string;
  /** undici's: a pool of connections, a proxy, other time-outs. */
  readonly dispatcher?: Dispatcher;
}

/** An answer that is a problem (RFC 9457). */
export class TesseraError extends Error {
  override readonly name = 'TesseraError';
  readonly status: number;
  readonly code: Problem['code'];
  /** Seconds after which to try again; null where that would not help. */
  readonly retryAfterSeconds: number | null;
  /** With RESOURCES_MISSING, the hashes to be put; else none. */
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

  /** @param origin Such as `http://127.0.0.1:8080`. */
  constructor(origin: string, options: TesseraClientOptions = {}) {
    this.#origin = origin.replace(/\/$/, '');
    this.#options = options;
  }

  /** @throws {TesseraError} For a 4xx or 5xx. */
  async call<Name extends OperationName>(
    name: Name,
    options: CallOptions<Name> = {},
  ): Promise<AnswerOf<Name>> {
    const response = await this.#send(name, options);
    const headers = Object.fromEntries(response.headers);
    const mediaType = headers['content-type']?.split(';', 1)[0] ?? null;
    const value = readValue(mediaType, new Uint8Array(await response.arrayBuffer()));
    // The status and media type are among those that the document names for the operation.
    return { status: response.status, mediaType, value, headers } as unknown as AnswerOf<Name>;
  }

  /**
   * Events until the service ends the stream or the loop is left.
   *
   * @throws {TesseraError} For a 4xx or 5xx.
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

async function readProblem(response: Response): Promise<Error> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('application/problem+json')) {
    return new Error(`HTTP ${response.status}: ${text.slice(0, 200)}`);
  }
  const retryAfter = response.headers.get('retry-after');
  const seconds = retryAfter === null ? null : Number(retryAfter);
  return new TesseraError(JSON.parse(text) as Problem, seconds); // as the media type says
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
