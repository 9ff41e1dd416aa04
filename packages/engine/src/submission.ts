/** Submission and cancellation of batches. */
import { randomUUID } from 'node:crypto';
import type { JobQueue } from './queue/job-queue.ts';
import { insertRows, type Sql, type SqlSession, type SqlValue } from './sql/sql.ts';
import { QuotaExceededError } from './work/engine-errors.ts';
import type { NewBatch, NewUnit, Tenant } from './work/work-engine.ts';

/** Run of units that need the same blob. */
export interface UnitRun {
  readonly blob: string;
  readonly firstPosition: number;
  readonly unitCount: number;
}

/** Returns the runs of neighboring units with the same blob. */
export function runsOf(units: readonly NewUnit[]): UnitRun[] {
  const runs: UnitRun[] = [];
  let firstPosition = 0;
  for (const [position, { blob }] of units.entries()) {
    if (units[position + 1]?.blob === blob) continue;
    runs.push({ blob, firstPosition, unitCount: position + 1 - firstPosition });
    firstPosition = position + 1;
  }
  return runs;
}

/** Stores a batch, its units, and a job for each run. Does nothing if the batch exists. */
export async function submitBatch(sql: Sql, queue: JobQueue, batch: NewBatch): Promise<void> {
  const { id, version } = batch;
  const tenant = batch.tenant.name;
  await queue.prepare({ tenant, version });
  await sql.transaction(async (session) => {
    const known = await session.all('SELECT id FROM batch WHERE id = $1', id);
    if (known.length > 0) return;
    await admitUnits(session, batch.tenant, batch.units.length);
    await session.all(
      `INSERT INTO batch VALUES ($1, $2, $3, $4, $5, $6, 'open', ${sql.nowMs}, NULL, $7, 0, 0, 0, $8)`,
      id,
      tenant,
      batch.workClass,
      version,
      batch.title,
      JSON.stringify(batch.request),
      batch.units.length,
      batch.idempotencyKey,
    );
    const head = 'INSERT INTO unit (batch, position, key, blob, state, losses)';
    const units = batch.units.map(({ key, blob }, i): SqlValue[] => [id, i, key, blob, 'open', 0]);
    await insertRows(session, head, units);
    const runs = runsOf(batch.units).map((run) => ({ ...run, job: randomUUID() }));
    await addRuns(session, id, runs);
    const { workClass } = batch;
    const jobs = runs.map(({ job, blob }) => ({ id: job, tenant, version, workClass, blob }));
    await queue.add(session, jobs);
  });
}

/** Stores runs that no cell has claimed. */
export async function addRuns(
  session: SqlSession,
  batch: string,
  runs: readonly (UnitRun & { readonly job: string })[],
): Promise<void> {
  const head = 'INSERT INTO run (job, batch, blob, first_position, unit_count)';
  const rows = runs.map(({ job, blob, firstPosition, unitCount }): SqlValue[] => [
    job,
    batch,
    blob,
    firstPosition,
    unitCount,
  ]);
  await insertRows(session, head, rows);
}

/** Counts the new units of a tenant against its quota. */
async function admitUnits(
  session: SqlSession,
  { name, weight, maxQueuedUnits }: Tenant,
  unitCount: number,
): Promise<void> {
  // Also locks the row, so that submissions of a tenant follow each other.
  const [row] = await session.all(
    `INSERT INTO tenant VALUES ($1, $2, 0, 0)
     ON CONFLICT (name) DO UPDATE SET weight = $2 RETURNING open_units`,
    name,
    weight,
  );
  const openUnits = Number(row?.open_units);
  if (openUnits + unitCount > maxQueuedUnits) {
    throw new QuotaExceededError(
      `${openUnits} units of the tenant are open and ${unitCount} more exceed its quota of ${maxQueuedUnits}`,
    );
  }
  await addOpenUnits(session, name, unitCount);
}

/** Adds to the number of open units of a tenant. */
export async function addOpenUnits(
  session: SqlSession,
  tenant: string,
  count: number,
): Promise<void> {
  await session.all(
    'UPDATE tenant SET open_units = open_units + $1 WHERE name = $2',
    count,
    tenant,
  );
}

/** Cancels the open units of a batch and ends its jobs. Returns false if there is no such batch. */
export async function cancelBatch(sql: Sql, queue: JobQueue, id: string): Promise<boolean> {
  return sql.transaction(async (session) => {
    const select = `SELECT tenant, version, state FROM batch WHERE id = $1 ${sql.forUpdate}`;
    const [batch] = await session.all(select, id);
    if (batch === undefined) return false;
    if (batch.state !== 'open') return true;
    const place = { tenant: String(batch.tenant), version: String(batch.version) };
    const cancelled = await session.all(
      `UPDATE unit SET state = 'cancelled' WHERE batch = $1 AND state = 'open' RETURNING position`,
      id,
    );
    await addOpenUnits(session, place.tenant, -cancelled.length);
    const runs = await session.all('DELETE FROM run WHERE batch = $1 RETURNING job', id);
    await queue.complete(
      session,
      place,
      runs.map(({ job }) => String(job)),
    );
    await session.all(
      `UPDATE batch SET state = 'cancelled', finished_ms = ${sql.nowMs} WHERE id = $1`,
      id,
    );
    return true;
  });
}
