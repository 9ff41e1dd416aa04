/** `node:zlib` whose asynchronous functions answer in a later event of the world. */
import { Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';
import { later } from '../world/world.ts';

export * from 'node:zlib';

type Done = (error: Error | null, result: Buffer) => void;

const THREAD_POOL_MS = 0.2;

/** Substitute of `deflate` without threads. */
export function deflate(bytes: Uint8Array, options: zlib.ZlibOptions, done: Done): void {
  later(THREAD_POOL_MS, () => zlib.deflateSync(bytes, options)).then(
    (result) => done(null, result),
    (error) => done(error, Buffer.alloc(0)),
  );
}

/** Transform that collects its input and converts it at its end. */
class WholeTransform extends Transform {
  readonly #convert: (bytes: Buffer) => Buffer;
  readonly #chunks: Buffer[] = [];

  constructor(convert: (bytes: Buffer) => Buffer) {
    super();
    this.#convert = convert;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    try {
      done(null, this.#convert(Buffer.concat(this.#chunks)));
    } catch (error) {
      done(error as Error);
    }
  }
}

/** Substitute of `createDeflate` without threads. */
export function createDeflate(options?: zlib.ZlibOptions): Transform {
  return new WholeTransform((bytes) => zlib.deflateSync(bytes, options));
}

/** Substitute of `createGunzip` without threads. */
export function createGunzip(options?: zlib.ZlibOptions): Transform {
  return new WholeTransform((bytes) => zlib.gunzipSync(bytes, options));
}

/** Substitute of `createBrotliDecompress` without threads. */
export function createBrotliDecompress(options?: zlib.BrotliOptions): Transform {
  return new WholeTransform((bytes) => zlib.brotliDecompressSync(bytes, options));
}

/** Substitute of `createZstdDecompress` without threads. */
export function createZstdDecompress(options?: zlib.ZstdOptions): Transform {
  return new WholeTransform((bytes) => zlib.zstdDecompressSync(bytes, options));
}

/** Substitute of the module as a whole. */
export default {
  ...zlib,
  createBrotliDecompress,
  createDeflate,
  createGunzip,
  createZstdDecompress,
  deflate,
};
