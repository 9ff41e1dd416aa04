/**
 * Contents that clients put under their SHA-256, to be named by frames: files of the {@link BlobStore}, kept until their sum
 * is over a limit and they are the longest unused. A frame that was admitted uses its files itself, so they outlive this.
 */
import { RenderError, type Sha256 } from '@tessera/frame';
import type { BlobStore, StoredBlob } from './blob-store.ts';
import type { Database } from './database.ts';
import { MissingResourcesError } from './missing-resources.ts';

const OWNER_PREFIX = 'resource:';
/** Follows all owners with the prefix. */
const OWNER_END = 'resource;';

/** As long as it is open, no resource that was there when it was opened, or came since, is removed from disk. */
export interface ResourceLease {
  /**
   * The files of these resources; they stay until the lease is closed.
   *
   * @throws {MissingResourcesError} If some are not there.
   */
  readonly take: (hashes: readonly Sha256[]) => StoredBlob[];
  readonly close: () => void;
}

export class ResourceStore {
  readonly #database: Database;
  readonly #blobs: BlobStore;
  readonly #maxBytes: number;
  /** The longest unused first; after a start in no particular order. */
  readonly #bytesByHash = new Map<Sha256, number>();
  #totalBytes = 0;
  /** By open lease, what left the store since it was opened; each file is held for it. */
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

  /**
   * Keeps a file that the caller holds. When this returns it is in the journal.
   *
   * @returns Whether it is new.
   * @throws {RenderError} LIMIT_EXCEEDED if it is larger than all resources may be together; STORAGE_FULL.
   */
  add(blob: StoredBlob): boolean {
    if (blob.bytes > this.#maxBytes) {
      const message = `body: ${blob.bytes} bytes; resources have ${this.#maxBytes} together`;
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    if (this.#touch(blob.sha256)) return false;
    this.#database.commit(() => this.#blobs.use(OWNER_PREFIX + blob.sha256, [blob]));
    this.#note(blob.sha256, blob.bytes);
    this.#removeOldest();
    return true;
  }

  /** To be closed when the frame that names resources is in the journal, or refused. */
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
    const taken: StoredBlob[] = [];
    for (const sha256 of hashes) {
      const bytes = this.#bytesByHash.get(sha256) ?? removed.get(sha256);
      if (bytes === undefined) missing.push(sha256);
      else taken.push({ sha256, bytes });
      this.#touch(sha256);
    }
    if (missing.length > 0) throw new MissingResourcesError(missing);
    return taken;
  }

  #note(sha256: Sha256, bytes: number): void {
    this.#bytesByHash.set(sha256, bytes);
    this.#totalBytes += bytes;
  }

  /** Makes a resource the last used. */
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
