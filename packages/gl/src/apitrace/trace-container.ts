/**
 * The containers of apitrace files. Snappy (the default writer's): the bytes `at`, then chunks of a
 * little-endian 32-bit length and one raw block each. Gzip by its magic. Brotli has none, so it is what
 * remains. Chunks of snappy come out one at a time; the others are inflated at once, bounded.
 */
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';
import { RenderError } from '@tessera/frame';
import { decompressSnappy } from './snappy.ts';

const ZSTANDARD_MAGIC = 0xfd2fb528;

/** Whether a file begins as a capture does in a container that has a magic; brotli has none. */
export function hasTraceMagic(file: Uint8Array): boolean {
  const [first, second] = file;
  if ((first === 0x61 && second === 0x74) || (first === 0x1f && second === 0x8b)) return true;
  return (
    file.length >= 4 &&
    new DataView(file.buffer, file.byteOffset).getUint32(0, true) === ZSTANDARD_MAGIC
  );
}

/** Compressed bytes in, decompressed pieces out, in order. `maxBytes` bounds their sum. */
export function* decompressTrace(file: Uint8Array, maxBytes: number): Generator<Uint8Array> {
  if (file.length < 4) throw new RenderError('FRAME_INVALID', 'the capture ends at byte 0');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file[0] === 0x61 && file[1] === 0x74) {
    yield* decompressChunks(file, view, maxBytes);
  } else if (file[0] === 0x1f && file[1] === 0x8b) {
    yield inflate('gzip', maxBytes, (maxOutputLength) =>
      gunzipSync(file, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }),
    );
  } else if (view.getUint32(0, true) === ZSTANDARD_MAGIC) {
    throw new RenderError('FRAME_UNSUPPORTED', 'captures in a zstandard container are not read');
  } else {
    yield inflate('brotli', maxBytes, (maxOutputLength) =>
      brotliDecompressSync(file, {
        maxOutputLength,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
    );
  }
}

function* decompressChunks(
  file: Uint8Array,
  view: DataView,
  maxBytes: number,
): Generator<Uint8Array> {
  let left = maxBytes;
  let at = 2;
  while (at + 4 <= file.length) {
    const length = view.getUint32(at, true);
    if (length === 0) return;
    const end = at + 4 + length;
    if (end > file.length) {
      throw new RenderError(
        'FRAME_INVALID',
        `chunk at byte ${at}: ${length} bytes announced, the capture ends after ${file.length - at - 4}`,
      );
    }
    const piece = decompressSnappy(file.subarray(at + 4, end), `chunk at byte ${at}`, left);
    left -= piece.length;
    at = end;
    yield piece;
  }
  if (at !== file.length) {
    throw new RenderError('FRAME_INVALID', `byte ${at}: the capture ends within a chunk length`);
  }
}

function inflate(
  container: string,
  maxBytes: number,
  decompress: (maxOutputLength: number) => Uint8Array,
): Uint8Array {
  try {
    return decompress(maxBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `the capture holds more than ${maxBytes} bytes in its ${container} container`,
        { cause: error },
      );
    }
    throw new RenderError(
      'FRAME_INVALID',
      `the capture is neither in a snappy nor in a sound ${container} container: ${(error as Error).message}`,
      { cause: error },
    );
  }
}
