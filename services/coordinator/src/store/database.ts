/**
 * The journal of the coordinator: an SQLite file in the data folder. A transaction that has returned outlives the process,
 * whatever ends it; {@link Database.whenDurable} says when it outlives the machine's power too. In between lies the disk's
 * fsync, which takes milliseconds, now and then hundreds: it runs in another thread, once for all that were written
 * meanwhile (WAL with `synchronous=NORMAL`; SQLite itself syncs at checkpoints). A transaction that was cut off is rolled
 * back by SQLite when the file is opened again. docs/decisions/journal.md says why SQLite.
 */
import { randomFillSync } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { RenderError } from '@tessera/frame';

/** Written into the file; a file of a later format is refused. */
export const DATABASE_FORMAT = 3;

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
  // How often the process ended while the frame was worked at, and how often by a bug that it saw.
  `ALTER TABLE frames ADD COLUMN trace_id TEXT;
   ALTER TABLE frames ADD COLUMN is_begun INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE frames ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE frames ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;`,
  // Frames in progress (1: beside others, 2: alone), and what unseen ends of the process say about them.
  `ALTER TABLE frames ADD COLUMN progress INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE frames ADD COLUMN is_suspect INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE frames ADD COLUMN ends_alone INTEGER NOT NULL DEFAULT 0;
   UPDATE frames SET progress = is_begun, is_suspect = (deaths > 0) WHERE finished_ms IS NULL;
   ALTER TABLE frames DROP COLUMN is_begun;
   ALTER TABLE frames DROP COLUMN deaths;
   ALTER TABLE frames DROP COLUMN crashes;
   CREATE INDEX frames_in_progress ON frames (progress) WHERE progress > 0;
   CREATE TABLE service (
     only INTEGER PRIMARY KEY CHECK (only = 1),
     is_running INTEGER NOT NULL,
     retention_ms INTEGER NOT NULL
   ) STRICT;
   INSERT INTO service SELECT 1, 1, ifnull(max(max(finished_ms), max(submitted_ms)), 0) FROM frames;`,
] as const;

/**
 * Pages of the WAL at which a commit writes them back to the file, with two fsyncs in its turn: 1 MB. With 32 MB it was
 * seldomer, but up to 250 ms in which nobody is answered, where this takes 40 at most.
 */
const CHECKPOINT_PAGES = 256;

/**
 * Bytes of a file beside the journal that is given up when a transaction needs room that makes room: deleting a frame
 * writes some pages before its files go.
 */
const RESERVE_BYTES = 2 ** 20;
const RESERVE_NAME = 'reserve';

export type Row = Readonly<Record<string, unknown>>;

/** A file that cannot be used; the message names it and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

export class Database {
  readonly #connection: DatabaseSync;
  readonly #path: string;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  /** Transactions that were written, and how many of them are known to be on disk. */
  #writtenCount = 0;
  #durableCount = 0;
  #sync: Promise<void> | null = null;
  readonly #reservePath: string;
  /** Of the WAL, which stays the same file as long as the database is open. Locks are on another one, so it may be closed. */
  #wal: FileHandle | null = null;

  /**
   * Opens or makes the file; nobody else can open it until it is closed or the process is gone.
   *
   * @throws {DatabaseError} If another process has it open, its format is unknown, or it is damaged.
   */
  constructor(path: string) {
    this.#path = path;
    this.#reservePath = join(dirname(path), RESERVE_NAME);
    let connection: DatabaseSync | null = null;
    try {
      connection = new DatabaseSync(path);
      this.#connection = connection;
      this.#connection.exec('PRAGMA locking_mode = EXCLUSIVE');
      this.#connection.exec('PRAGMA journal_mode = WAL');
      this.#connection.exec('PRAGMA synchronous = FULL');
      this.#connection.exec('PRAGMA foreign_keys = ON');
      this.#requireWhole(path);
      this.#migrate(path);
      this.#connection.exec('PRAGMA synchronous = NORMAL');
      this.#connection.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      this.restoreReserve();
    } catch (error) {
      connection?.close();
      const known = this.#asStorageError(error);
      if (known instanceof DatabaseError) throw known;
      throw new DatabaseError(describeFailure(path, error as Error), { cause: error });
    }
  }

  /** Runs a statement that gives no rows. @throws {RenderError} STORAGE_FULL. */
  run(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.#statement(sql).run(...values);
      this.#writtenCount++;
    } catch (error) {
      throw this.#asStorageError(error);
    }
  }

  /** @throws {DatabaseError} If the file is damaged where the rows are. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    try {
      return this.#statement(sql).all(...values);
    } catch (error) {
      throw this.#asStorageError(error);
    }
  }

  /** Returns the first row. @throws {DatabaseError} If the file is damaged where the row is. */
  first(sql: string, ...values: SQLInputValue[]): Row | undefined {
    try {
      return this.#statement(sql).get(...values);
    } catch (error) {
      throw this.#asStorageError(error);
    }
  }

  /**
   * Runs `write` as one transaction: all of it is in the journal when this returns, or nothing.
   *
   * @throws {RenderError} STORAGE_FULL. And what `write` throws.
   */
  commit<T>(write: () => T): T {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const written = write();
      this.#connection.exec('COMMIT');
      this.#writtenCount++;
      return written;
    } catch (error) {
      // A full disk may have rolled it back already.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw this.#asStorageError(error);
    }
  }

  /**
   * Runs a transaction that makes room, as {@link commit} does. On a full disk it gets the room of the reserve, which {@link restoreReserve}
   * makes anew.
   *
   * @throws {RenderError} STORAGE_FULL if the reserve is not enough. And what `write` throws.
   */
  commitFreeing<T>(write: () => T): T {
    try {
      return this.commit(write);
    } catch (error) {
      const isFull = error instanceof RenderError && error.code === 'STORAGE_FULL';
      if (!isFull || !existsSync(this.#reservePath)) throw error;
    }
    rmSync(this.#reservePath, { force: true });
    return this.commit(write);
  }

  /** Makes the reserve anew where it was used. To be called when files were removed; one that does not fit is left out. */
  restoreReserve(): void {
    if (existsSync(this.#reservePath)) return;
    try {
      // Not zeros: some file systems keep no blocks for them.
      writeFileSync(this.#reservePath, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)));
    } catch {
      rmSync(this.#reservePath, { force: true });
    }
  }

  /**
   * Resolves when all that was written before the call is on disk. To be awaited before anybody is told of it.
   *
   * @throws {RenderError} STORAGE_FULL.
   */
  async whenDurable(): Promise<void> {
    const wanted = this.#writtenCount;
    while (this.#durableCount < wanted) {
      // One that runs already may have begun too early; then there is another turn.
      this.#sync ??= this.#syncNow().finally(() => {
        this.#sync = null;
      });
      await this.#sync;
    }
  }

  async #syncNow(): Promise<void> {
    const covered = this.#writtenCount;
    if (this.#wal === null) {
      this.#wal = await open(`${this.#path}-wal`, 'r');
      // The file's name is durable when its folder is.
      const folder = await open(dirname(this.#path), 'r');
      await folder.sync().finally(() => folder.close());
    }
    try {
      await this.#wal.datasync();
    } catch (error) {
      throw this.#asStorageError(error);
    }
    this.#durableCount = covered;
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
    this.#wal?.close().catch(() => {});
  }

  #statement(sql: string): ReturnType<DatabaseSync['prepare']> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Reads every page: about a second for each GB. @throws {DatabaseError} If the file is damaged. */
  #requireWhole(path: string): void {
    const found = String(Object.values(this.first('PRAGMA quick_check(1)') ?? {})[0]);
    if (found !== 'ok') throw new DatabaseError(describeDamage(path, found));
  }

  /** Makes the error of a full disk, which is a circumstance and no bug, or of a damaged file. */
  #asStorageError(error: unknown): unknown {
    const { errcode, code, message } = error as {
      errcode?: number;
      code?: string;
      message: string;
    };
    // The low byte is the kind; the rest says more about it.
    const kind = errcode === undefined ? null : errcode & 0xff;
    if (kind === SQLITE_CORRUPT || kind === SQLITE_NOTADB) {
      return new DatabaseError(describeDamage(this.#path, message), { cause: error });
    }
    const isFull =
      kind === SQLITE_FULL ||
      isFullCode(code) ||
      // A used-up quota is an I/O error to SQLite, which does not say which.
      (kind === SQLITE_IOERR && isFolderFull(dirname(this.#path)));
    if (!isFull) return error;
    const text = 'the journal cannot grow: the disk is full, or a quota is used up';
    return new RenderError('STORAGE_FULL', text, { cause: error });
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

/** Result codes of SQLite. */
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
/** The disk is full, or the file has reached its largest size. */
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

function isFullCode(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether a folder takes no more bytes: tries to write some. */
export function isFolderFull(folder: string, write: typeof writeFileSync = writeFileSync): boolean {
  const path = join(folder, `probe-${process.pid}`);
  try {
    write(path, randomFillSync(Buffer.allocUnsafe(PROBE_BYTES)));
    return false;
  } catch (error) {
    return isFullCode((error as NodeJS.ErrnoException).code);
  } finally {
    rmSync(path, { force: true });
  }
}

const PROBE_BYTES = 65_536;

function describeFailure(path: string, { message }: Error): string {
  if (message.includes('database is locked')) {
    return `${path}: another coordinator uses this folder; set TESSERA_DATA_DIR to another`;
  }
  return `${path}: ${message}`;
}

function describeDamage(path: string, found: string): string {
  return (
    `${path}: the journal is damaged (${found.replaceAll(/\s+/g, ' ')}). Restore the data folder from a backup. Without one, move ` +
    `${path} and ${path}-wal away and start again: the service starts empty, and what was posted stays in a ` +
    'folder beside files/ (docs/operations.md)'
  );
}
