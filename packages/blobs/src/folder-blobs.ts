/**
 * Blobs in a folder that several processes share, on one machine or over a network file system. A
 * blob is the file `<first two digits>/<sha256>`, as nginx stores it. It is written aside, forced
 * to disk and renamed, so a file with its final name is complete.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { access, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  BlobDamagedError,
  BlobMissingError,
  type BlobStore,
  BlobStoreUnavailableError,
  checkHash,
} from './blob-store.ts';
import { causeOf, checkContent, checkProvided } from './checked-content.ts';

/** Bytes per read and write. */
const CHUNK_BYTES = 2 ** 20;
/** Age at which the file of an interrupted write is removed. */
const ABANDONED_MS = 24 * 3_600_000;
/** Read errors of a lost sector or a failed checksum of the file system. */
const DAMAGE_CODES: readonly unknown[] = ['EIO', 'EBADMSG', 'EUCLEAN', 'EISDIR'];

/** Blobs as files of a folder. */
export class FolderBlobs implements BlobStore {
  readonly #folder: string;
  readonly #incoming: string;

  /**
   * Creates the folder if it is missing. Removes what interrupted writes left a day ago.
   *
   * @param folder Absolute path.
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.#incoming = join(folder, 'incoming');
    mkdirSync(this.#incoming, { recursive: true });
    for (const name of readdirSync(this.#incoming)) {
      const path = join(this.#incoming, name);
      const file = statSync(path, { throwIfNoEntry: false });
      // nginx may have folders here.
      const isAbandoned = file?.isFile() && Date.now() - file.mtimeMs > ABANDONED_MS;
      if (isAbandoned) rmSync(path, { force: true });
    }
  }

  async size(sha256: string): Promise<number | null> {
    try {
      return (await stat(this.#pathOf(sha256))).size;
    } catch (error) {
      if (!isMissing(error)) throw this.#away(error);
      await this.#checkFolder();
      return null;
    }
  }

  async put(sha256: string, bytes: number, openContent: () => Readable): Promise<void> {
    if ((await this.size(sha256)) === bytes) return;
    const path = join(this.#incoming, randomUUID());
    try {
      const content = checkProvided(openContent, { sha256, bytes });
      const options = { flags: 'wx', flush: true, highWaterMark: CHUNK_BYTES };
      await pipeline(content, createWriteStream(path, options));
      await this.#place(path, this.#pathOf(sha256));
    } catch (error) {
      await rm(path, { force: true }).catch(() => {});
      const cause = causeOf(error);
      throw cause.isContent ? cause.error : this.#away(cause.error);
    }
  }

  async get(sha256: string): Promise<Readable> {
    try {
      const file = await open(this.#pathOf(sha256));
      const content = file.createReadStream({ highWaterMark: CHUNK_BYTES });
      return checkContent(content, { sha256, bytes: null }, (error) =>
        isDamage(error)
          ? new BlobDamagedError(sha256, error.message, { cause: error })
          : this.#away(error),
      );
    } catch (error) {
      if (!isMissing(error)) throw this.#away(error);
      await this.#checkFolder();
      throw new BlobMissingError(sha256);
    }
  }

  async delete(sha256: string): Promise<void> {
    try {
      await rm(this.#pathOf(sha256), { force: true });
      await this.#checkFolder();
    } catch (error) {
      throw this.#away(error);
    }
  }

  #pathOf(sha256: string): string {
    checkHash(sha256);
    return join(this.#folder, sha256.slice(0, 2), sha256);
  }

  /**
   * Gives a written file its name. Replaces a file that another process placed, or a damaged one.
   */
  async #place(from: string, to: string): Promise<void> {
    const folder = dirname(to);
    const isFolderNew = (await mkdir(folder, { recursive: true })) !== undefined;
    await rename(from, to);
    // The name of a file is durable once its folder is.
    await syncFolder(folder);
    if (isFolderNew) await syncFolder(this.#folder);
  }

  /** Rejects if the folder is gone, so that blobs of a lost mount do not look missing. */
  async #checkFolder(): Promise<void> {
    await access(this.#incoming).catch((error) => {
      throw this.#away(error);
    });
  }

  #away(error: unknown): Error {
    if (error instanceof BlobStoreUnavailableError || error instanceof RangeError) return error;
    const message = `blob store ${this.#folder}: ${(error as Error).message}`;
    return new BlobStoreUnavailableError(message, { cause: error });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException).code;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function isDamage(error: unknown): boolean {
  return DAMAGE_CODES.includes(codeOf(error));
}
