/**
 * Claims of cells: which run comes next, and how many of its units make a chunk.
 *
 * Tenants share cells by start-time fair queueing (Goyal, Vin, Cheng 1996): the tenant with the
 * least virtual time comes first, and a claim adds its expected time, divided by the weight. A
 * chunk is cut when it is claimed: as many units as take the target time, but at most a share of
 * the rest that leaves work for all cells (guided self-scheduling, Polychronopoulos and Kuck 1987).
 */
import { randomUUID } from 'node:crypto';
import { toBatch } from './lists.ts';
import type { JobQueue, WaitingJobs } from './queue/job-queue.ts';
import { readJson, type Sql, type SqlRow, type SqlSession } from './sql/sql.ts';
import { addRuns } from './submission.ts';
import { MAX_LOSSES, recordLosses } from './unit-losses.ts';
import {
  type CellClaim,
  type Chunk,
  type ClaimedUnit,
  WORK_CLASSES,
  type WorkClass,
} from './work/work-engine.ts';

/** Expected time of a unit while no unit of any batch has finished. */
const UNKNOWN_UNIT_MS = 1000;
/** Latest batches whose mean time is expected of a batch without finished units. */
const RECENT_BATCHES = 20;
/** Units of a chunk while no unit of the batch has finished. */
const MAX_UNKNOWN_UNITS = 8;
/** Upper bound on the units of a chunk, so that no answer is large. */
const MAX_CHUNK_UNITS = 2000;
/**
 * Multiple of the expected time, and time, after which an idle cell repeats a chunk's units. Later
 * than the loss of a silent cell is noticed, because then the units are claimed.
 */
const HEDGE_FACTOR = 1.5;
const HEDGE_AFTER_MS = 15_000;

/** Claims a chunk. Returns null if no run waits and none is late. */
export async function claimChunk(
  sql: Sql,
  queue: JobQueue,
  claim: CellClaim,
): Promise<Chunk | null> {
  if (!(await hasWork(sql, queue, claim))) return null;
  return sql.transaction(async (session) => {
    await noteCell(sql, session, claim);
    for (;;) {
      const job = await takeJob(sql, session, queue, claim);
      if (job === null) return hedge(sql, session, claim);
      const chunk = await cutChunk(sql, session, queue, claim, job);
      if (chunk !== null) return chunk;
    }
  });
}

/**
 * Whether a run waits or is late. Takes no lock, because idle cells ask several times a second.
 */
async function hasWork(sql: Sql, queue: JobQueue, claim: CellClaim): Promise<boolean> {
  const waiting = await queue.waiting(sql, claim.version);
  if (waiting.some(({ workClass }) => claim.classes.includes(workClass))) return true;
  return (await findLate(sql, sql, claim)) !== undefined;
}

/** Records that a cell was heard of. */
export async function noteCell(
  { nowMs }: Pick<Sql, 'nowMs'>,
  session: SqlSession,
  { cell, version }: Pick<CellClaim, 'cell' | 'version'>,
): Promise<void> {
  await session.all(
    `INSERT INTO cell VALUES ($1, $2, ${nowMs})
     ON CONFLICT (name) DO UPDATE SET version = $2, beat_ms = ${nowMs}`,
    cell,
    version,
  );
}

/** Claims the job of the tenant whose turn it is; of its jobs, one whose blob the cell holds. */
async function takeJob(
  { forUpdate }: Sql,
  session: SqlSession,
  queue: JobQueue,
  { version, classes, heldBlobs }: CellClaim,
): Promise<string | null> {
  // One claim at a time decides, because each changes the virtual times.
  await session.all(`SELECT virtual_ms FROM engine ${forUpdate}`);
  const waiting = await queue.waiting(session, version);
  if (waiting.length === 0) return null;
  const virtualMs = await readVirtualMs(session);
  const held = new Set(heldBlobs);
  for (const workClass of WORK_CLASSES) {
    if (!classes.includes(workClass)) continue;
    const byTenant = Map.groupBy(
      waiting.filter((jobs) => jobs.workClass === workClass),
      ({ tenant }) => tenant,
    );
    const turns = [...byTenant].sort(
      ([a], [b]) => (virtualMs.get(a) ?? 0) - (virtualMs.get(b) ?? 0) || (a < b ? -1 : 1),
    );
    for (const [tenant, jobs] of turns) {
      const exceptBlobs = blobsToSkip(jobs, held);
      const job = await queue.take(session, { tenant, version, workClass, exceptBlobs });
      if (job !== null) return job;
    }
  }
  return null;
}

/** Returns the blobs of jobs that the cell does not hold, if it holds one of the others. */
function blobsToSkip(jobs: readonly WaitingJobs[], held: ReadonlySet<string>): string[] {
  if (!jobs.some(({ blob }) => held.has(blob))) return [];
  return jobs.map(({ blob }) => blob).filter((blob) => !held.has(blob));
}

async function readVirtualMs(session: SqlSession): Promise<Map<string, number>> {
  const rows = await session.all('SELECT name, virtual_ms FROM tenant WHERE open_units > 0');
  return new Map(rows.map((row) => [String(row.name), Number(row.virtual_ms)]));
}

/** Cuts a chunk from the run of a claimed job. Returns null if none of its units is open. */
async function cutChunk(
  sql: Sql,
  session: SqlSession,
  queue: JobQueue,
  claim: CellClaim,
  job: string,
): Promise<Chunk | null> {
  const [run] = await session.all(`SELECT * FROM run WHERE job = $1 ${sql.forUpdate}`, job);
  // A cancelled batch has no runs, and its jobs are being ended.
  if (run === undefined) return null;
  const [batch] = await session.all('SELECT * FROM batch WHERE id = $1', String(run.batch));
  const place = { tenant: String(batch!.tenant), version: String(batch!.version) };
  await recordLosses(sql, session, run, place.tenant);
  const open = await openUnits(session, run, MAX_CHUNK_UNITS);
  if (open.length === 0) {
    await session.all('DELETE FROM run WHERE job = $1', job);
    await queue.complete(session, place, [job]);
    return null;
  }
  const unitMs = await expectedUnitMs(session, batch!);
  const count = await countUnits(session, claim, batch!, open, unitMs);
  const units = open.slice(0, count);
  const first = Number(units[0]!.position);
  const end = Number(units.at(-1)!.position) + 1;
  const runEnd = Number(run.first_position) + Number(run.unit_count);
  if (open.length > count || open.length === MAX_CHUNK_UNITS) {
    const rest = {
      job: randomUUID(),
      blob: String(run.blob),
      firstPosition: end,
      unitCount: runEnd - end,
    };
    await addRuns(session, String(run.batch), [rest]);
    const workClass = batch!.work_class as WorkClass;
    await queue.add(session, [{ id: rest.job, ...place, workClass, blob: rest.blob }]);
  }
  await session.all(
    `UPDATE run SET first_position = $1, unit_count = $2, cell = $3, hedge_cell = NULL,
       claimed_ms = ${sql.nowMs}, unit_ms = $4, in_progress = NULL WHERE job = $5`,
    first,
    end - first,
    claim.cell,
    unitMs,
    job,
  );
  await chargeTenant(session, place.tenant, count * unitMs);
  return { id: job, batch: toBatch(batch!), units: units.map(readClaimed), isHedge: false };
}

/** Returns the mean wall time of the finished units of a batch, or of the latest batches. */
async function expectedUnitMs(session: SqlSession, batch: SqlRow): Promise<number> {
  const finished = Number(batch.done_count) + Number(batch.failed_count);
  if (finished > 0) return Math.max(1, Number(batch.wall_ms) / finished);
  const [recent] = await session.all(
    `SELECT sum(wall_ms) AS wall_ms, sum(done_count + failed_count) AS finished FROM (
       SELECT wall_ms, done_count, failed_count FROM batch
       WHERE version = $1 AND done_count + failed_count > 0
       ORDER BY submitted_ms DESC LIMIT ${RECENT_BATCHES}
     ) AS latest`,
    String(batch.version),
  );
  if (recent === undefined || recent.finished === null) return UNKNOWN_UNIT_MS;
  return Math.max(1, Number(recent.wall_ms) / Number(recent.finished));
}

/** Returns how many of the open units make a chunk. */
async function countUnits(
  session: SqlSession,
  claim: CellClaim,
  batch: SqlRow,
  open: readonly SqlRow[],
  unitMs: number,
): Promise<number> {
  // Units that may have ended a cell run alone, so that the others are not suspected as well.
  const suspect = open.findIndex(({ losses }) => Number(losses) > 0);
  if (suspect >= 0) return Math.max(1, suspect);
  const [cells] = await session.all(
    'SELECT count(*) AS count FROM cell WHERE version = $1 AND beat_ms > (SELECT max(beat_ms) FROM cell) - 30000',
    claim.version,
  );
  const finished = Number(batch.done_count) + Number(batch.failed_count);
  const left = Number(batch.unit_count) - finished;
  const share = Math.ceil(left / (2 * Math.max(1, Number(cells?.count))));
  const timely = finished > 0 ? Math.round(claim.targetMs / unitMs) : MAX_UNKNOWN_UNITS;
  return Math.max(1, Math.min(timely, share, open.length, MAX_CHUNK_UNITS));
}

/** Advances the virtual time of a tenant, which starts at that of the engine after a pause. */
async function chargeTenant(
  session: SqlSession,
  tenant: string,
  expectedMs: number,
): Promise<void> {
  const select = `SELECT weight, tenant.virtual_ms AS own_ms, engine.virtual_ms AS engine_ms
    FROM tenant, engine WHERE name = $1`;
  const [row] = await session.all(select, tenant);
  const startMs = Math.max(Number(row!.own_ms), Number(row!.engine_ms));
  const endMs = startMs + expectedMs / Number(row!.weight);
  await session.all('UPDATE tenant SET virtual_ms = $1 WHERE name = $2', endMs, tenant);
  await session.all('UPDATE engine SET virtual_ms = $1', startMs);
}

/** Returns the run that another cell claimed longest ago, if it is late. */
async function findLate(
  sql: Sql,
  session: SqlSession,
  claim: CellClaim,
): Promise<SqlRow | undefined> {
  const classes = claim.classes.map((name) => `'${name}'`).join(', ');
  const [run] = await session.all(
    `SELECT run.* FROM run JOIN batch ON batch.id = run.batch
     WHERE run.cell IS NOT NULL AND run.cell <> $1 AND run.hedge_cell IS NULL
       AND batch.version = $2 AND batch.work_class IN (${classes})
       AND ${sql.nowMs} - run.claimed_ms > ${HEDGE_FACTOR} * run.unit_ms * run.unit_count + ${HEDGE_AFTER_MS}
     ORDER BY run.claimed_ms LIMIT 1`,
    claim.cell,
    claim.version,
  );
  return run;
}

/** Returns open units of a late run. */
async function hedge(sql: Sql, session: SqlSession, claim: CellClaim): Promise<Chunk | null> {
  const run = await findLate(sql, session, claim);
  if (run === undefined) return null;
  await session.all('UPDATE run SET hedge_cell = $1 WHERE job = $2', claim.cell, String(run.job));
  const [batch] = await session.all('SELECT * FROM batch WHERE id = $1', String(run.batch));
  const units = await openUnits(session, run, MAX_CHUNK_UNITS);
  if (units.length === 0) return null;
  // From the end, because the other cell renders from the start.
  const late = units.reverse().map(readClaimed);
  return { id: String(run.job), batch: toBatch(batch!), units: late, isHedge: true };
}

async function openUnits(session: SqlSession, run: SqlRow, limit: number): Promise<SqlRow[]> {
  const first = Number(run.first_position);
  return session.all(
    `SELECT unit.position, unit.key, unit.losses, result.digest, result.summary, result.is_error,
       (SELECT other.rows FROM unit AS other
        WHERE other.key = result.key AND other.state = 'done' LIMIT 1) AS known_rows
     FROM unit LEFT JOIN result ON result.key = unit.key
     WHERE unit.batch = $1 AND unit.position >= $2 AND unit.position < $3
       AND unit.state = 'open' AND unit.losses < ${MAX_LOSSES}
     ORDER BY unit.position LIMIT $4`,
    String(run.batch),
    first,
    first + Number(run.unit_count),
    limit,
  );
}

function readClaimed(row: SqlRow): ClaimedUnit {
  const isKnown = row.digest !== null && Number(row.is_error) === 0 && row.known_rows !== null;
  return {
    position: Number(row.position),
    key: String(row.key),
    known: isKnown
      ? {
          digest: String(row.digest),
          summary: readJson(row.summary) as object,
          rows: readJson(row.known_rows) as object[],
        }
      : null,
  };
}
