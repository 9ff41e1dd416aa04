/** Opens the work engine that an address names. */

import { BossQueue } from './queue/boss-queue.ts';
import { SQLITE_QUEUE_TABLES, SqliteQueue } from './queue/sqlite-queue.ts';
import { createTables } from './schema.ts';
import { ENGINE_SCHEMA, PostgresSql } from './sql/postgres.ts';
import { SqliteSql } from './sql/sqlite.ts';
import { SqlEngine } from './sql-engine.ts';
import { EngineUrlError } from './work/engine-errors.ts';
import type { WorkEngine } from './work/work-engine.ts';

/** Number of the lock under which one process at a time creates tables. */
const CREATION_LOCK = 0x7e55e7a;

/**
 * Views for people and for autoscalers. `waiting_units` has one row, the number of units that are
 * not over; `study_rows` has one row per row of a study.
 */
const POSTGRES_VIEWS = [
  'CREATE OR REPLACE VIEW waiting_units AS SELECT coalesce(sum(open_units), 0)::bigint AS count FROM tenant',
  `CREATE OR REPLACE VIEW study_rows AS SELECT unit.batch AS study, unit.position, each.value AS "row"
     FROM unit, json_array_elements(unit.rows) AS each WHERE unit.state = 'done'`,
] as const;

/**
 * Opens an engine and creates its tables if they are missing.
 *
 * @param url `sqlite:PATH` for the processes of one machine, or `postgres://…`.
 * @param onError Called with errors of background work, which is repeated.
 * @throws {EngineUrlError} For any other address, or a database that this version cannot use.
 * @throws {EngineUnavailableError} If the database does not answer.
 */
export async function openEngine(
  url: string,
  onError: (error: Error) => void,
): Promise<WorkEngine> {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  if (path !== undefined) return openSqlite(path);
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url, onError);
  throw new EngineUrlError(
    `'${url.replace(/:.*/, ':…')}' is no address of an engine; use sqlite:PATH or postgres://USER@HOST/DATABASE`,
  );
}

async function openSqlite(path: string): Promise<WorkEngine> {
  const sql = new SqliteSql(path);
  await sql.transaction((session) => createTables(session, SQLITE_QUEUE_TABLES));
  return new SqlEngine(sql, new SqliteQueue(sql));
}

async function openPostgres(url: string, onError: (error: Error) => void): Promise<WorkEngine> {
  const sql = new PostgresSql(url, onError);
  try {
    await sql.transaction(async (session) => {
      await session.all(`SELECT pg_advisory_xact_lock(${CREATION_LOCK})`);
      await session.all(`CREATE SCHEMA IF NOT EXISTS ${ENGINE_SCHEMA}`);
      await createTables(session, POSTGRES_VIEWS);
    });
    return new SqlEngine(sql, await BossQueue.open(sql, onError));
  } catch (error) {
    await sql.close();
    throw error;
  }
}
