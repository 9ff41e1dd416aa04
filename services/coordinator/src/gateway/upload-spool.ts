/**
 * Uploads that are on their way to the blob store, as files of a folder. An upload that was cut off
 * is continued at the length of its file, also after a restart of the gateway. Several gateways may
 * share the folder: the content of an upload is checked when it is complete.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { RenderError, type Sha256 } from '@tessera/frame';
import type { Turn } from './upload-turns.ts';

/** Upload whose file exists. */
export interface PartialUpload {
  readonly path: string;
  /** Number of bytes that arrived. */
  readonly offset: number;
  /** Number of bytes of the whole content. */
  readonly length: number;
}

/** Limits of the spool. */
export interface SpoolLimits {
  /** Upper bound on the announced bytes of all uploads together. */
  readonly maxSpoolBytes: number;
  /** Wall time without new bytes after which an upload is deleted. */
  readonly keepUploadsMs: number;
}

/** Bytes per write. */
const CHUNK_BYTES = 2 ** 20;
/** Name of the folder of uploads that cannot be continued. A tenant's folder is hexadecimal. */
const WHOLE_FOLDER = 'whole';

/** Files of uploads, `<tenant>/<sha256>.<length>`. */
export class UploadSpool {
  readonly #folder: string;
  readonly #limits: SpoolLimits;

  /** @param folder Absolute path. It is created if it is missing. */
  constructor(folder: string, limits: SpoolLimits) {
    this.#folder = folder;
    this.#limits = limits;
    mkdirSync(folder, { recursive: true });
  }

  /** Returns the upload of a tenant; null if there is none. */
  async find(tenant: string, sha256: Sha256): Promise<PartialUpload | null> {
    const folder = this.#folderOf(tenant);
    const names = await listFolder(folder);
    const name = names.find((candidate) => candidate.startsWith(`${sha256}.`));
    if (name === undefined) return null;
    const path = join(folder, name);
    const offset = await bytesOf(path);
    return offset === null ? null : { path, offset, length: lengthOf(name) };
  }

  /**
   * Begins an upload of a tenant, in place of an earlier one of the same content.
   *
   * @throws {RenderError} STORAGE_FULL
   */
  async begin(tenant: string, sha256: Sha256, length: number): Promise<PartialUpload> {
    const earlier = await this.find(tenant, sha256);
    if (earlier !== null) await this.remove(earlier);
    return this.#create(join(this.#folderOf(tenant), `${sha256}.${length}`), length);
  }

  /**
   * Begins an upload that cannot be continued.
   *
   * @throws {RenderError} STORAGE_FULL
   */
  async beginWhole(length: number): Promise<PartialUpload> {
    return this.#create(join(this.#folder, WHOLE_FOLDER, `${randomUUID()}.${length}`), length);
  }

  /**
   * Appends bytes to an upload until the stream ends or fails. Bytes that arrived before a failure
   * stay.
   *
   * @param turn Turn that the bytes prolong and that ends the transfer.
   * @returns The upload with its new offset.
   * @throws {RenderError} REQUEST_INVALID if the stream is longer than the upload; UPLOAD_BUSY if
   *   the turn was lost; STORAGE_FULL. Errors of the stream.
   */
  async append(
    { path, offset, length }: PartialUpload,
    stream: Readable,
    turn: Pick<Turn, 'progress' | 'signal'> | null = null,
  ): Promise<PartialUpload> {
    let end = offset;
    let failure: unknown = null;
    async function* counted(): AsyncGenerator<Buffer> {
      try {
        // A destroyed request could not be answered.
        for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
          turn?.progress();
          if (end + chunk.length > length) {
            const message = `body: longer than the ${length - offset} bytes that the upload lacks`;
            throw new RenderError('REQUEST_INVALID', message);
          }
          end += chunk.length;
          yield chunk;
        }
      } catch (error) {
        // Not thrown here, because that would drop bytes that are not written yet.
        failure = error;
      }
    }
    const file = createWriteStream(path, {
      flags: 'r+',
      start: offset,
      highWaterMark: CHUNK_BYTES,
    });
    const closed = new Promise((resolve) => file.once('close', resolve));
    const stop = () => stream.destroy();
    turn?.signal.addEventListener('abort', stop);
    try {
      await pipeline(counted, file);
    } catch (error) {
      throw asStorageError(error);
    } finally {
      turn?.signal.removeEventListener('abort', stop);
      // The next request continues at the length of the file.
      await closed;
    }
    if (turn?.signal.aborted) {
      throw new RenderError('UPLOAD_BUSY', 'another request continues the upload');
    }
    if (failure !== null) throw failure;
    return { path, offset: end, length };
  }

  /** Deletes an upload. */
  async remove({ path }: PartialUpload): Promise<void> {
    await rm(path, { force: true });
  }

  /** Deletes the uploads that received nothing for the time of {@link SpoolLimits}. */
  async sweep(): Promise<void> {
    const oldestMs = Date.now() - this.#limits.keepUploadsMs;
    for (const path of await this.#files()) {
      const file = await stat(path).catch(() => null);
      if (file !== null && file.mtimeMs < oldestMs) await rm(path, { force: true });
    }
  }

  #folderOf(tenant: string): string {
    // A hash, because a name may contain characters that paths may not.
    return join(this.#folder, createHash('sha256').update(tenant).digest('hex').slice(0, 32));
  }

  async #create(path: string, length: number): Promise<PartialUpload> {
    let spooled = length;
    for (const file of await this.#files()) spooled += lengthOf(file);
    const { maxSpoolBytes } = this.#limits;
    if (spooled > maxSpoolBytes) {
      const message = `uploads in progress would hold ${spooled} of ${maxSpoolBytes} bytes`;
      throw new RenderError('STORAGE_FULL', message);
    }
    mkdirSync(dirname(path), { recursive: true });
    try {
      await (await open(path, 'w')).close();
    } catch (error) {
      throw asStorageError(error);
    }
    return { path, offset: 0, length };
  }

  /** Returns the paths of all uploads. */
  async #files(): Promise<string[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  }
}

/** Returns the length that the name of a file contains. */
function lengthOf(path: string): number {
  return Number(path.slice(path.lastIndexOf('.') + 1));
}

async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Returns the length of a file; null if it was deleted meanwhile. */
async function bytesOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/**
 * Converts errors that are no bugs: of a full disk to STORAGE_FULL, and of an upload that another
 * gateway completed or deleted meanwhile to UPLOAD_BUSY.
 */
export function asStorageError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') {
    const message = 'the upload was completed or deleted meanwhile';
    return new RenderError('UPLOAD_BUSY', message, { cause: error });
  }
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new RenderError('STORAGE_FULL', 'the folder of uploads is full', { cause: error });
}
