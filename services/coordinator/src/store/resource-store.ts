/**
 * Resources that clients upload under their SHA-256 for frames to name. They are files of the
 * {@link BlobStore}. When their total exceeds a limit, the least recently used ones are removed. An
 * admitted frame owns its files itself, so they outlive this store.
 */
import { RenderError, type Sha256 } from '@tessera/frame';
import type { BlobStore, StoredBlob } from './blob-store.ts';
import type { Database } from './database.ts';
import { MissingResourcesError } from './missing-resources.ts';

const OWNER_PREFIX = 'resource:';
/** Follows all owners with the prefix in sort order. */
const OWNER_END = 'resource;';

/**
 * Lease of the resources. While it is open, no resource that existed when it was opened or was
 * added since is removed from disk.
 */
export interface ResourceLease {
  /**
   * Returns the files of these resources. They stay until the lease is closed.
   *
   * @throws {MissingResourcesError} If some are missing.
   */
  readonly take: (hashes: readonly Sha256[]) => StoredBlob[];
  readonly close: () => void;
}

/** Uploaded resources, bounded by their total size. */
export class ResourceStore {
  readonly #database: Database;
  readonly #blobs: BlobStore;
  readonly #maxBytes: number;
  /** Bytes of each resource, least recently used first. The order after a start is arbitrary. */
  readonly #bytesByHash = new Map<Sha256, number>();
  #totalBytes = 0;
  /**
   * Files that left the store since a lease was opened, per open lease. Each lease holds its files.
   */
  readonly #leases = new Set<Map<Sha256, number>>();

  constructor(database: Database, blobs: BlobStore, maxBytes: number) {
    this.#database = database;
    this.#blobs = blobs;
    this.#maxBytes = maxBytes;
    const rows = database.all(
      `SELECT blobs.sha256, bytes FROM blob_uses JOIN blobs ON blobs.sha256 = blob_uses.sha256
         WHERE owner >= ? AND owner < ?`,
      OWNER_PREFIX,
      OWNER_END,
    );
    for (const { sha256, bytes } of rows) this.#note(String(sha256), Number(bytes));
    this.#removeOldest();
  }

  /** Bytes of all resources. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  has(sha256: Sha256): boolean {
    return this.#bytesByHash.has(sha256);
  }

  /** Returns the hashes of the resources used last, newest first. */
  newest(limit: number): Sha256[] {
    return [...this.#bytesByHash.keys()].slice(-limit).reverse();
  }

  /**
   * Adds a file that the caller holds. It is in the journal when this returns.
   *
   * @param client Client that the bytes count for if the resource is new; empty for none.
   * @returns Whether the resource is new.
   * @throws {RenderError} LIMIT_EXCEEDED if it is larger than the limit of all resources;
   *   STORAGE_FULL.
   */
  add(blob: StoredBlob, client = ''): boolean {
    if (blob.bytes > this.#maxBytes) {
      const message = `body: ${blob.bytes} bytes; all resources together may have ${this.#maxBytes}`;
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    if (this.#touch(blob.sha256)) return false;
    this.#database.commit(() => this.#blobs.use(OWNER_PREFIX + blob.sha256, [blob], client));
    this.#note(blob.sha256, blob.bytes);
    this.#removeOldest();
    return true;
  }

  /** Opens a lease. Close it when the frame that names resources is in the journal or rejected. */
  lease(): ResourceLease {
    const removed = new Map<Sha256, number>();
    this.#leases.add(removed);
    return {
      take: (hashes) => this.#take(hashes, removed),
      close: () => {
        if (!this.#leases.delete(removed)) return;
        this.#blobs.release([...removed].map(([sha256, bytes]) => ({ sha256, bytes })));
      },
    };
  }

  #take(hashes: readonly Sha256[], removed: ReadonlyMap<Sha256, number>): StoredBlob[] {
    const missing: Sha256[] = [];
    const found: StoredBlob[] = [];
    for (const sha256 of hashes) {
      const bytes = this.#bytesByHash.get(sha256) ?? removed.get(sha256);
      if (bytes === undefined) missing.push(sha256);
      else found.push({ sha256, bytes });
      this.#touch(sha256);
    }
    if (missing.length > 0) throw new MissingResourcesError(missing);
    return found;
  }

  #note(sha256: Sha256, bytes: number): void {
    this.#bytesByHash.set(sha256, bytes);
    this.#totalBytes += bytes;
  }

  /** Marks a resource as most recently used. Returns whether it exists. */
  #touch(sha256: Sha256): boolean {
    const bytes = this.#bytesByHash.get(sha256);
    if (bytes === undefined) return false;
    this.#bytesByHash.delete(sha256);
    this.#bytesByHash.set(sha256, bytes);
    return true;
  }

  #removeOldest(): void {
    const removed: Sha256[] = [];
    for (const [sha256, bytes] of this.#bytesByHash) {
      if (this.#totalBytes <= this.#maxBytes) break;
      this.#bytesByHash.delete(sha256);
      this.#totalBytes -= bytes;
      removed.push(sha256);
      for (const lease of this.#leases) {
        if (lease.has(sha256)) continue;
        this.#blobs.hold([{ sha256, bytes }]);
        lease.set(sha256, bytes);
      }
    }
    if (removed.length === 0) return;
    this.#database.commit(() => {
      for (const sha256 of removed) this.#blobs.dropUser(OWNER_PREFIX + sha256);
    });
    this.#blobs.removeUnused(removed);
  }
}
