/** Tables of an engine, in the types that SQLite and PostgreSQL share. */

import type { SqlSession } from './sql/sql.ts';
import { EngineUrlError } from './work/engine-errors.ts';

/** Format of the tables. A database of another format is refused. */
export const ENGINE_FORMAT = 1;

const TABLES = [
  `CREATE TABLE IF NOT EXISTS engine (
     only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
     format INTEGER NOT NULL,
     virtual_ms DOUBLE PRECISION NOT NULL
   )`,
  `INSERT INTO engine VALUES (1, ${ENGINE_FORMAT}, 0) ON CONFLICT DO NOTHING`,
  `CREATE TABLE IF NOT EXISTS tenant (
     name TEXT PRIMARY KEY,
     weight DOUBLE PRECISION NOT NULL,
     open_units BIGINT NOT NULL,
     virtual_ms DOUBLE PRECISION NOT NULL
   )`,
  `CREATE TABLE IF NOT EXISTS batch (
     id TEXT PRIMARY KEY,
     tenant TEXT NOT NULL REFERENCES tenant (name),
     work_class TEXT NOT NULL,
     version TEXT NOT NULL,
     title TEXT NOT NULL,
     request JSON NOT NULL,
     state TEXT NOT NULL,
     submitted_ms BIGINT NOT NULL,
     finished_ms BIGINT,
     unit_count BIGINT NOT NULL,
     done_count BIGINT NOT NULL,
     failed_count BIGINT NOT NULL,
     wall_ms DOUBLE PRECISION NOT NULL,
     idempotency_key TEXT,
     UNIQUE (tenant, idempotency_key)
   )`,
  `CREATE INDEX IF NOT EXISTS batch_by_time ON batch (submitted_ms)`,
  `CREATE INDEX IF NOT EXISTS batch_by_tenant ON batch (tenant, work_class, submitted_ms)`,
  `CREATE TABLE IF NOT EXISTS unit (
     batch TEXT NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
     position BIGINT NOT NULL,
     key TEXT NOT NULL,
     blob TEXT NOT NULL,
     state TEXT NOT NULL,
     losses INTEGER NOT NULL,
     error JSON,
     rows JSON,
     cell TEXT,
     PRIMARY KEY (batch, position)
   )`,
  `CREATE INDEX IF NOT EXISTS unit_by_key ON unit (key)`,
  `CREATE TABLE IF NOT EXISTS result (
     key TEXT PRIMARY KEY,
     digest TEXT NOT NULL,
     summary JSON NOT NULL,
     is_error INTEGER NOT NULL,
     cell TEXT NOT NULL,
     version TEXT NOT NULL,
     finished_ms BIGINT NOT NULL
   )`,
  `CREATE TABLE IF NOT EXISTS violation (
     key TEXT NOT NULL,
     first_digest TEXT NOT NULL,
     second_digest TEXT NOT NULL,
     first_cell TEXT NOT NULL,
     second_cell TEXT NOT NULL,
     first_summary JSON NOT NULL,
     second_summary JSON NOT NULL,
     found_ms BIGINT NOT NULL,
     PRIMARY KEY (key, second_digest)
   )`,
  `CREATE TABLE IF NOT EXISTS run (
     job TEXT PRIMARY KEY,
     batch TEXT NOT NULL REFERENCES batch (id) ON DELETE CASCADE,
     blob TEXT NOT NULL,
     first_position BIGINT NOT NULL,
     unit_count BIGINT NOT NULL,
     cell TEXT,
     hedge_cell TEXT,
     claimed_ms BIGINT,
     unit_ms DOUBLE PRECISION,
     in_progress JSON
   )`,
  `CREATE INDEX IF NOT EXISTS run_by_batch ON run (batch)`,
  `CREATE INDEX IF NOT EXISTS run_by_cell ON run (cell)`,
  `CREATE TABLE IF NOT EXISTS blob (
     tenant TEXT NOT NULL,
     sha256 TEXT NOT NULL,
     bytes BIGINT NOT NULL,
     PRIMARY KEY (tenant, sha256)
   )`,
  `CREATE TABLE IF NOT EXISTS cell (
     name TEXT PRIMARY KEY,
     version TEXT NOT NULL,
     beat_ms BIGINT NOT NULL
   )`,
] as const;

/**
 * Creates the tables that are missing.
 *
 * @param more Further tables, of the queue.
 * @throws {EngineUrlError} If the database has tables of another format.
 */
export async function createTables(session: SqlSession, more: readonly string[]): Promise<void> {
  for (const statement of [...TABLES, ...more]) await session.all(statement);
  const [row] = await session.all('SELECT format FROM engine');
  if (Number(row?.format) === ENGINE_FORMAT) return;
  throw new EngineUrlError(
    `the tables of the engine have format ${row?.format}; this version uses format ${ENGINE_FORMAT}`,
  );
}
