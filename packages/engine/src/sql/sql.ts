/** SQL database behind an engine. Statements use the subset that SQLite and PostgreSQL share. */

/** Value of a parameter. */
export type SqlValue = string | number | null;
/** Row by column name. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** Statements of one transaction, or of none. */
export interface SqlSession {
  /** Runs a statement with parameters `$1`, `$2`, … and returns its rows. */
  all(statement: string, ...values: readonly SqlValue[]): Promise<SqlRow[]>;
}

/** SQL database. */
export interface Sql extends SqlSession {
  /** Expression of the database's clock, in milliseconds since 1970. */
  readonly nowMs: string;
  /** Clause that locks selected rows until the end of the transaction. */
  readonly forUpdate: string;
  /** Runs `body` in a transaction, which is rolled back if `body` rejects. */
  transaction<Result>(body: (session: SqlSession) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Rows of one INSERT, below the number of parameters that both databases accept. */
const ROWS_PER_INSERT = 500;

/**
 * Inserts rows with as few statements as the number of parameters permits.
 *
 * @param head Text before VALUES, such as `INSERT INTO unit (batch, position)`.
 * @param tail Text after the values, such as `ON CONFLICT DO NOTHING RETURNING key`.
 */
export async function insertRows(
  session: SqlSession,
  head: string,
  rows: readonly (readonly SqlValue[])[],
  tail = '',
): Promise<SqlRow[]> {
  const returned: SqlRow[] = [];
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    const part = rows.slice(start, start + ROWS_PER_INSERT);
    let index = 0;
    const tuples = part.map((row) => `(${row.map(() => `$${++index}`).join(', ')})`);
    const values = part.flat();
    returned.push(...(await session.all(`${head} VALUES ${tuples.join(', ')} ${tail}`, ...values)));
  }
  return returned;
}

/** Returns the value of a JSON column, which one database gives as text. */
export function readJson(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value;
}
