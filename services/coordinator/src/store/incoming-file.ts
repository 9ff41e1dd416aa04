/**
 * File that is being written to the {@link BlobStore}. Opening and closing take microseconds and
 * block. Calls that wait for a disk or copy a megabyte run in the thread pool.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsync, openSync, unlink, writev } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const fsyncAsync = promisify(fsync);
const unlinkAsync = promisify(unlink);
const writevAsync = promisify(writev);

/** File under a temporary name. */
export class IncomingFile {
  readonly path: string;
  readonly #descriptor: number;
  #isOpen = true;

  /** Creates an empty file with a random name. */
  constructor(folder: string) {
    this.path = join(folder, randomUUID());
    this.#descriptor = openSync(this.path, 'wx');
  }

  /** Appends all chunks. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    let left = chunks;
    let leftBytes = left.reduce((sum, { length }) => sum + length, 0);
    for (;;) {
      const { bytesWritten } = await writevAsync(this.#descriptor, left);
      leftBytes -= bytesWritten;
      if (leftBytes === 0) return;
      // A write to a full disk may be partial. The next one then reports the error.
      left = [Buffer.concat(left).subarray(-leftBytes)];
    }
  }

  /** Forces the file to disk and closes it. */
  async finish(): Promise<void> {
    await fsyncAsync(this.#descriptor);
    this.#close();
  }

  /**
   * Removes the file, whether finished or not. If it cannot be removed, the next start removes it.
   */
  async giveUp(): Promise<void> {
    this.#close();
    await unlinkAsync(this.path).catch(() => {});
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}

/** Forces the names in a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  const descriptor = openSync(path, 'r');
  try {
    await fsyncAsync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
