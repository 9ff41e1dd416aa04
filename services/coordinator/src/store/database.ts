/**
 * Journal of the coordinator: an SQLite file in the data folder. A transaction that has returned
 * survives the end of the process. {@link Database.whenDurable} resolves when it also survives a
 * power failure. That requires an fsync, which takes milliseconds, sometimes hundreds of them. It
 * runs in another thread, once for all transactions written meanwhile (WAL with
 * `synchronous=NORMAL`; SQLite itself syncs at checkpoints). SQLite rolls back an interrupted
 * transaction when the file is opened again.
 *
 * After an I/O error it is unknown what is on the disk: a sync that is repeated may succeed without
 * the pages that the failed one lost (Rebello et al., "Can Applications Recover from fsync
 * Failures?", USENIX ATC 2020). Such an error therefore ends the process, and the next one reads
 * what is on the disk.
 *
 * docs/decisions/journal.md says why SQLite.
 */
import { randomFillSync } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { RenderError } from '@tessera/frame';
import { CLIENT_TABLES } from './client-tables.ts';

/** Format of the file. A file of a later format is refused. */
export const DATABASE_FORMAT = 7;

/** Migrations: entry n converts format n to format n + 1. */
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
  // Adds the trace id, whether the frame is in progress, and how many ends of the process and
  // caught bugs occurred during it.
  `ALTER TABLE frames ADD COLUMN trace_id TEXT;
   ALTER TABLE frames ADD COLUMN is_begun INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE frames ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE frames ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;`,
  // Adds frames in progress (1: beside others, 2: alone) and what unexpected ends of the process
  // imply about them.
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
  // Adds stored specifications.
  `CREATE TABLE specs (
     name TEXT PRIMARY KEY,
     description TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  // Separates names, which a client can change, from the kind and size of the file, and adds tags.
  `ALTER TABLE frames RENAME COLUMN title TO model;
   ALTER TABLE frames ADD COLUMN name TEXT NOT NULL DEFAULT '';
   ALTER TABLE frames ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
   UPDATE frames SET name = CASE instr(model, ', ') WHEN 0 THEN model
     ELSE substr(model, 1, instr(model, ', ') - 1) END;`,
  // Counts the finished points of studies, because reading all their rows takes too long.
  `ALTER TABLE studies ADD COLUMN points_done INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE studies ADD COLUMN measured_ms REAL NOT NULL DEFAULT 0;
   UPDATE studies SET
     points_done = (SELECT count(*) FROM study_measurements WHERE study_id = studies.id),
     measured_ms = (SELECT total(wall_ms) FROM study_measurements WHERE study_id = studies.id);
   CREATE TRIGGER count_study_points AFTER INSERT ON study_measurements BEGIN
     UPDATE studies SET points_done = points_done + 1, measured_ms = measured_ms + NEW.wall_ms
       WHERE id = NEW.study_id;
   END;`,
  CLIENT_TABLES,
] as const;

/**
 * Number of pages in the WAL after which a commit writes them to the main file, with two blocking
 * fsyncs: 1 MB. Such a checkpoint blocks the event loop for at most 40 ms. With 32 MB checkpoints
 * were rarer but took up to 250 ms.
 */
const CHECKPOINT_PAGES = 256;

/**
 * Bytes of a reserve file beside the journal. It is released when a transaction that frees space
 * needs space itself: deleting a frame writes some pages before its files are removed.
 */
const RESERVE_BYTES = 2 ** 20;
const RESERVE_NAME = 'reserve';

/** Row of a query by column name. */
export type Row = Readonly<Record<string, unknown>>;

/** Error of a journal that cannot be used. The message names the file and the remedy. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** Journal of the coordinator. */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #path: string;
  #onBroken: (error: unknown) => void;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  /** Number of transactions written, and of those that are known to be durable. */
  #writtenCount = 0;
  #durableCount = 0;
  #sync: Promise<void> | null = null;
  #isClosed = false;
  readonly #reservePath: string;
  /**
   * WAL of the database, which stays the same file while the database is open. SQLite's locks are
   * on another file, so this one may be closed.
   */
  #wal: FileHandle | null = null;

  /**
   * Opens or creates the file. No other process can open it until it is closed or this process
   * ends.
   *
   * @param onBroken Called after an I/O error of the open file. The process must end then.
   * @throws {DatabaseError} If another process has it open, its format is unknown, or it is
   *   damaged.
   */
  constructor(path: string, onBroken: (error: unknown) => void = () => {}) {
    this.#path = path;
    // Errors while the file is opened are thrown.
    this.#onBroken = () => {};
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
      this.#onBroken = onBroken;
    } catch (error) {
      connection?.close();
      const converted = this.#asStorageError(error);
      if (converted instanceof DatabaseError) throw converted;
      throw new DatabaseError(describeFailure(path, error as Error), { cause: error });
    }
  }

  /**
   * Runs a statement that returns no rows.
   *
   * @throws {RenderError} STORAGE_FULL.
   */
  run(sql: string, ...values: SQLInputValue[]): void {
    try {
      this.#statement(sql).run(...values);
      this.#writtenCount++;
    } catch (error) {
      throw this.#asStorageError(error);
    }
  }

  /**
   * Returns all rows of a query.
   *
   * @throws {DatabaseError} If the file is damaged where the rows are stored.
   */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    try {
      return this.#statement(sql).all(...values);
    } catch (error) {
      throw this.#asStorageError(error);
    }
  }

  /**
   * Returns the first row of a query.
   *
   * @throws {DatabaseError} If the file is damaged where the row is stored.
   */
  first(sql: string, ...values: SQLInputValue[]): Row | undefined {
    try {
      return this.#statement(sql).get(...values);
    } catch (error) {
      throw this.#asStorageError(error);
    }
  }

  /**
   * Runs `write` as one transaction: either all of it is in the journal when this returns, or
   * nothing.
   *
   * @throws {RenderError} STORAGE_FULL. Also throws the errors of `write`.
   */
  commit<T>(write: () => T): T {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      const written = write();
      this.#connection.exec('COMMIT');
      this.#writtenCount++;
      return written;
    } catch (error) {
      // SQLite may have rolled back already because the disk is full.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
      throw this.#asStorageError(error);
    }
  }

  /**
   * Runs a transaction that frees space, as {@link commit} does. If the disk is full it releases
   * the reserve and tries again. Call {@link restoreReserve} afterwards.
   *
   * @throws {RenderError} STORAGE_FULL if the reserve is not enough. Also throws the errors of
   *   `write`.
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

  /**
   * Recreates the reserve if it was released. Call it after files were removed. Does nothing if the
   * reserve does not fit.
   */
  restoreReserve(): void {
    if (existsSync(this.#reservePath)) return;
    try {
      // Random bytes, because some file systems store no blocks for zeros.
      writeFileSync(this.#reservePath, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)));
    } catch {
      rmSync(this.#reservePath, { force: true });
    }
  }

  /**
   * Resolves when all earlier writes are durable. Await it before acknowledging a write.
   *
   * @throws {RenderError} STORAGE_FULL.
   */
  async whenDurable(): Promise<void> {
    const wanted = this.#writtenCount;
    while (this.#durableCount < wanted) {
      // A sync in progress may have begun before the last write. In that case the loop runs again.
      this.#sync ??= this.#syncNow().finally(() => {
        this.#sync = null;
      });
      await this.#sync;
    }
  }

  async #syncNow(): Promise<void> {
    const covered = this.#writtenCount;
    try {
      await this.#forceWal();
    } catch (error) {
      if (!this.#isClosed) throw this.#asStorageError(error);
    }
    this.#durableCount = Math.max(this.#durableCount, covered);
  }

  async #forceWal(): Promise<void> {
    if (this.#wal === null) {
      const wal = await open(`${this.#path}-wal`, 'r');
      if (this.#isClosed) return wal.close();
      this.#wal = wal;
      // The name of a file is durable once its folder is synced.
      const folder = await open(dirname(this.#path), 'r');
      await folder.sync().finally(() => folder.close());
    }
    await this.#wal.datasync();
  }

  /** Closes the file. That forces all writes to disk. */
  close(): void {
    this.#isClosed = true;
    this.#durableCount = Number.POSITIVE_INFINITY;
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

  /**
   * Reads every page, which takes about a second per GB.
   *
   * @throws {DatabaseError} If the file is damaged.
   */
  #requireWhole(path: string): void {
    const found = String(Object.values(this.first('PRAGMA quick_check(1)') ?? {})[0]);
    if (found !== 'ok') throw new DatabaseError(describeDamage(path, found));
  }

  /**
   * Converts the error of a full disk to STORAGE_FULL, and to DatabaseError that of a damaged file
   * and that of a value that no store writes: an integer above 2^53, or text that is no JSON.
   * Reports an I/O error.
   */
  #asStorageError(error: unknown): unknown {
    const { errcode, code, message } = error as {
      errcode?: number;
      code?: string;
      message: string;
    };
    // The low byte is the primary result code; the rest refines it.
    const kind = errcode === undefined ? null : errcode & 0xff;
    const isOtherValue = code === 'ERR_OUT_OF_RANGE' || message === 'malformed JSON';
    if (kind === SQLITE_CORRUPT || kind === SQLITE_NOTADB || isOtherValue) {
      return new DatabaseError(describeDamage(this.#path, message), { cause: error });
    }
    const isFull =
      kind === SQLITE_FULL ||
      isFullCode(code) ||
      // SQLite reports an exhausted quota as an I/O error without a reason.
      (kind === SQLITE_IOERR && isFolderFull(dirname(this.#path)));
    if (!isFull) {
      if (kind === SQLITE_IOERR || code === 'EIO') this.#onBroken(error);
      return error;
    }
    const text = 'the journal cannot grow: the disk is full or a quota is exhausted';
    return new RenderError('STORAGE_FULL', text, { cause: error });
  }

  #migrate(path: string): void {
    const format = Number(this.first('PRAGMA user_version')?.user_version ?? 0);
    if (format > DATABASE_FORMAT) {
      throw new DatabaseError(
        `${path}: format ${format}; this version reads formats up to ${DATABASE_FORMAT}`,
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
/** Result code of a full disk, or of a file that has its maximum size. */
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

function isFullCode(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Whether a folder accepts no more bytes. Tries to write some. */
export function isFolderFull(folder: string, write: typeof writeFileSync = writeFileSync): boolean {
  const path = join(folder, `probe-${process.pid}`);
  try {
    write(path, randomFillSync(Buffer.allocUnsafe(PROBE_BYTES)));
    return false;
  } catch (error) {
    return isFullCode((error as NodeJS.ErrnoException).code);
  } finally {
    try {
      rmSync(path, { force: true });
    } catch {
      // The disk has a fault, which the caller reports. The next probe replaces the file.
    }
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
    `${path} and ${path}-wal away and restart: the service starts empty, and posted files stay in a ` +
    'folder beside files/ (docs/operations.md)'
  );
}
