/** Reads batches, units, rows and numbers of a cluster. */
import { readJson, type Sql, type SqlRow } from './sql/sql.ts';
import type {
  Batch,
  BatchFilter,
  BatchState,
  BatchUnit,
  EngineStats,
  UnitError,
  UnitFilter,
  UnitState,
  Violation,
  WorkClass,
} from './work/work-engine.ts';

/** Time without a beat after which a cell is left out of lists. */
const CELL_SILENT_MS = 30_000;

/** Returns a batch; null if there is none. */
export async function readBatch(sql: Sql, id: string): Promise<Batch | null> {
  const [row] = await sql.all('SELECT * FROM batch WHERE id = $1', id);
  return row === undefined ? null : toBatch(row);
}

/** Returns the batch of a request that a client repeats; null if there is none. */
export async function readByKey(sql: Sql, tenant: string, key: string): Promise<Batch | null> {
  const select = 'SELECT * FROM batch WHERE tenant = $1 AND idempotency_key = $2';
  const [row] = await sql.all(select, tenant, key);
  return row === undefined ? null : toBatch(row);
}

/** Returns the newest batches of a tenant, newest first. */
export async function listBatches(sql: Sql, filter: BatchFilter): Promise<Batch[]> {
  const rows = await sql.all(
    `SELECT * FROM batch WHERE tenant = $1 AND work_class = $2
     ORDER BY submitted_ms DESC, id LIMIT $3`,
    filter.tenant,
    filter.workClass,
    filter.limit,
  );
  return rows.map(toBatch);
}

/** Returns units of a batch by position. */
export async function listUnits(
  sql: Sql,
  batch: string,
  { from, limit, state }: UnitFilter,
): Promise<BatchUnit[]> {
  const [clause, values] = state === undefined ? ['', []] : [' AND unit.state = $4', [state]];
  const rows = await sql.all(
    `SELECT unit.position, unit.key, unit.state, unit.error, unit.cell, result.digest, result.summary
     FROM unit LEFT JOIN result ON result.key = unit.key AND result.is_error = 0
     WHERE unit.batch = $1 AND unit.position >= $2${clause}
     ORDER BY unit.position LIMIT $3`,
    batch,
    from,
    limit,
    ...values,
  );
  return rows.map((row) => ({
    position: Number(row.position),
    key: String(row.key),
    state: row.state as UnitState,
    error: row.error === null ? null : (readJson(row.error) as UnitError),
    result:
      row.state === 'done' && row.digest !== null
        ? { digest: String(row.digest), summary: readJson(row.summary) as object }
        : null,
    cell: row.cell === null ? null : String(row.cell),
  }));
}

/** Returns rows of the finished units of a batch from a position on. */
export async function listRows(
  sql: Sql,
  batch: string,
  from: number,
  limit: number,
): Promise<{ position: number; rows: readonly object[] }[]> {
  const found = await sql.all(
    `SELECT position, rows FROM unit
     WHERE batch = $1 AND position >= $2 AND state = 'done' ORDER BY position LIMIT $3`,
    batch,
    from,
    limit,
  );
  return found.map((row) => ({
    position: Number(row.position),
    rows: readJson(row.rows) as object[],
  }));
}

/** Returns the violations found last. */
export async function listViolations(sql: Sql, limit: number): Promise<Violation[]> {
  const rows = await sql.all('SELECT * FROM violation ORDER BY found_ms DESC LIMIT $1', limit);
  return rows.map((row) => ({
    key: String(row.key),
    digests: [String(row.first_digest), String(row.second_digest)],
    cells: [String(row.first_cell), String(row.second_cell)],
  }));
}

/** Returns the numbers of a cluster. */
export async function readStats(sql: Sql): Promise<EngineStats> {
  const [totals] = await sql.all(
    `SELECT (SELECT coalesce(sum(open_units), 0) FROM tenant) AS open_units,
       (SELECT coalesce(sum(unit_count), 0) FROM run WHERE cell IS NOT NULL) AS running_units,
       (SELECT count(*) FROM result) AS results,
       (SELECT count(*) FROM violation) AS violations`,
  );
  const cells = await sql.all(
    `SELECT name, version, beat_ms,
       (SELECT coalesce(sum(unit_count), 0) FROM run WHERE run.cell = name) AS units_in_hand
     FROM cell WHERE beat_ms > ${sql.nowMs} - ${CELL_SILENT_MS} ORDER BY name`,
  );
  const tenants = await sql.all('SELECT name, open_units, virtual_ms FROM tenant ORDER BY name');
  const runningUnits = Number(totals!.running_units);
  return {
    waitingUnits: Math.max(0, Number(totals!.open_units) - runningUnits),
    runningUnits,
    resultCount: Number(totals!.results),
    violationCount: Number(totals!.violations),
    cells: cells.map((row) => ({
      name: String(row.name),
      version: String(row.version),
      lastBeatMs: Number(row.beat_ms),
      unitsInHand: Number(row.units_in_hand),
    })),
    tenants: tenants.map((row) => ({
      name: String(row.name),
      openUnits: Number(row.open_units),
      virtualMs: Number(row.virtual_ms),
    })),
  };
}

/** Returns the batch of a row of its table. */
export function toBatch(row: SqlRow): Batch {
  return {
    id: String(row.id),
    tenant: String(row.tenant),
    workClass: row.work_class as WorkClass,
    version: String(row.version),
    title: String(row.title),
    request: readJson(row.request),
    state: row.state as BatchState,
    submittedMs: Number(row.submitted_ms),
    finishedMs: row.finished_ms === null ? null : Number(row.finished_ms),
    unitCount: Number(row.unit_count),
    doneCount: Number(row.done_count),
    failedCount: Number(row.failed_count),
    wallMs: Number(row.wall_ms),
  };
}
