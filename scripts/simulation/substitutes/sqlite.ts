/**
 * `node:sqlite` on the simulated disk: the real SQLite, whose statements fail like those on a
 * faulty disk. At the end of its process the files stay as a killed process leaves them.
 */
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync as RealDatabaseSync, type SQLInputValue } from 'node:sqlite';
import { diskOf } from '../world/current-network.ts';
import type { DiskAccess } from '../world/disk.ts';
import type { SimProcess } from '../world/sim-process.ts';
import { currentContext, theWorld } from '../world/world.ts';

export * from 'node:sqlite';

const SQLITE_FULL = 13;
const SQLITE_IOERR = 10;
const FILES = ['', '-wal'] as const;
const WRITING = /^\s*(INSERT|UPDATE|DELETE|REPLACE|COMMIT|BEGIN IMMEDIATE)/i;

function check(sql: string): void {
  currentContext();
  const access: DiskAccess = WRITING.test(sql) ? 'write' : 'read';
  const disk = diskOf(theWorld());
  const fault = disk.nextFault(access);
  if (fault === null) return;
  disk.faultCount++;
  // SQLite reports an exhausted quota as an I/O error.
  const errcode = fault === 'ENOSPC' ? SQLITE_FULL : SQLITE_IOERR;
  const message = errcode === SQLITE_FULL ? 'database or disk is full' : 'disk I/O error';
  throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr: message });
}

/** Substitute of `DatabaseSync` on the simulated disk. */
export class DatabaseSync {
  readonly #real: RealDatabaseSync;
  readonly #path: string;
  readonly #cleanups: Set<() => void>;
  readonly #abandon = () => this.#leaveAsKilled();

  constructor(path: string) {
    this.#path = path;
    this.#real = new RealDatabaseSync(path);
    this.#cleanups = (currentContext().process as SimProcess).cleanups;
    this.#cleanups.add(this.#abandon);
  }

  get isTransaction(): boolean {
    return this.#real.isTransaction;
  }

  exec(sql: string): void {
    check(sql);
    this.#real.exec(sql);
  }

  prepare(sql: string) {
    const statement = this.#real.prepare(sql);
    return {
      run: (...values: SQLInputValue[]) => {
        check(sql);
        return statement.run(...values);
      },
      get: (...values: SQLInputValue[]) => {
        check(sql);
        return statement.get(...values);
      },
      all: (...values: SQLInputValue[]) => {
        check(sql);
        return statement.all(...values);
      },
    };
  }

  close(): void {
    this.#cleanups.delete(this.#abandon);
    this.#real.close();
  }

  /** Closes the files without the checkpoint and the removal of the log that closing causes. */
  #leaveAsKilled(): void {
    for (const end of FILES) {
      if (existsSync(this.#path + end)) copyFileSync(this.#path + end, `${this.#path}${end}.left`);
    }
    this.#real.close();
    for (const end of FILES) {
      rmSync(this.#path + end, { force: true });
      if (existsSync(`${this.#path}${end}.left`))
        renameSync(`${this.#path}${end}.left`, this.#path + end);
    }
  }
}
