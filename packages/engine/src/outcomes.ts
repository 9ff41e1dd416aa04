/**
 * Outcomes of units. A name has exactly one result: the first that is stored. Another one with a
 * different digest is kept as a violation, because the simulator is deterministic.
 */
import type { JobQueue } from './queue/job-queue.ts';
import { insertRows, type Sql, type SqlSession, type SqlValue } from './sql/sql.ts';
import { addOpenUnits } from './submission.ts';
import type { UnitOutcome, UnitResult, Violation } from './work/work-engine.ts';

/** Name of a chunk and of the cell that finishes units of it. */
interface FinishedChunk {
  readonly cell: string;
  readonly chunkId: string;
  readonly outcomes: readonly UnitOutcome[];
}

/** Stores outcomes; see `WorkEngine.finish`. */
export async function storeOutcomes(
  sql: Sql,
  queue: JobQueue,
  { cell, chunkId, outcomes }: FinishedChunk,
): Promise<Violation[]> {
  return sql.transaction(async (session) => {
    const [run] = await session.all(
      `SELECT run.*, batch.tenant, batch.version FROM run JOIN batch ON batch.id = run.batch
       WHERE job = $1 ${sql.forUpdate}`,
      chunkId,
    );
    const [version] = await session.all('SELECT version FROM cell WHERE name = $1', cell);
    const violations = await keepResults(sql, session, cell, String(version?.version), outcomes);
    // Without a run the batch is cancelled, or another cell has finished these units.
    if (run === undefined) return violations;
    const batch = String(run.batch);
    const tenant = String(run.tenant);
    const changed = await endUnits(session, batch, cell, outcomes);
    await countFinished(sql, session, { batch, tenant, ...changed });
    await correctCharge(session, tenant, Number(run.unit_ms), changed);
    const [left] = await session.all(
      `SELECT count(*) AS count FROM unit
       WHERE batch = $1 AND position >= $2 AND position < $3 AND state = 'open'`,
      batch,
      Number(run.first_position),
      Number(run.first_position) + Number(run.unit_count),
    );
    if (Number(left!.count) > 0) return violations;
    await session.all('DELETE FROM run WHERE job = $1', chunkId);
    await queue.complete(session, { tenant, version: String(run.version) }, [chunkId]);
    return violations;
  });
}

/** Stores results under their names. Returns those that differ from an earlier one. */
async function keepResults(
  sql: Sql,
  session: SqlSession,
  cell: string,
  version: string,
  outcomes: readonly UnitOutcome[],
): Promise<Violation[]> {
  const determined = outcomes
    .filter(({ isDetermined }) => isDetermined)
    .map(({ key, result }) => ({ key, ...storedForm(result) }));
  if (determined.length === 0) return [];
  const [{ now } = { now: 0 }] = await session.all(`SELECT ${sql.nowMs} AS now`);
  // In the order of their names, so that two cells never wait for each other.
  const rows = determined
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, digest, summary, isError }): SqlValue[] => [
      key,
      digest,
      summary,
      isError ? 1 : 0,
      cell,
      version,
      Number(now),
    ]);
  const stored = await insertRows(
    session,
    'INSERT INTO result',
    rows,
    'ON CONFLICT (key) DO NOTHING RETURNING key',
  );
  const isNew = new Set(stored.map(({ key }) => String(key)));
  const violations: Violation[] = [];
  for (const { key, digest, summary } of determined) {
    if (isNew.has(key)) continue;
    const [first] = await session.all('SELECT * FROM result WHERE key = $1', key);
    if (first === undefined || first.digest === digest) continue;
    violations.push({
      key,
      digests: [String(first.digest), digest],
      cells: [String(first.cell), cell],
    });
    const firstSummary =
      typeof first.summary === 'string' ? first.summary : JSON.stringify(first.summary);
    await session.all(
      `INSERT INTO violation VALUES ($1, $2, $3, $4, $5, $6, $7, ${sql.nowMs}) ON CONFLICT DO NOTHING`,
      key,
      String(first.digest),
      digest,
      String(first.cell),
      cell,
      firstSummary,
      summary,
    );
  }
  return violations;
}

/** Returns a result as it is stored. An error is its own digest. */
function storedForm(result: UnitOutcome['result']) {
  if ('digest' in result) {
    return { digest: result.digest, summary: JSON.stringify(result.summary), isError: false };
  }
  const summary = JSON.stringify({ code: result.code, message: result.message });
  return { digest: `error ${result.code}`, summary, isError: true };
}

/** Numbers of units that ended, and their times. */
interface EndedUnits {
  readonly doneCount: number;
  readonly failedCount: number;
  readonly wallMs: number;
}

async function endUnits(
  session: SqlSession,
  batch: string,
  cell: string,
  outcomes: readonly UnitOutcome[],
): Promise<EndedUnits> {
  // An insert that always finds its row, because it is one statement for all units.
  const ended = await insertRows(
    session,
    'INSERT INTO unit (batch, position, key, blob, losses, state, error, rows, cell)',
    outcomes.map(({ position, key, result, rows }): SqlValue[] => {
      const error = errorOf(result);
      const outcome =
        error === null
          ? ['done', null, JSON.stringify(rows)]
          : ['failed', JSON.stringify(error), null];
      return [batch, position, key, '', 0, ...outcome, cell];
    }),
    `ON CONFLICT (batch, position) DO UPDATE
       SET state = excluded.state, error = excluded.error, rows = excluded.rows, cell = excluded.cell
     WHERE unit.state = 'open' AND unit.key = excluded.key RETURNING position, state`,
  );
  const wallMsByPosition = new Map(outcomes.map(({ position, wallMs }) => [position, wallMs]));
  const doneCount = ended.filter(({ state }) => state === 'done').length;
  return {
    doneCount,
    failedCount: ended.length - doneCount,
    wallMs: ended.reduce((sum, { position }) => sum + wallMsByPosition.get(Number(position))!, 0),
  };
}

function errorOf(result: UnitOutcome['result']): Exclude<UnitOutcome['result'], UnitResult> | null {
  return 'digest' in result ? null : { code: result.code, message: result.message };
}

/** Counts ended units for their batch, which may be over, and their tenant. */
export async function countFinished(
  { nowMs }: Pick<Sql, 'nowMs'>,
  session: SqlSession,
  ended: EndedUnits & { readonly batch: string; readonly tenant: string },
): Promise<void> {
  const { batch, tenant, doneCount, failedCount, wallMs } = ended;
  if (doneCount + failedCount === 0) return;
  await session.all(
    `UPDATE batch SET done_count = done_count + $1, failed_count = failed_count + $2,
       wall_ms = wall_ms + $3 WHERE id = $4`,
    doneCount,
    failedCount,
    wallMs,
    batch,
  );
  await session.all(
    `UPDATE batch SET state = 'done', finished_ms = ${nowMs}
     WHERE id = $1 AND state = 'open' AND done_count + failed_count = unit_count`,
    batch,
  );
  await addOpenUnits(session, tenant, -(doneCount + failedCount));
}

/**
 * Charges the tenant for the difference between the time that units took and the time that their
 * claim expected.
 */
async function correctCharge(
  session: SqlSession,
  tenant: string,
  expectedUnitMs: number,
  { doneCount, failedCount, wallMs }: EndedUnits,
): Promise<void> {
  const moreMs = wallMs - (doneCount + failedCount) * expectedUnitMs;
  await session.all(
    'UPDATE tenant SET virtual_ms = virtual_ms + $1 / weight WHERE name = $2',
    moreMs,
    tenant,
  );
}
