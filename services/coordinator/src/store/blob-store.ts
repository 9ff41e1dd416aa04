/**
 * Files named by the SHA-256 of their content, in the data folder: what was posted, pictures, timelines. A file
 * is written aside, forced to disk and renamed, so that one that has its name is whole. Who uses which file
 * stands in the journal; a file without users is removed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, unlink } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RenderError, type Sha256 } from '@tessera/frame';
import type { Database } from './database.ts';
import { IncomingFile, syncFolder } from './incoming-file.ts';

/** A file of the store. */
export interface StoredBlob {
  readonly sha256: Sha256;
  readonly bytes: number;
}

/** Where the file of this name lies. */
export function blobPath(filesFolder: string, sha256: Sha256): string {
  return join(filesFolder, sha256.slice(0, 2), sha256);
}

/** A write is a turn of a thread and of the event loop: sockets give 64 KiB at a time, so some of these go at once. */
const BATCH_BYTES = 2 ** 20;
/** What is not larger is hashed before it is written: what is there already is not written again. */
const FIRST_BATCH_BYTES = 2 ** 22;
const NO_THROW = { throwIfNoEntry: false } as const;

export class BlobStore {
  readonly #database: Database;
  readonly #filesFolder: string;
  readonly #incomingFolder: string;
  /** Files that are being written or whose user is not in the journal yet, and by how many. */
  readonly #holds = new Map<Sha256, number>();
  #totalBytes: number;

  /** Takes a folder over: what an earlier process left half-written or without a user is removed. */
  constructor(database: Database, folder: string) {
    this.#database = database;
    this.#filesFolder = join(folder, 'files');
    this.#incomingFolder = join(folder, 'incoming');
    rmSync(this.#incomingFolder, { recursive: true, force: true });
    mkdirSync(this.#incomingFolder, { recursive: true });
    mkdirSync(this.#filesFolder, { recursive: true });
    this.#removeUnknownFiles();
    this.#totalBytes = Number(database.first('SELECT SUM(bytes) AS sum FROM blobs')?.sum ?? 0);
  }

  /** Bytes of all files. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Where {@link blobPath} counts from. */
  get folder(): string {
    return this.#filesFolder;
  }

  pathOf(sha256: Sha256): string {
    return blobPath(this.#filesFolder, sha256);
  }

  async read(sha256: Sha256): Promise<Buffer> {
    return readFile(this.pathOf(sha256));
  }

  /** Writes bytes; see {@link writeStream}. */
  async write(bytes: Uint8Array): Promise<StoredBlob> {
    return this.writeStream([bytes], Number.POSITIVE_INFINITY);
  }

  /**
   * Writes a stream to disk, some chunks at a time. When this returns the file is durable, and held: to be given
   * a user with {@link use} or given up with {@link release}, once each.
   *
   * @throws {RenderError} LIMIT_EXCEEDED beyond `maxBytes`; STORAGE_FULL. And what the stream throws.
   */
  async writeStream(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    maxBytes: number,
  ): Promise<StoredBlob> {
    const hash = createHash('sha256');
    let bytes = 0;
    let file: IncomingFile | null = null;
    let batch: Uint8Array[] = [];
    let batchBytes = 0;
    try {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > maxBytes) {
          throw new RenderError('LIMIT_EXCEEDED', `body: more than ${maxBytes} bytes`);
        }
        hash.update(chunk);
        batch.push(chunk);
        batchBytes += chunk.length;
        if (batchBytes < (file === null ? FIRST_BATCH_BYTES : BATCH_BYTES)) continue;
        file ??= new IncomingFile(this.#incomingFolder);
        await file.write(batch);
        batch = [];
        batchBytes = 0;
      }
      const blob = { sha256: hash.digest('hex'), bytes };
      if (file === null && this.#isKnown(blob)) {
        this.#hold(blob.sha256);
        return blob;
      }
      file ??= new IncomingFile(this.#incomingFolder);
      if (batchBytes > 0) await file.write(batch);
      await file.finish();
      await this.#place(file, blob);
      return blob;
    } catch (error) {
      await file?.giveUp();
      throw asStorageError(error);
    }
  }

  /** Enters a user of held files into the journal; to be called within a transaction. */
  use(owner: string, blobs: readonly StoredBlob[]): void {
    for (const { sha256, bytes } of blobs) {
      this.#database.run('INSERT OR IGNORE INTO blobs VALUES (?, ?)', sha256, bytes);
      this.#database.run('INSERT OR IGNORE INTO blob_uses VALUES (?, ?)', sha256, owner);
    }
  }

  /** Takes a user out of the journal; to be called within a transaction. Gives what it used. */
  dropUser(owner: string): Sha256[] {
    const used = this.#database
      .all('SELECT sha256 FROM blob_uses WHERE owner = ?', owner)
      .map((row) => String(row.sha256));
    this.#database.run('DELETE FROM blob_uses WHERE owner = ?', owner);
    return used;
  }

  /** Holds files that have a user, so that they outlive it until {@link release}. */
  hold(blobs: readonly StoredBlob[]): void {
    for (const { sha256 } of blobs) this.#hold(sha256);
  }

  /** Gives held files up; those without users are removed. */
  release(blobs: readonly StoredBlob[]): void {
    for (const { sha256 } of blobs) {
      const holds = this.#holds.get(sha256) ?? 0;
      if (holds > 1) this.#holds.set(sha256, holds - 1);
      else this.#holds.delete(sha256);
    }
    this.removeUnused(blobs.map(({ sha256 }) => sha256));
  }

  /** Removes those of the files that nobody uses or holds. */
  removeUnused(hashes: readonly Sha256[]): void {
    for (const sha256 of hashes) {
      if (this.#holds.has(sha256)) continue;
      const isUsed = this.#database.first('SELECT 1 FROM blob_uses WHERE sha256 = ?', sha256);
      if (isUsed !== undefined) continue;
      this.#database.run('DELETE FROM blobs WHERE sha256 = ?', sha256);
      const path = this.pathOf(sha256);
      const size = statSync(path, NO_THROW)?.size;
      if (size === undefined) continue;
      this.#totalBytes -= size;
      // Gone in this turn, so that the same content may come again; giving up its pages takes longer.
      const aside = join(this.#incomingFolder, randomUUID());
      renameSync(path, aside);
      // What is left behind goes at the next start.
      unlink(aside, () => {});
    }
  }

  #hold(sha256: Sha256): void {
    this.#holds.set(sha256, (this.#holds.get(sha256) ?? 0) + 1);
  }

  /** Whether the file is in the store and durable: only such have users. */
  #isKnown({ sha256 }: StoredBlob): boolean {
    const isUsed = this.#database.first('SELECT 1 FROM blob_uses WHERE sha256 = ?', sha256);
    return isUsed !== undefined && statSync(this.pathOf(sha256), NO_THROW) !== undefined;
  }

  async #place(file: IncomingFile, { sha256, bytes }: StoredBlob): Promise<void> {
    const path = this.pathOf(sha256);
    this.#hold(sha256);
    const folder = dirname(path);
    try {
      const isFolderNew = mkdirSync(folder, { recursive: true }) !== undefined;
      // No turn of the event loop between the look and the renaming: the same content may come twice at once.
      if (statSync(path, NO_THROW) === undefined) {
        renameSync(file.path, path);
        this.#totalBytes += bytes;
      } else {
        await file.giveUp();
      }
      // A name is durable when its folder is.
      await syncFolder(folder);
      if (isFolderNew) await syncFolder(this.#filesFolder);
    } catch (error) {
      this.release([{ sha256, bytes }]);
      throw error;
    }
  }

  #removeUnknownFiles(): void {
    const known = new Set(
      this.#database.all('SELECT sha256 FROM blob_uses').map((row) => row.sha256),
    );
    for (const row of this.#database.all('SELECT sha256 FROM blobs')) {
      if (known.has(row.sha256)) continue;
      this.#database.run('DELETE FROM blobs WHERE sha256 = ?', String(row.sha256));
    }
    for (const folder of readdirSync(this.#filesFolder)) {
      for (const name of readdirSync(join(this.#filesFolder, folder))) {
        if (!known.has(name)) rmSync(join(this.#filesFolder, folder, name), { recursive: true });
      }
    }
  }
}

/** A full disk is a circumstance, not a bug. */
function asStorageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new RenderError('STORAGE_FULL', 'the data folder is full', { cause: error });
}
