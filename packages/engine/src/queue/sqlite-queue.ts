/** Queue of jobs in the SQLite file of the engine. */
import { insertRows, type Sql, type SqlSession } from '../sql/sql.ts';
import type { WorkClass } from '../work/work-engine.ts';
import {
  HEARTBEAT_SECONDS,
  type JobFilter,
  type JobPlace,
  type JobQueue,
  type NewJob,
  type WaitingJobs,
} from './job-queue.ts';

/** Table of the queue. */
export const SQLITE_QUEUE_TABLES = [
  `CREATE TABLE IF NOT EXISTS job (
     id TEXT NOT NULL UNIQUE,
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     tenant TEXT NOT NULL,
     version TEXT NOT NULL,
     work_class TEXT NOT NULL,
     blob TEXT NOT NULL,
     added_ms INTEGER NOT NULL,
     beat_ms INTEGER
   )`,
  `CREATE INDEX IF NOT EXISTS job_by_place ON job (version, tenant, work_class, number)`,
] as const;

/** Queue of jobs in SQLite. A job without a beat, or with an old one, waits. */
export class SqliteQueue implements JobQueue {
  readonly #nowMs: string;
  readonly #isWaiting: string;

  constructor({ nowMs }: Pick<Sql, 'nowMs'>) {
    this.#nowMs = nowMs;
    this.#isWaiting = `(beat_ms IS NULL OR beat_ms < ${nowMs} - ${HEARTBEAT_SECONDS * 1000})`;
  }

  async prepare(): Promise<void> {}

  async add(session: SqlSession, jobs: readonly NewJob[]): Promise<void> {
    const [{ now } = { now: 0 }] = await session.all(`SELECT ${this.#nowMs} AS now`);
    const rows = jobs.map((job) => [
      job.id,
      job.tenant,
      job.version,
      job.workClass,
      job.blob,
      Number(now),
    ]);
    const head = 'INSERT INTO job (id, tenant, version, work_class, blob, added_ms)';
    await insertRows(session, head, rows);
  }

  async waiting(session: SqlSession, version: string): Promise<WaitingJobs[]> {
    const rows = await session.all(
      `SELECT tenant, work_class, blob, min(added_ms) AS oldest_ms FROM job
       WHERE version = $1 AND ${this.#isWaiting} GROUP BY tenant, work_class, blob`,
      version,
    );
    return rows.map((row) => ({
      tenant: String(row.tenant),
      workClass: row.work_class as WorkClass,
      blob: String(row.blob),
      oldestMs: Number(row.oldest_ms),
    }));
  }

  async take(session: SqlSession, filter: JobFilter): Promise<string | null> {
    const { tenant, version, workClass, exceptBlobs } = filter;
    const [row] = await session.all(
      `UPDATE job SET beat_ms = ${this.#nowMs} WHERE number = (
         SELECT number FROM job WHERE version = $1 AND tenant = $2 AND work_class = $3
           AND ${this.#isWaiting} AND blob NOT IN (SELECT value FROM json_each($4))
         ORDER BY number LIMIT 1
       ) RETURNING id`,
      version,
      tenant,
      workClass,
      JSON.stringify(exceptBlobs),
    );
    return row === undefined ? null : String(row.id);
  }

  async touch(session: SqlSession, _place: JobPlace, ids: readonly string[]): Promise<void> {
    await session.all(
      `UPDATE job SET beat_ms = ${this.#nowMs}
       WHERE beat_ms IS NOT NULL AND id IN (SELECT value FROM json_each($1))`,
      JSON.stringify(ids),
    );
  }

  async giveBack(session: SqlSession, _place: JobPlace, id: string): Promise<void> {
    await session.all('UPDATE job SET beat_ms = NULL WHERE id = $1', id);
  }

  async complete(session: SqlSession, _place: JobPlace, ids: readonly string[]): Promise<void> {
    await session.all(
      'DELETE FROM job WHERE id IN (SELECT value FROM json_each($1))',
      JSON.stringify(ids),
    );
  }

  async close(): Promise<void> {}
}
