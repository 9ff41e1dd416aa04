/** Failures of hosts and of jobs. */
import type { ErrorCode } from '@tessera/frame';
import type { Job } from './bin-job.ts';

/** Errors that end a request without being a failure of the host. */
const NO_FAILURES: ReadonlySet<ErrorCode> = new Set([
  'CHIPLET_LOST',
  'CHIPLET_TIMEOUT',
  'NO_CHIPLETS',
  'FRAME_CANCELLED',
]);

/** Whether an error with this code, or one without a code (null), is a failure of the host. */
export function isHostFailure(code: ErrorCode | null): boolean {
  return code === null || !NO_FAILURES.has(code);
}

/** Describes an error of a host for the report of its fault. */
export function describeFailure(error: unknown): string {
  return `failed at a bin that another chiplet rendered: ${(error as Error).message}`;
}

/** Fails a job and releases its frame on all hosts, which ends its other bins. */
export function failJob(job: Job, error: unknown): void {
  if (job.failure !== null) return;
  job.failure = { error };
  for (const host of job.batch.hosts) host.releaseFrame(job.batch.frameId);
}
