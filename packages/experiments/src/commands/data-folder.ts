/**
 * Reads the data folder of a coordinator without changing it: `journal.sqlite`, and
 * `files/ab/abcd…`, where each file is named after the SHA-256 of its content.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hashFile } from '../inputs/hash-file.ts';

/** A file whose content is damaged or missing. */
export interface DamagedFile {
  /** Path relative to the data folder. */
  readonly path: string;
  readonly damage: 'missing' | 'wrong length' | 'wrong content' | 'unreadable';
  /**
   * Frames, studies and resources that use the file, such as `frame:ID`. Empty if the journal could
   * not be read.
   */
  readonly users: readonly string[];
}

/** Result of checking a data folder. */
export interface VerifiedFolder {
  /** Number of files that were checked. */
  readonly files: number;
  readonly bytes: number;
  readonly damaged: readonly DamagedFile[];
  readonly journal: 'whole' | 'damaged' | 'in use' | 'missing';
  /** Damage of the journal, or null. */
  readonly journalDamage: string | null;
}

/** Entries of the journal about files. */
interface JournalFiles {
  readonly bytesByHash: ReadonlyMap<string, number>;
  readonly usersByHash: ReadonlyMap<string, readonly string[]>;
}

const SQLITE_BUSY = 5;

/**
 * Checks every file of a data folder.
 *
 * @param folder Path of the data folder, which contains `files/`.
 */
export async function verifyDataFolder(folder: string): Promise<VerifiedFolder> {
  const { journal, journalDamage, known } = readJournal(join(folder, 'journal.sqlite'));
  const damaged: DamagedFile[] = [];
  let files = 0;
  let bytes = 0;
  const seen = new Set<string>();
  const report = (sha256: string, damage: DamagedFile['damage']) => {
    const path = join('files', sha256.slice(0, 2), sha256);
    damaged.push({ path, damage, users: known?.usersByHash.get(sha256) ?? [] });
  };
  for (const sha256 of listFiles(join(folder, 'files'))) {
    seen.add(sha256);
    files++;
    const found = await hashFile(join(folder, 'files', sha256.slice(0, 2), sha256)).catch(
      () => null,
    );
    if (found === null) {
      report(sha256, 'unreadable');
      continue;
    }
    bytes += found.bytes;
    const recordedBytes = known?.bytesByHash.get(sha256) ?? found.bytes;
    if (found.bytes !== recordedBytes) report(sha256, 'wrong length');
    else if (found.sha256 !== sha256) report(sha256, 'wrong content');
  }
  for (const sha256 of known?.bytesByHash.keys() ?? []) {
    if (!seen.has(sha256)) report(sha256, 'missing');
  }
  return { files, bytes, damaged, journal, journalDamage };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((part) => readdirSync(join(folder, part)).sort());
}

function readJournal(path: string): {
  journal: VerifiedFolder['journal'];
  journalDamage: string | null;
  known: JournalFiles | null;
} {
  if (!existsSync(path)) return { journal: 'missing', journalDamage: null, known: null };
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const check = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
    if (check !== 'ok') return { journal: 'damaged', journalDamage: String(check), known: null };
    const bytesByHash = new Map<string, number>();
    for (const { sha256, bytes } of database.prepare('SELECT sha256, bytes FROM blobs').all()) {
      bytesByHash.set(String(sha256), Number(bytes));
    }
    const usersByHash = new Map<string, string[]>();
    for (const { sha256, owner } of database.prepare('SELECT sha256, owner FROM blob_uses').all()) {
      const users = usersByHash.get(String(sha256)) ?? [];
      users.push(String(owner));
      usersByHash.set(String(sha256), users);
    }
    return { journal: 'whole', journalDamage: null, known: { bytesByHash, usersByHash } };
  } catch (error) {
    const { errcode, message } = error as { errcode?: number; message: string };
    const isInUse = errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY;
    if (isInUse) return { journal: 'in use', journalDamage: null, known: null };
    return { journal: 'damaged', journalDamage: message, known: null };
  } finally {
    database?.close();
  }
}
