/** Stream that compares content with its hash and length while the content passes through. */
import { createHash } from 'node:crypto';
import { finished, type Readable, Transform, type TransformCallback } from 'node:stream';
import { BlobDamagedError } from './blob-store.ts';

/** Expected content. */
interface Expected {
  readonly sha256: string;
  /** Length in bytes; null if it is not known. */
  readonly bytes: number | null;
}

/**
 * Passes content through. The last chunk follows only after the check, so a receiver that expects
 * all bytes never takes wrong content for complete.
 */
class ContentCheck extends Transform {
  readonly #expected: Expected;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #held: Buffer | null = null;

  constructor(expected: Expected) {
    super();
    this.#expected = expected;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    const { sha256, bytes } = this.#expected;
    if (bytes !== null && this.#bytes > bytes) {
      done(new BlobDamagedError(sha256, `it is longer than ${bytes} bytes`));
      return;
    }
    this.#hash.update(chunk);
    if (this.#held !== null) this.push(this.#held);
    this.#held = chunk;
    done();
  }

  override _flush(done: TransformCallback): void {
    const { sha256, bytes } = this.#expected;
    const found = this.#hash.digest('hex');
    if (bytes !== null && this.#bytes !== bytes) {
      const lengths = `it has ${this.#bytes} bytes instead of ${bytes}`;
      done(new BlobDamagedError(sha256, lengths));
    } else if (found !== sha256) {
      done(new BlobDamagedError(sha256, `its SHA-256 is ${found}`));
    } else {
      if (this.#held !== null) this.push(this.#held);
      done();
    }
  }
}

/**
 * Returns a stream of the same content that fails if the content does not match.
 *
 * @param source Content. It is destroyed with the returned stream.
 * @param convertError Converts errors of the source.
 */
export function checkContent(
  source: Readable,
  expected: Expected,
  convertError: (error: Error) => Error,
): Readable {
  const check = new ContentCheck(expected);
  finished(source, (error) => {
    // After the check was destroyed, the error only says that the source was destroyed too.
    if (error && !check.destroyed) check.destroy(convertError(error));
  });
  check.once('close', () => source.destroy());
  return source.pipe(check);
}

/** Error of content that a caller provides, to tell it from errors of the store. */
class ProvidedContentError extends Error {}

/**
 * Opens content that a caller provides, and checks it.
 *
 * @throws {ProvidedContentError} As the stream, if the caller's stream fails; {@link causeOf}
 *   returns the caller's error.
 */
export function checkProvided(open: () => Readable, expected: Expected): Readable {
  const wrap = (cause: unknown) => new ProvidedContentError('content', { cause });
  let source: Readable;
  try {
    source = open();
  } catch (error) {
    throw wrap(error);
  }
  return checkContent(source, expected, wrap);
}

/** Error of a write: that of the content, or that of the store. */
export type WriteCause =
  | { readonly isContent: true; readonly error: unknown }
  | { readonly isContent: false; readonly error: Error };

/** Returns whether the content or the store made a write fail. */
export function causeOf(error: unknown): WriteCause {
  if (error instanceof ProvidedContentError) return { isContent: true, error: error.cause };
  if (error instanceof BlobDamagedError) return { isContent: true, error };
  return { isContent: false, error: error as Error };
}
