/**
 * Runs that outlive their pass. Hosts that are not trusted yet prove themselves with such runs, and
 * no pass waits for them.
 */
import type { Chiplet, FrameId } from '@tessera/frame';
import type { Job, Run } from './bin-job.ts';

interface LateRun {
  readonly job: Job;
  /** Whether the frame must be released on the host when the run ends. */
  isReleaseDue: boolean;
}

/** Runs of finished passes. */
export class LateRuns {
  readonly #lateByRun = new Map<Run, LateRun>();

  list(): [Run, Job][] {
    return Array.from(this.#lateByRun, ([run, { job }]) => [run, job]);
  }

  /** Adds the runs of a finished pass. */
  addFrom(job: Job): void {
    for (const { runs } of job.bins) {
      for (const run of runs) {
        if (run.isTrusted || run.isOverdue) continue;
        this.#lateByRun.set(run, { job, isReleaseDue: false });
      }
    }
  }

  /**
   * Postpones the release of a frame on a host until its run has ended.
   *
   * @returns Whether there is such a run.
   */
  holdRelease(host: Chiplet, frameId: FrameId): boolean {
    for (const [run, late] of this.#lateByRun) {
      if (run.host !== host || late.job.batch.frameId !== frameId) continue;
      late.isReleaseDue = true;
      return true;
    }
    return false;
  }

  /**
   * Removes a run that ended and releases its frame if that is due. Does nothing for a run that is
   * not late.
   */
  end(run: Run): void {
    const late = this.#lateByRun.get(run);
    this.#lateByRun.delete(run);
    if (late?.isReleaseDue) run.host.releaseFrame(late.job.batch.frameId);
  }
}
