/** `node:fs/promises` on the simulated disk. */
import * as fs from 'node:fs';
import type { Readable } from 'node:stream';
import { diskOf } from '../world/current-network.ts';
import { later, theWorld } from '../world/world.ts';
import {
  closeSync,
  forceLater,
  openSync,
  type ReadStreamOptions,
  readFileSync,
  readLater,
  rmSync,
  streamOf,
} from './fs.ts';

export * from 'node:fs/promises';

function quickMs(): number {
  return diskOf(theWorld()).quickMs();
}

/** Substitute of `FileHandle`, with the methods that the services use. */
export class FileHandle {
  readonly fd: number;
  /** Calls in progress, for which closing waits. */
  readonly #pending = new Set<Promise<unknown>>();

  constructor(descriptor: number) {
    this.fd = descriptor;
  }

  stat(options?: fs.StatOptions) {
    return this.#track(later(quickMs(), () => fs.fstatSync(this.fd, options)));
  }

  async read(bytes: Uint8Array, offset: number, length: number, position: number | null) {
    const part = bytes.subarray(offset, offset + length);
    const bytesRead = await this.#track(readLater(this.fd, part, position));
    return { bytesRead, buffer: bytes };
  }

  async readFile(): Promise<Buffer> {
    const { size } = fs.fstatSync(this.fd);
    const bytes = Buffer.alloc(size);
    const count = await this.#track(readLater(this.fd, bytes, 0));
    return bytes.subarray(0, count);
  }

  sync(): Promise<void> {
    return this.#track(forceLater(this.fd));
  }

  datasync(): Promise<void> {
    return this.#track(forceLater(this.fd));
  }

  createReadStream(options?: ReadStreamOptions): Readable {
    return streamOf(this.fd, options);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#pending);
    await later(0, () => closeSync(this.fd));
  }

  #track<T>(call: Promise<T>): Promise<T> {
    this.#pending.add(call);
    const forget = () => this.#pending.delete(call);
    call.then(forget, forget);
    return call;
  }
}

/** Substitute of `open` on the simulated disk. */
export function open(path: string, flags = 'r'): Promise<FileHandle> {
  return later(quickMs(), () => new FileHandle(openSync(path, flags)));
}

/** Substitute of `rm` on the simulated disk. */
export function rm(path: string, options?: fs.RmOptions): Promise<void> {
  return later(quickMs(), () => rmSync(path, options));
}

/** Substitute of `readFile` on the simulated disk. */
export function readFile(path: string): Promise<Buffer> {
  return later(quickMs(), () => readFileSync(path));
}
