/** The folder of all that lasts: `journal.sqlite`, `files/` and `incoming/`. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { BlobStore } from './blob-store.ts';
import { Database, DatabaseError } from './database.ts';

export interface DataFolder {
  readonly database: Database;
  readonly blobs: BlobStore;
}

/** @throws {DatabaseError} If the folder cannot be used, or another process uses it. */
export function openDataFolder(path: string): DataFolder {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new DatabaseError(`${path}: ${(error as Error).message}`, { cause: error });
  }
  const database = new Database(join(path, 'journal.sqlite'));
  return { database, blobs: new BlobStore(database, path) };
}
