/** Content of test blobs. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** Content with its name. */
export interface TestContent {
  readonly content: Buffer;
  readonly sha256: string;
  readonly bytes: number;
  /** Opens a stream of chunks of 64 KiB. */
  readonly open: () => Readable;
}

const CHUNK_BYTES = 2 ** 16;

/** Returns content of a length that is the same in each run. */
export function testContent(bytes: number, seed = 1): TestContent {
  return namedContent(Buffer.alloc(bytes, createHash('sha256').update(`seed ${seed}`).digest()));
}

/** Returns content with its hash. */
export function namedContent(content: Buffer): TestContent {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += CHUNK_BYTES) {
    chunks.push(content.subarray(at, at + CHUNK_BYTES));
  }
  return {
    content,
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
    open: () => Readable.from(chunks, { objectMode: false }),
  };
}
