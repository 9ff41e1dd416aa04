/**
 * A file on its way into the {@link BlobStore}. Opening and closing are calls that take microseconds and are made at once; what
 * waits for a disk, or copies a megabyte, runs in the thread pool.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fsync, openSync, unlink, writev } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const fsyncAsync = promisify(fsync);
const unlinkAsync = promisify(unlink);
const writevAsync = promisify(writev);

export class IncomingFile {
  readonly path: string;
  readonly #descriptor: number;
  #isOpen = true;

  /** Makes an empty one under a name of its own. */
  constructor(folder: string) {
    this.path = join(folder, randomUUID());
    this.#descriptor = openSync(this.path, 'wx');
  }

  /** Appends all of the chunks. */
  async write(chunks: readonly Uint8Array[]): Promise<void> {
    let left = chunks;
    let leftBytes = left.reduce((sum, { length }) => sum + length, 0);
    for (;;) {
      const { bytesWritten } = await writevAsync(this.#descriptor, left);
      leftBytes -= bytesWritten;
      if (leftBytes === 0) return;
      // What a full disk leaves; its error comes with the rest.
      left = [Buffer.concat(left).subarray(-leftBytes)];
    }
  }

  /** Forces it to disk and closes it. */
  async finish(): Promise<void> {
    await fsyncAsync(this.#descriptor);
    this.#close();
  }

  /** Removes it, finished or not. What cannot be removed goes at the next start. */
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
