/**
 * Files named by the SHA-256 of their content, in the data folder: posted files, images, timelines.
 * Each file is written to a temporary name, forced to disk and renamed, so a file with its final
 * name is complete. The journal records the owners of each file; a file without owners is removed.
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

/** File of the store. */
export interface StoredBlob {
  readonly sha256: Sha256;
  readonly bytes: number;
}

/** Returns the path of a file. */
export function blobPath(filesFolder: string, sha256: Sha256): string {
  return join(filesFolder, sha256.slice(0, 2), sha256);
}

/**
 * Bytes per write. A write takes a turn of a thread and of the event loop, and sockets deliver 64
 * KiB at a time, so chunks are collected.
 */
const BATCH_BYTES = 2 ** 20;
/**
 * Bytes up to which a body is hashed before it is written, so that content that exists already is
 * not written again.
 */
const FIRST_BATCH_BYTES = 2 ** 22;
/** Time for which a hashed file is trusted if it looks unchanged. */
const TRUST_MS = 600_000;
/** Upper bound on the time a reader waits for the repair of a damaged file. */
const REPAIR_WITHIN_MS = 10_000;
/**
 * Files that are removed in one turn of the event loop, in about 5 ms. A frame may name thousands.
 */
const REMOVED_PER_TURN = 256;
const NO_THROW = { throwIfNoEntry: false } as const;

/** Content-addressed files with owners. */
export class BlobStore {
  readonly #database: Database;
  readonly #filesFolder: string;
  readonly #incomingFolder: string;
  /**
   * Number of holds per file. A held file is being written or used, and its owner may not be in the
   * journal yet.
   */
  readonly #holds = new Map<Sha256, number>();
  /** Files that no one uses and a later turn removes, with their bytes in the journal until now. */
  readonly #leaving = new Map<Sha256, number | null>();
  /** Identity and time at the last hash, per file. */
  readonly #checks = new Map<Sha256, { identity: string; readonly atMs: number }>();
  #repair: (sha256: Sha256) => Promise<void> = async (sha256) => {
    throw new RenderError('RESULT_DAMAGED', `the stored file ${sha256} is damaged or missing`);
  };
  #totalBytes: number;

  /**
   * Takes over a folder. Removes files that an earlier process left incomplete or without an owner.
   */
  constructor(database: Database, folder: string) {
    this.#database = database;
    this.#filesFolder = join(folder, 'files');
    this.#incomingFolder = join(folder, 'incoming');
    rmSync(this.#incomingFolder, { recursive: true, force: true });
    mkdirSync(this.#incomingFolder, { recursive: true });
    mkdirSync(this.#filesFolder, { recursive: true });
    this.#removeUnownedFiles();
    this.#totalBytes = Number(database.first('SELECT SUM(bytes) AS sum FROM blobs')?.sum ?? 0);
  }

  /** Bytes of all files. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Folder that {@link blobPath} starts from. */
  get folder(): string {
    return this.#filesFolder;
  }

  /**
   * Creates an empty file outside the store, open for reading and writing. The caller closes and
   * removes it.
   */
  async openTemporary(): Promise<{ readonly path: string; readonly file: FileHandle }> {
    const path = join(this.#incomingFolder, randomUUID());
    return { path, file: await open(path, 'wx+') };
  }

  pathOf(sha256: Sha256): string {
    return blobPath(this.#filesFolder, sha256);
  }

  /**
   * Sets the function that recreates a damaged or missing file. It rejects with a `RenderError` if
   * it cannot.
   */
  repairWith(repair: (sha256: Sha256) => Promise<void>): void {
    this.#repair = repair;
  }

  /**
   * Returns the content of a file.
   *
   * @throws {RenderError} The errors of {@link openVerified}.
   */
  async read(sha256: Sha256): Promise<Buffer> {
    const file = await this.openVerified(sha256);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  }

  /**
   * Opens a file after checking its content against its name. The caller closes it. The file stays
   * readable if it is removed or replaced meanwhile.
   *
   * Hashes the whole file, at about 1 GB/s, unless it was hashed less than {@link TRUST_MS} ago and
   * its inode, length and times are unchanged. A damaged or missing file is recreated first.
   *
   * @throws {RenderError} RESULT_DAMAGED if the repair takes long; SOURCE_DAMAGED and others if the
   *   file cannot be recreated.
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
    const message = `the stored file ${sha256} is damaged; its frame is being rendered again`;
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

  /** Returns the owners of a file. */
  ownersOf(sha256: Sha256): string[] {
    return this.#database
      .all('SELECT owner FROM blob_uses WHERE sha256 = ?', sha256)
      .map(({ owner }) => String(owner));
  }

  /**
   * Checks files that a thread is about to read by path.
   *
   * @throws {RenderError} The errors of {@link openVerified}.
   */
  async verify(blobs: readonly StoredBlob[]): Promise<void> {
    for (const { sha256 } of blobs) await (await this.openVerified(sha256)).close();
  }

  /** Writes bytes as {@link writeStream} does. */
  async write(bytes: Uint8Array): Promise<StoredBlob> {
    return this.writeStream([bytes], Number.POSITIVE_INFINITY);
  }

  /**
   * Writes a stream to disk. When this resolves, the file is durable and held. The caller gives it
   * an owner with {@link use} and releases it with {@link release}.
   *
   * @throws {RenderError} LIMIT_EXCEEDED beyond `maxBytes`; STORAGE_FULL. Also throws the errors of
   *   the stream.
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

  /**
   * Records an owner of held files. Call it within a transaction.
   *
   * @param client Client that the bytes count for; empty for none.
   */
  use(owner: string, blobs: readonly StoredBlob[], client = ''): void {
    // One statement for all files, because a frame may name thousands and separate statements would
    // block the event loop for a second. In key order each page of the journal is visited once.
    const list = JSON.stringify(blobs.map(({ sha256, bytes }) => [sha256, bytes]));
    this.#database.run(
      `INSERT OR IGNORE INTO blobs SELECT value ->> 0, value ->> 1 FROM json_each(?) ORDER BY 1`,
      list,
    );
    this.#database.run(
      `INSERT OR IGNORE INTO blob_uses (sha256, owner, client)
         SELECT value ->> 0, ?, ? FROM json_each(?) ORDER BY 1`,
      owner,
      client,
      list,
    );
  }

  /** Removes an owner from the journal and returns its files. Call it within a transaction. */
  dropUser(owner: string): Sha256[] {
    const used = this.#database
      .all('SELECT sha256 FROM blob_uses WHERE owner = ?', owner)
      .map((row) => String(row.sha256));
    this.#database.run('DELETE FROM blob_uses WHERE owner = ?', owner);
    return used;
  }

  /** Holds files that have an owner, so that they outlive it until {@link release}. */
  hold(blobs: readonly StoredBlob[]): void {
    for (const { sha256 } of blobs) this.#hold(sha256);
  }

  /** Releases held files. Removes those without owners. */
  release(blobs: readonly StoredBlob[]): void {
    for (const { sha256 } of blobs) {
      const holds = this.#holds.get(sha256) ?? 0;
      if (holds > 1) this.#holds.set(sha256, holds - 1);
      else this.#holds.delete(sha256);
    }
    this.removeUnused(blobs.map(({ sha256 }) => sha256));
  }

  /** Removes those of the files that are neither owned nor held. */
  removeUnused(hashes: readonly Sha256[]): void {
    const free = [...new Set(hashes)].filter(
      (sha256) => !this.#holds.has(sha256) && !this.#leaving.has(sha256),
    );
    if (free.length === 0) return;
    // One statement for all files, because a frame may name thousands.
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
    const isRemoving = this.#leaving.size > 0;
    for (const { sha256, recordedBytes } of unused) {
      this.#totalBytes -= recordedBytes ?? 0;
      this.#leaving.set(sha256, recordedBytes);
    }
    if (!isRemoving) this.#removeLeaving();
  }

  /** Removes the first of the files that leave, and the others in later turns. */
  #removeLeaving(): void {
    const batch = this.#leaving.entries().take(REMOVED_PER_TURN).toArray();
    for (const [sha256, recordedBytes] of batch) {
      this.#leaving.delete(sha256);
      this.#checks.delete(sha256);
      const path = this.pathOf(sha256);
      const aside = join(this.#incomingFolder, randomUUID());
      // Renamed at once, so that the same content may be written again. Freeing its pages takes
      // longer. If either fails, the next start repeats it.
      try {
        const size = statSync(path, NO_THROW)?.size;
        if (size === undefined) continue;
        if (recordedBytes === null) this.#totalBytes -= size;
        renameSync(path, aside);
      } catch {
        continue;
      }
      unlink(aside, () => this.#database.restoreReserve());
    }
    if (this.#leaving.size > 0) setImmediate(() => this.#removeLeaving());
  }

  #hold(sha256: Sha256): void {
    this.#holds.set(sha256, (this.#holds.get(sha256) ?? 0) + 1);
  }

  /** Returns the length recorded in the journal, or null if the file never had an owner. */
  #recordedBytes(sha256: Sha256): number | null {
    const row = this.#database.first('SELECT bytes FROM blobs WHERE sha256 = ?', sha256);
    return row === undefined ? null : Number(row.bytes);
  }

  /** Holds a file that is in the store, durable and intact. Only durable files have owners. */
  async #holdIfWhole(blob: StoredBlob): Promise<boolean> {
    const { sha256 } = blob;
    if (this.ownersOf(sha256).length === 0) return false;
    this.#hold(sha256);
    const file = await openIfWhole(this.pathOf(sha256));
    await file?.close();
    if (file === null) this.release([blob]);
    return file !== null;
  }

  /** Gives a written file its name. Replaces an existing file, which may be damaged. */
  async #place(file: IncomingFile, { sha256, bytes }: StoredBlob): Promise<void> {
    const path = this.pathOf(sha256);
    this.#hold(sha256);
    const folder = dirname(path);
    try {
      const isFolderNew = mkdirSync(folder, { recursive: true }) !== undefined;
      // No await between the check and the renaming, because the same content may arrive twice
      // concurrently.
      const hasLeft = typeof this.#leaving.get(sha256) === 'number';
      this.#leaving.delete(sha256);
      const isCounted =
        this.#recordedBytes(sha256) !== null ||
        (!hasLeft && statSync(path, NO_THROW) !== undefined);
      renameSync(file.path, path);
      if (!isCounted) this.#totalBytes += bytes;
      // The name of a file is durable once its folder is synced.
      await syncFolder(folder);
      if (isFolderNew) await syncFolder(this.#filesFolder);
    } catch (error) {
      this.release([{ sha256, bytes }]);
      throw error;
    }
  }

  #removeUnownedFiles(): void {
    const owned = new Set(
      this.#database.all('SELECT sha256 FROM blob_uses').map((row) => row.sha256),
    );
    const unowned = this.#database
      .all('SELECT sha256 FROM blobs')
      .filter((row) => !owned.has(row.sha256));
    if (unowned.length > 0) {
      this.#database.commitFreeing(() => {
        for (const row of unowned) {
          this.#database.run('DELETE FROM blobs WHERE sha256 = ?', String(row.sha256));
        }
      });
    }
    for (const folder of readdirSync(this.#filesFolder)) {
      for (const name of readdirSync(join(this.#filesFolder, folder))) {
        if (!owned.has(name)) rmSync(join(this.#filesFolder, folder, name), { recursive: true });
      }
    }
    this.#database.restoreReserve();
  }
}

/** Returns a string that changes when the file is written, replaced or truncated. */
function identityOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Converts the error of a full disk to STORAGE_FULL, because it is not a bug. */
function asStorageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new RenderError('STORAGE_FULL', 'the data folder is full', { cause: error });
}
