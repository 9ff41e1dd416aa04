/**
 * Containers of apitrace files. Snappy is the default writer's: the bytes `at`, then chunks of a
 * little-endian 32-bit length and one raw block each. Gzip and Zstandard have magic numbers. The
 * seekable form of Zstandard is a row of frames with a table that decoders skip. Brotli has no
 * magic number, so it is the remaining case.
 *
 * This file handles files in memory: snappy decompresses chunk by chunk, the others at once within
 * a limit. `stream-container.ts` handles streams.
 */
import zlib, { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { RenderError } from '@tessera/frame';
import { decompressSnappy } from './snappy.ts';

/** Name of a container of apitrace files. */
export type ContainerName = 'snappy' | 'gzip' | 'zstandard' | 'brotli';

const ZSTANDARD_MAGIC = 0xfd2fb528;
/** Number of leading bytes that identify a container. */
export const MAGIC_BYTES = 4;
/** Maximum size of one snappy chunk, compressed or decompressed. Writers use 1 MiB. */
const MAX_CHUNK_BYTES = 1 << 28;

/**
 * Flush mode at the end of the input: return the available output. Truncation is detected later.
 */
export const FINISH_FLUSH = {
  gzip: constants.Z_SYNC_FLUSH,
  zstandard: constants.ZSTD_e_flush,
  brotli: constants.BROTLI_OPERATION_FLUSH,
} as const;

/**
 * Refuses zstandard on versions of Node that cannot decompress it.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED
 */
export function requireZstandard(): void {
  if (typeof zlib.zstdDecompressSync === 'function') return;
  throw new RenderError(
    'FRAME_UNSUPPORTED',
    `captures compressed with zstandard need Node 22.15, and this is ${process.version}`,
  );
}

/**
 * Returns the container of a file from its first bytes.
 *
 * @throws {RenderError} FRAME_INVALID for fewer than 4 bytes.
 */
export function detectContainer(start: Uint8Array): ContainerName {
  if (start.length < MAGIC_BYTES) {
    throw new RenderError('FRAME_INVALID', `the capture is only ${start.length} bytes long`);
  }
  if (start[0] === 0x61 && start[1] === 0x74) return 'snappy';
  if (start[0] === 0x1f && start[1] === 0x8b) return 'gzip';
  return viewOf(start).getUint32(0, true) === ZSTANDARD_MAGIC ? 'zstandard' : 'brotli';
}

/** Returns whether a file starts with the magic number of a container. Brotli has none. */
export function hasCaptureMagic(file: Uint8Array): boolean {
  return file.length >= MAGIC_BYTES && detectContainer(file) !== 'brotli';
}

/** Yields the decompressed pieces of a capture, in order. `maxBytes` bounds their total size. */
export function* decompressCapture(file: Uint8Array, maxBytes: number): Generator<Uint8Array> {
  const container = detectContainer(file);
  if (container === 'snappy') {
    const chunks = new SnappyChunks(maxBytes);
    yield* chunks.read(file);
    chunks.finish();
    return;
  }
  // A limit beyond the largest array has no effect.
  const options = { maxOutputLength: Math.min(maxBytes, 2 ** 32) };
  const finishFlush = FINISH_FLUSH[container];
  const decompress = {
    gzip: () => gunzipSync(file, { ...options, finishFlush }),
    zstandard: () => {
      requireZstandard();
      return zlib.zstdDecompressSync(file, { ...options, finishFlush });
    },
    brotli: () => brotliDecompressSync(file, { ...options, finishFlush }),
  };
  try {
    yield decompress[container]();
  } catch (error) {
    throw explainInflation(error, container, maxBytes);
  }
}

/** Translates an error of a zlib decompressor into the caller's error. */
export function explainInflation(error: unknown, container: string, maxBytes: number): unknown {
  if (error instanceof RenderError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(container, maxBytes, error);
  return new RenderError(
    'FRAME_INVALID',
    `the capture is neither in a snappy nor in a sound ${container} container: ${message}`,
    { cause: error },
  );
}

/** Returns the error for a capture that decompresses to more than `maxBytes`. */
export function tooLarge(container: string, maxBytes: number, cause?: unknown): RenderError {
  return new RenderError(
    'LIMIT_EXCEEDED',
    `the capture holds more than ${maxBytes} bytes in its ${container} container`,
    { cause },
  );
}

/**
 * Splits a file that arrives in parts into snappy chunks. The first part starts with the two magic
 * bytes.
 */
export class SnappyChunks {
  #bytesLeft: number;
  /** Bytes that have arrived and are not decompressed yet. */
  #parts: Uint8Array[] = [];
  #partsBytes = 0;
  #at = 2;
  #skips = 2;
  #hasEnded = false;

  /** @param maxBytes Maximum decompressed size. */
  constructor(maxBytes: number) {
    this.#bytesLeft = maxBytes;
  }

  /** Whether a chunk of length 0 has marked the end. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  *read(part: Uint8Array): Generator<Uint8Array> {
    const skipped = Math.min(this.#skips, part.length);
    this.#skips -= skipped;
    this.#parts.push(part.subarray(skipped));
    this.#partsBytes += part.length - skipped;
    while (!this.#hasEnded && this.#partsBytes >= 4) {
      const length = viewOf(this.#peek(4)).getUint32(0, true);
      if (length === 0) {
        this.#hasEnded = true;
        return;
      }
      if (length > MAX_CHUNK_BYTES) {
        throw new RenderError('FRAME_INVALID', `chunk at byte ${this.#at}: ${length} bytes`);
      }
      if (this.#partsBytes < 4 + length) return;
      const block = this.#peek(4 + length).subarray(4);
      const maxBytes = Math.min(this.#bytesLeft, MAX_CHUNK_BYTES);
      const piece = decompressSnappy(block, `chunk at byte ${this.#at}`, maxBytes);
      this.#drop(4 + length);
      this.#bytesLeft -= piece.length;
      yield piece;
    }
  }

  /**
   * Checks that the file is complete.
   *
   * @throws {RenderError} FRAME_INVALID if the file ended within a chunk.
   */
  finish(): void {
    if (this.#hasEnded || this.#partsBytes === 0) return;
    const announced = this.#partsBytes < 4 ? null : viewOf(this.#peek(4)).getUint32(0, true);
    throw new RenderError(
      'FRAME_INVALID',
      announced === null
        ? `byte ${this.#at}: the capture ends within a chunk length`
        : `chunk at byte ${this.#at}: ${announced} bytes announced, the capture ends after ${this.#partsBytes - 4}`,
    );
  }

  /** Returns the next bytes in one array without consuming them. */
  #peek(count: number): Uint8Array {
    const [first] = this.#parts;
    if (first !== undefined && first.length >= count) return first.subarray(0, count);
    const joined = new Uint8Array(this.#partsBytes);
    let to = 0;
    for (const part of this.#parts) {
      joined.set(part, to);
      to += part.length;
    }
    this.#parts = [joined];
    return joined.subarray(0, count);
  }

  /** Consumes bytes that were peeked. */
  #drop(count: number): void {
    this.#parts[0] = this.#parts[0]!.subarray(count);
    this.#partsBytes -= count;
    this.#at += count;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
