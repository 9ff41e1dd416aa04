/** Blobs of an HTTP server: nginx with WebDAV, a gateway of Tessera, or S3. */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  BlobMissingError,
  type BlobStore,
  BlobStoreUnavailableError,
  checkHash,
} from './blob-store.ts';
import { checkContent, checkProvided } from './checked-content.ts';
import {
  openConnections,
  RETRY_WAITS_MS,
  type RepeatableRequest,
  sendRepeatedly,
} from './retried-request.ts';

/** SHA-256 of an empty body. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** Differences between kinds of servers. */
export interface BlobServer {
  /** Address in messages, without secrets. */
  readonly name: string;
  /** Whether the server deletes blobs. */
  readonly canDelete: boolean;
  /** Statuses that answer a successful PUT. */
  readonly storedStatuses: readonly number[];
  readonly urlOf: (sha256: string) => URL;
  /**
   * Returns the headers that prove who sends a request.
   *
   * @param bodySha256 SHA-256 of the body.
   */
  readonly authorize: (
    method: string,
    url: URL,
    bodySha256: string,
  ) => Promise<Readonly<Record<string, string>>>;
}

/** Blobs of a server. */
export class HttpBlobs implements BlobStore {
  readonly #server: BlobServer;
  readonly #connections = openConnections();
  readonly #waitsMs: readonly number[];

  /** @param waitsMs Waits before a request is repeated while the server is away. */
  constructor(server: BlobServer, waitsMs: readonly number[] = RETRY_WAITS_MS) {
    this.#server = server;
    this.#waitsMs = waitsMs;
  }

  async size(sha256: string): Promise<number | null> {
    const answer = await this.#send(sha256, 'HEAD', [200, 404]);
    await answer.body.dump();
    if (answer.statusCode === 404) return null;
    const bytes = lengthOf(answer);
    if (bytes !== null) return bytes;
    throw this.#unexpected('HEAD answered without Content-Length');
  }

  async put(sha256: string, bytes: number, open: () => Readable): Promise<void> {
    if ((await this.size(sha256)) === bytes) return;
    const answer = await this.#send(sha256, 'PUT', this.#server.storedStatuses, {
      bytes,
      open: () => checkProvided(open, { sha256, bytes }),
    });
    await answer.body.dump();
  }

  async get(sha256: string): Promise<Readable> {
    const answer = await this.#send(sha256, 'GET', [200, 404]);
    if (answer.statusCode === 404) {
      await answer.body.dump();
      throw new BlobMissingError(sha256);
    }
    return checkContent(answer.body, { sha256, bytes: lengthOf(answer) }, (error) =>
      this.#unexpected(`GET of ${sha256} broke off: ${error.message}`, error),
    );
  }

  async delete(sha256: string): Promise<void> {
    if (!this.#server.canDelete) throw this.#unexpected('the server deletes no blobs on request');
    await (await this.#send(sha256, 'DELETE', [200, 202, 204, 404])).body.dump();
  }

  #send(
    sha256: string,
    method: RepeatableRequest['method'],
    expected: readonly number[],
    content?: { readonly bytes: number; readonly open: () => Readable },
  ): Promise<Dispatcher.ResponseData> {
    checkHash(sha256);
    const url = this.#server.urlOf(sha256);
    const request: RepeatableRequest = {
      store: this.#server.name,
      method,
      url,
      expected,
      headers: async () => ({
        ...(await this.#server.authorize(method, url, content ? sha256 : EMPTY_SHA256)),
        ...(content && {
          'content-type': 'application/octet-stream',
          'content-length': String(content.bytes),
        }),
      }),
      ...(content && { body: content.open }),
    };
    return sendRepeatedly(this.#connections, request, this.#waitsMs);
  }

  #unexpected(problem: string, cause?: Error): BlobStoreUnavailableError {
    return new BlobStoreUnavailableError(`blob store ${this.#server.name}: ${problem}`, { cause });
  }
}

function lengthOf({ headers }: Dispatcher.ResponseData): number | null {
  const length = headers['content-length'];
  return typeof length === 'string' ? Number(length) : null;
}
