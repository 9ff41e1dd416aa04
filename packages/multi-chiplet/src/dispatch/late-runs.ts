/** Bins that outlive their pass: hosts that are not trusted prove themselves with them, and nothing waits for them. */
import type { Chiplet, FrameId } from '@tessera/frame';
import type { Job, Run } from './bin-job.ts';

interface LateRun {
  readonly job: Job;
  /** Whether the frame is to be released on the host when the run ends. */
  isReleaseDue: boolean;
}

export class LateRuns {
  readonly #lateByRun = new Map<Run, LateRun>();

  list(): [Run, Job][] {
    return Array.from(this.#lateByRun, ([run, { job }]) => [run, job]);
  }

  /** Takes the runs of a pass that is over. */
  addFrom(job: Job): void {
    for (const { runs } of job.bins) {
      for (const run of runs) {
        if (run.isTrusted || run.isOverdue) continue;
        this.#lateByRun.set(run, { job, isReleaseDue: false });
      }
    }
  }

  /** Releases a frame on a host once its run has ended. @returns Whether there is such a run. */
  holdRelease(host: Chiplet, frameId: FrameId): boolean {
    for (const [run, late] of this.#lateByRun) {
      if (run.host !== host || late.job.batch.frameId !== frameId) continue;
      late.isReleaseDue = true;
      return true;
    }
    return false;
  }

  /** To be called for every run that ends; most are not late. */
  end(run: Run): void {
    const late = this.#lateByRun.get(run);
    this.#lateByRun.delete(run);
    if (late?.isReleaseDue) run.host.releaseFrame(late.job.batch.frameId);
  }
}
