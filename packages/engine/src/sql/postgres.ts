/** PostgreSQL database with a pool of connections. */
import { Pool, type PoolClient, type QueryResult, types } from 'pg';
import { EngineUnavailableError } from '../work/engine-errors.ts';
import type { Sql, SqlRow, SqlSession, SqlValue } from './sql.ts';

/** Schema of the engine's tables. */
export const ENGINE_SCHEMA = 'tessera';

/** Connections of a process: its claims, beats and requests of clients. */
const MAX_CONNECTIONS = 8;
/** Time for which a connection may take to open. */
const CONNECT_MS = 5000;
/** Time for which a statement may run. Beyond it the database counts as away. */
const STATEMENT_MS = 30_000;

/**
 * Codes of errors that say that the server is away or ends connections (PostgreSQL, appendix A),
 * and of the operating system.
 */
const AWAY_CODES =
  /^(08...|57P0[1235]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENOENT)$/;
/** Codes of transactions that the server ended for the sake of others: deadlock, serialization. */
const REPEATED_CODES = ['40P01', '40001'];
/** Attempts of such a transaction. */
const MAX_ATTEMPTS = 5;
/** Messages of the driver for connections that ended, which have no code. */
const AWAY_MESSAGES =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|Query read timeout/;
/** Number of BIGINT in the type table of PostgreSQL. Counters and times fit in a double. */
const INT8 = 20;

/** Statements on one connection, or on any of the pool. */
export class PostgresSession implements SqlSession {
  readonly #connection: Pick<PoolClient, 'query'>;

  constructor(connection: Pick<PoolClient, 'query'>) {
    this.#connection = connection;
  }

  async all(statement: string, ...values: readonly SqlValue[]): Promise<SqlRow[]> {
    return (await this.executeSql(statement, [...values])).rows as SqlRow[];
  }

  /** Runs a statement for pg-boss, which names the method and reads the driver's result. */
  async executeSql(text: string, values?: unknown[]): Promise<QueryResult> {
    return whileThere(() => this.#connection.query(text, values));
  }
}

/** PostgreSQL database. */
export class PostgresSql implements Sql {
  readonly nowMs = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  readonly forUpdate = 'FOR UPDATE';
  /** Session in which each statement is a transaction. */
  readonly session: PostgresSession;
  readonly #pool: Pool;
  readonly #onLost: (error: Error) => void;

  /**
   * @param onLost Called with the error of a connection that the server ended between statements.
   */
  constructor(url: string, onLost: (error: Error) => void) {
    this.#pool = new Pool({
      connectionString: url,
      max: MAX_CONNECTIONS,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
      options: `-c search_path=${ENGINE_SCHEMA} -c statement_timeout=${STATEMENT_MS}`,
      types: {
        getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
          oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
      },
    });
    this.#onLost = onLost;
    this.#pool.on('error', onLost);
    this.session = new PostgresSession(this.#pool);
  }

  async all(statement: string, ...values: readonly SqlValue[]): Promise<SqlRow[]> {
    return this.session.all(statement, ...values);
  }

  async transaction<Result>(body: (session: SqlSession) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(body);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if (!REPEATED_CODES.includes(code) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async #attempt<Result>(body: (session: SqlSession) => Promise<Result>): Promise<Result> {
    const client = await whileThere(() => this.#pool.connect());
    // The pool watches idle connections only, and an error without a listener ends the process.
    client.on('error', this.#onLost);
    let failure: Error | undefined;
    try {
      await whileThere(() => client.query('BEGIN'));
      const result = await body(new PostgresSession(client));
      await whileThere(() => client.query('COMMIT'));
      return result;
    } catch (error) {
      failure = error as Error;
      // A connection that cannot roll back is closed.
      await client.query('ROLLBACK').then(
        () => (failure = undefined),
        () => {},
      );
      throw error;
    } finally {
      client.off('error', this.#onLost);
      client.release(failure);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Converts the error of a database that is away to EngineUnavailableError. */
async function whileThere<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const { code = '', message = '' } = error as NodeJS.ErrnoException;
    if (!AWAY_CODES.test(code) && !AWAY_MESSAGES.test(message)) throw error;
    const text = `the database is away: ${message || code}`;
    throw new EngineUnavailableError(text, { cause: error });
  }
}
