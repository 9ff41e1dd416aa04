/**
 * Queue of jobs in PostgreSQL, kept by pg-boss: one of its queues per version and tenant.
 * docs/decisions/work-engine.md says why.
 */
import { PgBoss } from 'pg-boss';
import { PostgresSession, type PostgresSql } from '../sql/postgres.ts';
import type { SqlSession } from '../sql/sql.ts';
import { WORK_CLASSES, type WorkClass } from '../work/work-engine.ts';
import {
  HEARTBEAT_SECONDS,
  type JobFilter,
  type JobPlace,
  type JobQueue,
  type NewJob,
  type WaitingJobs,
} from './job-queue.ts';

/** Schema of pg-boss. */
const BOSS_SCHEMA = 'pgboss';
/** Interval between two checks for jobs without a beat, which each process makes. */
const SUPERVISE_SECONDS = 3;
/** Time for which ended jobs are kept, for people who look for the reason of a fault. */
const KEEP_SECONDS = 3600;
/**
 * Claims of a job that pg-boss permits, in effect any number. The engine itself counts the cells
 * that each unit lost.
 */
const RETRY_LIMIT = 1_000_000;
/**
 * Upper bound on the time that a claimed job may take altogether, a day, which is pg-boss's own.
 */
const EXPIRE_SECONDS = 86_400 - 1;

/** Queue of jobs kept by pg-boss. */
export class BossQueue implements JobQueue {
  readonly #boss: PgBoss;
  /** Names of the queues that this process has created or found. */
  readonly #known = new Set<string>();

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /**
   * Installs the tables of pg-boss if they are missing, and starts its checks.
   *
   * @param onError Called with errors of these checks, which are repeated.
   */
  static async open(sql: PostgresSql, onError: (error: Error) => void): Promise<BossQueue> {
    const boss = new PgBoss({
      db: sql.session,
      schema: BOSS_SCHEMA,
      schedule: false,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      registerInstance: false,
    });
    boss.on('error', (reported) => onError(errorOf(reported)));
    await boss.start();
    return new BossQueue(boss);
  }

  async prepare(place: JobPlace): Promise<void> {
    const name = queueOf(place);
    if (this.#known.has(name)) return;
    await this.#boss.createQueue(name, {
      heartbeatSeconds: HEARTBEAT_SECONDS,
      retryLimit: RETRY_LIMIT,
      expireInSeconds: EXPIRE_SECONDS,
      deleteAfterSeconds: KEEP_SECONDS,
    });
    this.#known.add(name);
  }

  async add(session: SqlSession, jobs: readonly NewJob[]): Promise<void> {
    const byQueue = Map.groupBy(jobs, queueOf);
    for (const [name, added] of byQueue) {
      const inserts = added.map(({ id, workClass, blob }) => ({
        id,
        priority: priorityOf(workClass),
        group: { id: blob },
      }));
      await this.#boss.insert(name, inserts, { db: asPostgres(session) });
    }
  }

  async waiting(session: SqlSession, version: string): Promise<WaitingJobs[]> {
    // pg-boss lists its jobs one by one only. A test checks this statement against its version.
    const rows = await session.all(
      `SELECT name, priority, group_id, extract(epoch FROM min(created_on)) * 1000 AS oldest_ms
       FROM ${BOSS_SCHEMA}.job WHERE starts_with(name, $1) AND state < 'active'
       GROUP BY name, priority, group_id`,
      prefixOf(version),
    );
    return rows.map((row) => ({
      tenant: String(row.name).slice(prefixOf(version).length),
      workClass: WORK_CLASSES[WORK_CLASSES.length - 1 - Number(row.priority)]!,
      blob: String(row.group_id),
      oldestMs: Number(row.oldest_ms),
    }));
  }

  async take(session: SqlSession, filter: JobFilter): Promise<string | null> {
    const priority = priorityOf(filter.workClass);
    const [job] = await this.#boss.fetch(queueOf(filter), {
      minPriority: priority,
      maxPriority: priority,
      ignoreGroups: filter.exceptBlobs.length === 0 ? null : [...filter.exceptBlobs],
      db: asPostgres(session),
    });
    return job?.id ?? null;
  }

  async touch(session: SqlSession, place: JobPlace, ids: readonly string[]): Promise<void> {
    await this.#boss.touch(queueOf(place), [...ids], { db: asPostgres(session) });
  }

  async giveBack(session: SqlSession, place: JobPlace, id: string): Promise<void> {
    await this.#boss.fail(queueOf(place), id, null, { db: asPostgres(session) });
  }

  async complete(session: SqlSession, place: JobPlace, ids: readonly string[]): Promise<void> {
    const options = { db: asPostgres(session), includeQueued: true };
    await this.#boss.complete(queueOf(place), [...ids], null, options);
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }
}

function prefixOf(version: string): string {
  return `chunks-${version}-`;
}

function queueOf({ version, tenant }: JobPlace): string {
  return `${prefixOf(version)}${tenant}`;
}

/** Returns a number that is larger for classes that are claimed first. */
function priorityOf(workClass: WorkClass): number {
  return WORK_CLASSES.length - 1 - WORK_CLASSES.indexOf(workClass);
}

function asPostgres(session: SqlSession): PostgresSession {
  if (session instanceof PostgresSession) return session;
  throw new Error('the session is not one of PostgreSQL');
}

/** Returns an error that pg-boss reports: some of its checks report a copy of the properties. */
export function errorOf(reported: Error | Pick<Error, 'message'>): Error {
  if (reported instanceof Error) return reported;
  return Object.assign(new Error(reported.message), reported);
}
