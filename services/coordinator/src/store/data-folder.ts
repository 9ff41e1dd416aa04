/** Data folder: `journal.sqlite`, `files/` and `incoming/`. */
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { RenderError } from '@tessera/frame';
import { BlobStore } from './blob-store.ts';
import { Database, DatabaseError } from './database.ts';

/** Open data folder. */
export interface DataFolder {
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Folder that received files whose journal is missing, or null. */
  readonly orphans: string | null;
}

/**
 * Opens the data folder and creates it if needed.
 *
 * @param onBroken Called after an I/O error of the journal. The process must end then.
 * @throws {DatabaseError} If the folder cannot be used, or another process uses it.
 */
export function openDataFolder(
  path: string,
  onBroken: (error: unknown) => void = () => {},
): DataFolder {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new DatabaseError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  const journal = join(path, 'journal.sqlite');
  const orphans = existsSync(journal) ? null : keepOrphans(path);
  const database = new Database(journal, onBroken);
  try {
    return { database, blobs: new BlobStore(database, path), orphans };
  } catch (error) {
    // Files without owners are removed from the journal.
    const isFull = error instanceof RenderError && error.code === 'STORAGE_FULL';
    throw isFull ? new DatabaseError(`${path}: ${error.message}`, { cause: error }) : error;
  }
}

/**
 * Moves files whose journal is missing to another folder, because a service with a new journal
 * would remove them as files without owners.
 */
function keepOrphans(path: string): string | null {
  const files = join(path, 'files');
  if (!existsSync(files) || readdirSync(files).length === 0) return null;
  for (let number = 1; ; number++) {
    const aside = join(path, `files-without-journal-${number}`);
    if (existsSync(aside)) continue;
    renameSync(files, aside);
    return aside;
  }
}
