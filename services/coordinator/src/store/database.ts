/**
 * The journal of the coordinator: an SQLite file in the data folder. A transaction that has returned is on
 * disk (WAL with `synchronous=FULL`: one fsync each); one that was cut off by a crash is rolled back by
 * SQLite when the file is opened again. docs/decisions/journal.md says why SQLite.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { RenderError } from '@tessera/frame';

/** Written into the file; a file of a later format is refused. */
export const DATABASE_FORMAT = 1;

/** The steps from one format to the next: entry n makes format n + 1 of format n. */
const MIGRATIONS = [
  `CREATE TABLE frames (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     submitted_ms INTEGER NOT NULL,
     finished_ms INTEGER,
     status TEXT NOT NULL,
     title TEXT NOT NULL,
     policy TEXT NOT NULL,
     options TEXT NOT NULL,
     source TEXT NOT NULL,
     warnings TEXT NOT NULL,
     bins_done INTEGER NOT NULL,
     bin_count INTEGER NOT NULL,
     error_code TEXT,
     error_message TEXT,
     result TEXT,
     report TEXT,
     report_bytes INTEGER NOT NULL,
     idempotency_key TEXT UNIQUE,
     fingerprint TEXT
   ) STRICT;
   CREATE INDEX frames_by_status ON frames (status, number);
   CREATE INDEX frames_by_end ON frames (finished_ms) WHERE finished_ms IS NOT NULL;
   CREATE TABLE studies (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     submitted_ms INTEGER NOT NULL,
     finished_ms INTEGER,
     status TEXT NOT NULL,
     request TEXT NOT NULL,
     error_code TEXT,
     error_message TEXT
   ) STRICT;
   CREATE TABLE study_measurements (
     study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
     position INTEGER NOT NULL,
     wall_ms REAL NOT NULL,
     rows TEXT NOT NULL,
     PRIMARY KEY (study_id, position)
   ) STRICT;
   CREATE TABLE blobs (
     sha256 TEXT PRIMARY KEY,
     bytes INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE blob_uses (
     sha256 TEXT NOT NULL REFERENCES blobs (sha256),
     owner TEXT NOT NULL,
     PRIMARY KEY (sha256, owner)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX blob_uses_by_owner ON blob_uses (owner);`,
] as const;

export type Row = Readonly<Record<string, unknown>>;

/** A file that cannot be used; the message names it and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  /**
   * Opens or makes the file; nobody else can open it until it is closed or the process is gone.
   *
   * @throws {DatabaseError} If another process has it open, its format is unknown, or it is damaged.
   */
  constructor(path: string) {
    try {
      this.#connection = new DatabaseSync(path);
      this.#connection.exec('PRAGMA locking_mode = EXCLUSIVE');
      this.#connection.exec('PRAGMA journal_mode = WAL');
      this.#connection.exec('PRAGMA synchronous = FULL');
      this.#connection.exec('PRAGMA foreign_keys = ON');
      this.#migrate(path);
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      throw new DatabaseError(describeFailure(path, error as Error), { cause: error });
    }
  }

  /** Runs a statement that gives no rows. @throws {RenderError} STORAGE_FULL. */
  run(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.#statement(sql).run(...values);
    } catch (error) {
      throw asStorageError(error);
    }
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  first(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  /**
   * Runs `write` as one transaction: all of it is on disk when this returns, or nothing.
   *
   * @throws {RenderError} STORAGE_FULL. And what `write` throws.
   */
  commit<T>(write: () => T): T {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const written = write();
      this.#connection.exec('COMMIT');
      return written;
    } catch (error) {
      // A full disk may have rolled it back already.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw asStorageError(error);
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #statement(sql: string): ReturnType<DatabaseSync['prepare']> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #migrate(path: string): void {
    const format = Number(this.first('PRAGMA user_version')?.user_version ?? 0);
    if (format > DATABASE_FORMAT) {
      throw new DatabaseError(
        `${path}: format ${format}, this version reads up to ${DATABASE_FORMAT}`,
      );
    }
    for (const [from, migration] of MIGRATIONS.entries()) {
      if (from < format) continue;
      this.commit(() => {
        this.#connection.exec(migration);
        this.#connection.exec(`PRAGMA user_version = ${from + 1}`);
      });
    }
  }
}

/** Of SQLite: the disk is full, or the file has reached its largest size. */
const SQLITE_FULL = 13;

/** A full disk is a circumstance, not a bug. */
function asStorageError(error: unknown): unknown {
  if ((error as { errcode?: unknown }).errcode !== SQLITE_FULL) return error;
  return new RenderError('STORAGE_FULL', 'the journal cannot grow: the disk is full', {
    cause: error,
  });
}

function describeFailure(path: string, { message }: Error): string {
  if (message.includes('database is locked')) {
    return `${path}: another coordinator uses this folder; set TESSERA_DATA_DIR to another`;
  }
  return `${path}: ${message}`;
}
