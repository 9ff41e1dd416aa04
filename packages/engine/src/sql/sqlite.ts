/** SQLite file that the processes of one machine share. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineUnavailableError } from '../work/engine-errors.ts';
import type { Sql, SqlRow, SqlSession, SqlValue } from './sql.ts';

/** Interval and upper bound of the attempts while another process holds the lock. */
const RETRY_MS = 3;
const BUSY_MS = 30_000;
/** Result code of SQLite for a file that another connection has locked. */
const SQLITE_BUSY = 5;

/** SQLite file. */
export class SqliteSql implements Sql {
  readonly nowMs = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
  /** A transaction that may write holds the only lock. */
  readonly forUpdate = '';
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();
  /** Resolves when the transactions begun so far are over. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#connection = new DatabaseSync(path);
    this.#connection.exec(
      // SQLite would wait for a lock on the event loop, so each attempt fails at once instead. The
      // first access may find a file that another process is converting to WAL.
      'PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0',
    );
  }

  async all(statement: string, ...values: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.#inTurn(() => whenFree(() => this.#run(statement, values)));
  }

  async transaction<Result>(body: (session: SqlSession) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      await whenFree(() => this.#connection.exec('BEGIN IMMEDIATE'));
      try {
        const result = await body({
          all: async (statement, ...values) => this.#run(statement, values),
        });
        this.#connection.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK');
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => this.#connection.close());
  }

  /** Runs `body` after the earlier ones, because all share one connection. */
  async #inTurn<Result>(body: () => Promise<Result>): Promise<Result> {
    const mine = this.#turn.then(body);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  #run(text: string, values: readonly SqlValue[]): SqlRow[] {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#connection.prepare(text);
      this.#statements.set(text, statement);
    }
    const parameters = Object.fromEntries(values.map((value, i) => [`$${i + 1}`, value]));
    return statement.all(parameters) as SqlRow[];
  }
}

/** Repeats an attempt until no other process holds the lock. */
async function whenFree<Result>(attempt: () => Result): Promise<Result> {
  const startMs = performance.now();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      // The higher bits tell why the file is locked.
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error;
      if (performance.now() - startMs < BUSY_MS) await sleep(RETRY_MS);
      else throw new EngineUnavailableError('another process keeps the database', { cause: error });
    }
  }
}
