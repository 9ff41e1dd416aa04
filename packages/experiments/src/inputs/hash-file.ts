/** Hash of a file that need not fit in memory. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const READ_BYTES = 2 ** 20;

/** Returns length and SHA-256 of a file's content. @throws {Error} If it cannot be read. */
export async function hashFile(
  path: string,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    const piece = chunk as Buffer;
    bytes += piece.length;
    hash.update(piece);
  }
  return { bytes, sha256: hash.digest('hex') };
}
