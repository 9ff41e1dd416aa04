/** Queue of runs: one job per run of units that waits or that a cell has claimed. */
import type { SqlSession } from '../sql/sql.ts';
import type { WorkClass } from '../work/work-engine.ts';

/** Seconds without a beat after which a claimed job waits again; the least that pg-boss accepts. */
export const HEARTBEAT_SECONDS = 10;

/** Place of a job: cells of `version` claim it, on account of `tenant`. */
export interface JobPlace {
  readonly tenant: string;
  readonly version: string;
}

/** Job of a run. */
export interface NewJob extends JobPlace {
  /** UUID, which also names the run. */
  readonly id: string;
  readonly workClass: WorkClass;
  /** Blob of the run's units. */
  readonly blob: string;
}

/** Waiting jobs of a tenant that need the same blob. */
export interface WaitingJobs {
  readonly tenant: string;
  readonly workClass: WorkClass;
  readonly blob: string;
  /** Time at which the oldest of them was added, in milliseconds since 1970. */
  readonly oldestMs: number;
}

/** Jobs among which {@link JobQueue.take} chooses. */
export interface JobFilter extends JobPlace {
  readonly workClass: WorkClass;
  /** Blobs whose jobs are skipped. */
  readonly exceptBlobs: readonly string[];
}

/** Queue of jobs in a database. Methods with a session are part of its transaction. */
export interface JobQueue {
  /** Creates what jobs at this place need, before the transaction that adds the first one. */
  prepare(place: JobPlace): Promise<void>;
  add(session: SqlSession, jobs: readonly NewJob[]): Promise<void>;
  /** Returns the waiting jobs of a version, also those whose cell has stopped beating. */
  waiting(session: SqlSession, version: string): Promise<WaitingJobs[]>;
  /** Claims the oldest job and returns its id; null if there is none. */
  take(session: SqlSession, filter: JobFilter): Promise<string | null>;
  /** Records a beat for claimed jobs. */
  touch(session: SqlSession, place: JobPlace, ids: readonly string[]): Promise<void>;
  /** Lets a claimed job wait again. */
  giveBack(session: SqlSession, place: JobPlace, id: string): Promise<void>;
  /** Ends jobs, claimed or waiting. */
  complete(session: SqlSession, place: JobPlace, ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
