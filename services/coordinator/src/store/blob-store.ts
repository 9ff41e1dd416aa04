/**
 * Files named by the SHA-256 of their content, in the data folder: what was posted, pictures, timelines. A file
 * is written aside, forced to disk and renamed, so that one that has its name is whole. Who uses which file
 * stands in the journal; a file without users is removed.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  type BigIntStats,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlink,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RenderError, type Sha256 } from '@tessera/frame';
import type { Database } from './database.ts';
import { openIfWhole } from './file-check.ts';
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
/** Time for which a file that was hashed is not hashed again, unless it looks changed. */
const TRUST_MS = 600_000;
/** Longest time that a reader waits until a damaged file is made anew. */
const REPAIR_WITHIN_MS = 10_000;
const NO_THROW = { throwIfNoEntry: false } as const;

export class BlobStore {
  readonly #database: Database;
  readonly #filesFolder: string;
  readonly #incomingFolder: string;
  /** Files that are being written or whose user is not in the journal yet, and by how many. */
  readonly #holds = new Map<Sha256, number>();
  /** Files that were hashed: what they looked like then, and when. */
  readonly #checks = new Map<Sha256, { identity: string; readonly atMs: number }>();
  #repair: (sha256: Sha256) => Promise<void> = async (sha256) => {
    throw new RenderError('RESULT_DAMAGED', `the stored file ${sha256} is damaged or missing`);
  };
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

  /** Makes an empty file that is not part of the store, open to be read and written. The caller closes and removes it. */
  async openTemporary(): Promise<{ readonly path: string; readonly file: FileHandle }> {
    const path = join(this.#incomingFolder, randomUUID());
    return { path, file: await open(path, 'wx+') };
  }

  pathOf(sha256: Sha256): string {
    return blobPath(this.#filesFolder, sha256);
  }

  /** Sets what makes a damaged or missing file anew. It rejects with a `RenderError` that says why it cannot. */
  repairWith(repair: (sha256: Sha256) => Promise<void>): void {
    this.#repair = repair;
  }

  /** Returns the content of a file. @throws {RenderError} See {@link openVerified}. */
  async read(sha256: Sha256): Promise<Buffer> {
    const file = await this.openVerified(sha256);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  /**
   * Opens a file whose content was checked against its name. The caller closes it. A file that is removed or replaced
   * meanwhile stays readable.
   *
   * The whole file is hashed, at about 1 GB/s, unless it was hashed less than {@link TRUST_MS} ago and its inode, length
   * and times are what they were. A damaged or missing file is made anew first.
   *
   * @throws {RenderError} RESULT_DAMAGED while a file is made anew that takes long, or SOURCE_DAMAGED and others if it
   *   cannot be made anew.
   */
  async openVerified(sha256: Sha256): Promise<FileHandle> {
    const file = await this.#openIfWhole(sha256);
    if (file !== null) return file;
    const timeUp = new AbortController();
    const late = sleep(REPAIR_WITHIN_MS, true, { signal: timeUp.signal }).catch(() => false);
    const repaired = this.#repair(sha256).finally(() => timeUp.abort());
    const isLate = await Promise.race([repaired.then(() => false), late]);
    const again = isLate ? null : await this.#openIfWhole(sha256);
    if (again !== null) return again;
    const message = `the stored file ${sha256} is damaged; its frame is rendered again`;
    throw new RenderError('RESULT_DAMAGED', message);
  }

  async #openIfWhole(sha256: Sha256): Promise<FileHandle | null> {
    let check = { identity: '', atMs: performance.now() };
    const isTrusted = async (file: FileHandle): Promise<boolean> => {
      check.identity = identityOf(await file.stat({ bigint: true }));
      const earlier = this.#checks.get(sha256);
      if (earlier?.identity !== check.identity) return false;
      if (check.atMs - earlier.atMs > TRUST_MS) return false;
      check = earlier;
      return true;
    };
    const file = await openIfWhole(this.pathOf(sha256), isTrusted);
    if (file === null) this.#checks.delete(sha256);
    else this.#checks.set(sha256, check);
    return file;
  }

  /** Returns who uses a file. */
  ownersOf(sha256: Sha256): string[] {
    return this.#database
      .all('SELECT owner FROM blob_uses WHERE sha256 = ?', sha256)
      .map(({ owner }) => String(owner));
  }

  /** Checks files that a thread is about to read by their paths. @throws {RenderError} See {@link openVerified}. */
  async verify(blobs: readonly StoredBlob[]): Promise<void> {
    for (const { sha256 } of blobs) await (await this.openVerified(sha256)).close();
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
      if (file === null && (await this.#holdIfWhole(blob))) return blob;
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
    // A frame may name thousands: a statement for each would take the event loop for a second. In the order of the keys
    // each page of the journal is visited once.
    const list = JSON.stringify(blobs.map(({ sha256, bytes }) => [sha256, bytes]));
    this.#database.run(
      `INSERT OR IGNORE INTO blobs SELECT value ->> 0, value ->> 1 FROM json_each(?) ORDER BY 1`,
      list,
    );
    this.#database.run(
      `INSERT OR IGNORE INTO blob_uses SELECT value ->> 0, ? FROM json_each(?) ORDER BY 1`,
      owner,
      list,
    );
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
    const free = [...new Set(hashes)].filter((sha256) => !this.#holds.has(sha256));
    if (free.length === 0) return;
    // A frame may name thousands: statements for each would take the event loop for a second.
    const unused = this.#database
      .all(
        `SELECT value AS sha256, blobs.bytes AS bytes
           FROM json_each(?) LEFT JOIN blobs ON blobs.sha256 = value
           WHERE NOT EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.sha256 = value)`,
        JSON.stringify(free),
      )
      .map(({ sha256, bytes }) => ({
        sha256: String(sha256),
        recordedBytes: typeof bytes === 'number' ? bytes : null,
      }));
    const recorded = unused.filter(({ recordedBytes }) => recordedBytes !== null);
    if (recorded.length > 0) {
      this.#database.commitFreeing(() =>
        this.#database.run(
          'DELETE FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))',
          JSON.stringify(recorded.map(({ sha256 }) => sha256)),
        ),
      );
    }
    for (const { sha256, recordedBytes } of unused) {
      this.#checks.delete(sha256);
      const path = this.pathOf(sha256);
      const size = statSync(path, NO_THROW)?.size;
      // A damaged file has another length than the sum has of it.
      this.#totalBytes -= recordedBytes ?? size ?? 0;
      if (size === undefined) continue;
      // Gone in this turn, so that the same content may come again; giving up its pages takes longer.
      const aside = join(this.#incomingFolder, randomUUID());
      renameSync(path, aside);
      // What is left behind goes at the next start.
      unlink(aside, () => this.#database.restoreReserve());
    }
  }

  #hold(sha256: Sha256): void {
    this.#holds.set(sha256, (this.#holds.get(sha256) ?? 0) + 1);
  }

  /** Returns the length that the journal has of a file, or null if the file never had a user. */
  #recordedBytes(sha256: Sha256): number | null {
    const row = this.#database.first('SELECT bytes FROM blobs WHERE sha256 = ?', sha256);
    return row === undefined ? null : Number(row.bytes);
  }

  /** Holds a file that is in the store, durable (only such files have users) and not damaged. */
  async #holdIfWhole(blob: StoredBlob): Promise<boolean> {
    const { sha256 } = blob;
    if (this.ownersOf(sha256).length === 0) return false;
    this.#hold(sha256);
    const file = await openIfWhole(this.pathOf(sha256));
    await file?.close();
    if (file === null) this.release([blob]);
    return file !== null;
  }

  /** Gives a written file its name. A file that has the name already is replaced: it may be damaged. */
  async #place(file: IncomingFile, { sha256, bytes }: StoredBlob): Promise<void> {
    const path = this.pathOf(sha256);
    this.#hold(sha256);
    const folder = dirname(path);
    try {
      const isFolderNew = mkdirSync(folder, { recursive: true }) !== undefined;
      // No turn of the event loop between the look and the renaming: the same content may come twice at once.
      const isCounted =
        this.#recordedBytes(sha256) !== null || statSync(path, NO_THROW) !== undefined;
      renameSync(file.path, path);
      if (!isCounted) this.#totalBytes += bytes;
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

/** What changes when a file is written, replaced or truncated. */
function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** A full disk is a circumstance, not a bug. */
function asStorageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new RenderError('STORAGE_FULL', 'the data folder is full', { cause: error });
}
