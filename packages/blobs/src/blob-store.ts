/**
 * Content-addressed blobs that the processes of a cluster share: captures, models, images, reports.
 * A blob is named by the SHA-256 of its content, in lower-case hexadecimal, and never changes.
 */
import type { Readable } from 'node:stream';

/** Blobs of a cluster. All methods reject with {@link BlobStoreUnavailableError}. */
export interface BlobStore {
  /** Returns the length in bytes; null if the store has no such blob. */
  size(sha256: string): Promise<number | null>;
  /**
   * Stores a blob. When it resolves, the blob is as durable as the store makes it. Does nothing if
   * the store has a blob of this hash and length.
   *
   * @param bytes Length of the content.
   * @param open Opens the content from its beginning. It is called once per attempt.
   * @throws {BlobDamagedError} If the content does not match hash and length. Nothing is stored.
   *   Errors of the content's stream are passed on.
   */
  put(sha256: string, bytes: number, open: () => Readable): Promise<void>;
  /**
   * Returns the content as a stream. The stream withholds its last chunk until the content is
   * checked. It fails with {@link BlobDamagedError} or {@link BlobStoreUnavailableError}. The
   * caller reads it to its end or destroys it.
   *
   * @throws {BlobMissingError}
   */
  get(sha256: string): Promise<Readable>;
  /** Deletes a blob, or does nothing if the store has none. Streams that are open stay readable. */
  delete(sha256: string): Promise<void>;
}

/** Error of a blob that the store does not have. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
  readonly sha256: string;

  constructor(sha256: string) {
    super(`blob ${sha256}: is not in the store`);
    this.sha256 = sha256;
  }
}

/** Error of content that does not match its hash or length. */
export class BlobDamagedError extends Error {
  override readonly name = 'BlobDamagedError';
  readonly sha256: string;

  /** @param found Description of the content, such as its length or its hash. */
  constructor(sha256: string, found: string, options?: ErrorOptions) {
    super(`blob ${sha256}: the content is damaged: ${found}`, options);
    this.sha256 = sha256;
  }
}

/** Error of a store that is away, full, or refuses the caller. Wait and try again. */
export class BlobStoreUnavailableError extends Error {
  override readonly name = 'BlobStoreUnavailableError';
  /**
   * HTTP status that the store answered with; null if there was no answer. With 4xx, an operator
   * has to act.
   */
  readonly status: number | null;

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status ?? null;
  }
}

/** Rejects a name that is not a SHA-256, which would become part of a path. */
export function checkHash(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw new RangeError(`sha256: '${sha256}' is not 64 lower-case hexadecimal digits`);
  }
}
