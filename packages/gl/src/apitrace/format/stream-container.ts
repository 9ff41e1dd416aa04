/** Decompresses captures that are not in memory: compressed chunks arrive one at a time. */
import zlib, {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  type Gunzip,
  type ZstdDecompress,
} from 'node:zlib';
import {
  type ContainerName,
  detectContainer,
  explainInflation,
  FINISH_FLUSH,
  MAGIC_BYTES,
  requireZstandard,
  SnappyChunks,
  tooLarge,
} from './capture-container.ts';

type Inflater = Gunzip | BrotliDecompress | ZstdDecompress;

/** Decompressed size of one piece. */
const PIECE_BYTES = 1 << 18;

const CREATE_INFLATER: Readonly<Record<Exclude<ContainerName, 'snappy'>, () => Inflater>> = {
  gzip: () => createGunzip({ chunkSize: PIECE_BYTES, finishFlush: FINISH_FLUSH.gzip }),
  zstandard: () => {
    requireZstandard();
    return zlib.createZstdDecompress({
      chunkSize: PIECE_BYTES,
      finishFlush: FINISH_FLUSH.zstandard,
    });
  },
  brotli: () =>
    createBrotliDecompress({ chunkSize: PIECE_BYTES, finishFlush: FINISH_FLUSH.brotli }),
};

/**
 * Decompresses a stream of chunks into pieces, in order. Holds only the data that one piece needs.
 *
 * @param maxBytes Maximum decompressed size.
 * @throws {RenderError} FRAME_INVALID if the container is damaged or truncated, LIMIT_EXCEEDED.
 */
export async function* decompressCaptureStream(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const start = await readStart(source);
    const container = detectContainer(start);
    const file = continueFrom(start, source);
    if (container === 'snappy') {
      const snappy = new SnappyChunks(maxBytes);
      for await (const part of file) {
        yield* snappy.read(part);
        if (snappy.hasEnded) return;
      }
      snappy.finish();
    } else {
      yield* inflate(file, container, maxBytes);
    }
  } finally {
    await source.return?.();
  }
}

/** Reads chunks until there are enough bytes to detect the container. */
async function readStart(source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start: Uint8Array = new Uint8Array(0);
  while (start.length < MAGIC_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    const joined = new Uint8Array(start.length + next.value.length);
    joined.set(start);
    joined.set(next.value, start.length);
    start = joined;
  }
  return start;
}

async function* continueFrom(
  start: Uint8Array,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield start;
  for (;;) {
    const next = await source.next();
    if (next.done === true) return;
    yield next.value;
  }
}

async function* inflate(
  file: AsyncIterable<Uint8Array>,
  container: Exclude<ContainerName, 'snappy'>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const inflater = CREATE_INFLATER[container]();
  feed(file, inflater).catch((error) => inflater.destroy(error));
  let bytesLeft = maxBytes;
  try {
    for await (const piece of inflater) {
      bytesLeft -= piece.length;
      if (bytesLeft < 0) throw tooLarge(container, maxBytes);
      yield piece;
    }
  } catch (error) {
    throw explainInflation(error, container, maxBytes);
  } finally {
    inflater.destroy();
  }
}

/** Writes a file into a decompressor and waits whenever its buffer is full. */
async function feed(file: AsyncIterable<Uint8Array>, inflater: Inflater): Promise<void> {
  for await (const chunk of file) {
    if (inflater.destroyed) return;
    if (inflater.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        inflater.off('drain', proceed).off('close', proceed);
        resolve();
      };
      inflater.on('drain', proceed).on('close', proceed);
    });
  }
  inflater.end();
}
