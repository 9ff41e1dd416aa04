/** Checks files of the store against their name, which is the SHA-256 of their content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { RenderError, type Sha256 } from '@tessera/frame';

/** Bytes read and hashed per turn of the event loop, in about a millisecond. */
const CHUNK_BYTES = 2 ** 20;

/**
 * Read errors that mean a lost or unreadable file: missing, unreadable sector, failed checksum of
 * the file system.
 */
const DAMAGE_CODES = ['ENOENT', 'EIO', 'EBADMSG', 'EUCLEAN', 'EISDIR'];

/** Whether the error of a read means that the file is damaged or lost. */
export function isDamage(error: unknown): boolean {
  return DAMAGE_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Returns the SHA-256 of the content of an open file. */
export async function hashFile(file: FileHandle): Promise<Sha256> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/**
 * Opens a file for reading if its content matches its name; otherwise returns null.
 *
 * @param isTrusted Returns true for a file that need not be hashed.
 */
export async function openIfWhole(
  path: string,
  isTrusted: (file: FileHandle) => Promise<boolean> = async () => false,
): Promise<FileHandle | null> {
  let file: FileHandle | null = null;
  try {
    file = await open(path, 'r');
    if (await isTrusted(file)) return file;
    if ((await hashFile(file)) === basename(path)) return file;
  } catch (error) {
    await file?.close();
    if (!isDamage(error)) throw error;
    return null;
  }
  await file.close();
  return null;
}

/**
 * Reads a posted file synchronously, for threads that may block. Returns null if it is damaged or
 * missing.
 */
export function readIfWholeSync(path: string): Buffer | null {
  try {
    const bytes = readFileSync(path);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return sha256 === basename(path) ? bytes : null;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

/**
 * Returns the error of a posted file that is damaged or missing.
 *
 * @param name Name that the client gave the file.
 */
export function sourceDamaged(name: string, path: string): RenderError {
  return new RenderError(
    'SOURCE_DAMAGED',
    `${name}: the stored file ${basename(path)} is damaged or missing; send the request again`,
  );
}
