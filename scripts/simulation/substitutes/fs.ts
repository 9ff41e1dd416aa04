/** `node:fs` on the simulated disk. Files outside the data folder are those of this repository. */
import * as fs from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { diskOf } from '../world/current-network.ts';
import type { DiskAccess } from '../world/disk.ts';
import type { SimProcess } from '../world/sim-process.ts';
import { currentContext, later, theWorld } from '../world/world.ts';

export * from 'node:fs';

type Done<T> = (error: Error | null, value?: T) => void;

/** Paths of open files. */
const pathByDescriptor = new Map<number, string>();

function disk() {
  currentContext();
  return diskOf(theWorld());
}

function check(access: DiskAccess, syscall: string, path: fs.PathLike | number): void {
  const name = typeof path === 'number' ? pathByDescriptor.get(path) : String(path);
  disk().check(access, syscall, name ?? '');
}

/** Substitute of `openSync` on the simulated disk. */
export function openSync(path: string, flags: string): number {
  const isWriting = flags !== 'r';
  check(isWriting ? 'write' : 'read', 'open', path);
  const isNew = isWriting && !fs.existsSync(path);
  const descriptor = fs.openSync(path, flags);
  pathByDescriptor.set(descriptor, path);
  if (isNew) disk().noteCreated(path);
  const { cleanups } = currentContext().process as SimProcess;
  const close = () => {
    pathByDescriptor.delete(descriptor);
    closeByDescriptor.delete(descriptor);
    cleanups.delete(close);
    fs.closeSync(descriptor);
  };
  closeByDescriptor.set(descriptor, close);
  cleanups.add(close);
  return descriptor;
}

const closeByDescriptor = new Map<number, () => void>();

/** Substitute of `closeSync` on the simulated disk. */
export function closeSync(descriptor: number): void {
  currentContext();
  const close = closeByDescriptor.get(descriptor);
  if (close === undefined) throw Object.assign(new Error('EBADF: bad file'), { code: 'EBADF' });
  close();
}

/** Substitute of `writeSync` on the simulated disk. */
export function writeSync(descriptor: number, bytes: Uint8Array, at = 0): number {
  check('write', 'write', descriptor);
  noteWrite(descriptor);
  return fs.writeSync(descriptor, bytes, at);
}

function noteWrite(descriptor: number): void {
  const path = pathByDescriptor.get(descriptor);
  if (path !== undefined) disk().noteWrite(path);
}

/** Substitute of `readFileSync` on the simulated disk. */
export function readFileSync(path: fs.PathOrFileDescriptor, options?: never): Buffer {
  check('read', 'read', path as string);
  return fs.readFileSync(path, options);
}

/** Substitute of `writeFileSync` on the simulated disk. */
export function writeFileSync(path: string, bytes: string | Uint8Array): void {
  check('write', 'open', path);
  if (!fs.existsSync(path)) disk().noteCreated(path);
  disk().noteWrite(path);
  fs.writeFileSync(path, bytes);
}

/** Substitute of `rmSync` on the simulated disk. */
export function rmSync(path: string, options: fs.RmOptions = {}): void {
  check('remove', 'unlink', path);
  if (disk().holds(path) && fs.statSync(path, { throwIfNoEntry: false })?.isFile())
    disk().remove(path);
  else fs.rmSync(path, options);
}

/** Substitute of `renameSync` on the simulated disk. */
export function renameSync(from: string, to: string): void {
  check('remove', 'rename', to);
  disk().rename(from, to);
}

/** Substitute of `mkdirSync` on the simulated disk. */
export function mkdirSync(path: string, options?: fs.MakeDirectoryOptions): string | undefined {
  check('write', 'mkdir', path);
  const first = fs.mkdirSync(path, options);
  if (first !== undefined) disk().noteCreated(first);
  return first;
}

/** Substitute of `unlink` on the simulated disk. */
export function unlink(path: string, done: Done<void>): void {
  answerLater(
    later(disk().quickMs(), () => rmSync(path)),
    done,
  );
}

/** Substitute of `writev` on the simulated disk. */
export function writev(
  descriptor: number,
  chunks: readonly NodeJS.ArrayBufferView[],
  done: Done<number>,
): void {
  answerLater(writevLater(descriptor, chunks), done);
}

function writevLater(descriptor: number, chunks: readonly NodeJS.ArrayBufferView[]) {
  return later(disk().quickMs(), () => {
    check('write', 'writev', descriptor);
    noteWrite(descriptor);
    return fs.writevSync(descriptor, chunks);
  });
}

writev[promisify.custom] = async (
  descriptor: number,
  buffers: readonly NodeJS.ArrayBufferView[],
) => ({ bytesWritten: await writevLater(descriptor, buffers), buffers });

/** Substitute of `fsync` on the simulated disk. */
export function fsync(descriptor: number, done: Done<void>): void {
  answerLater(forceLater(descriptor), done);
}

/** Forces a file to disk, in a later event. */
export function forceLater(descriptor: number): Promise<void> {
  return later(disk().forceMs(), () => {
    check('remove', 'fsync', descriptor);
    const path = pathByDescriptor.get(descriptor);
    if (path === undefined) throw Object.assign(new Error('EBADF: bad file'), { code: 'EBADF' });
    disk().noteForced(path);
  });
}

function answerLater<T>(promise: Promise<T>, done: Done<T>): void {
  promise.then(
    (value) => done(null, value),
    (error) => done(error),
  );
}

/** Part of a file that a stream reads. */
export interface ReadStreamOptions {
  readonly start?: number;
  readonly end?: number;
  readonly highWaterMark?: number;
}

/** Returns the bytes of an open file as a stream, which closes the file. */
export function streamOf(descriptor: number, options: ReadStreamOptions = {}): Readable {
  const { start = 0, end = Number.POSITIVE_INFINITY, highWaterMark = 65_536 } = options;
  let at = start;
  return new Readable({
    highWaterMark,
    read(size) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(size, end - at + 1)));
      readLater(descriptor, bytes, at).then(
        (count) => {
          at += count;
          this.push(count === 0 ? null : bytes.subarray(0, count));
        },
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      closeByDescriptor.get(descriptor)?.();
      done(error);
    },
  });
}

/** Reads from an open file, in a later event. */
export function readLater(
  descriptor: number,
  bytes: Uint8Array,
  at: number | null,
): Promise<number> {
  return later(disk().quickMs(), () => {
    check('read', 'read', descriptor);
    return bytes.length === 0 ? 0 : fs.readSync(descriptor, bytes, 0, bytes.length, at);
  });
}

/** Substitute of `createReadStream` on the simulated disk. */
export function createReadStream(path: string, options?: ReadStreamOptions): Readable {
  return streamOf(openSync(path, 'r'), options);
}
