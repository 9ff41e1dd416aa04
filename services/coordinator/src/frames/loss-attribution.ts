/**
 * Attributes lost chiplets to the frames they rendered, and stops a frame that crashes chiplets.
 */
import type { CurrentWork } from '../chiplets/chiplet-activity.ts';
import { recordIdOf } from '../chiplets/frame-blame.ts';
import type { Job } from './frame-job.ts';

/** State of a job that attribution reads and changes. */
export type BlamedJob = Pick<Job, 'blame' | 'crashingWork' | 'attempt'>;

/** Counts lost chiplets of the service and per frame. */
export class LossAttribution {
  readonly #findJob: (recordId: string) => BlamedJob | undefined;
  /** Chiplets lost since the start, whatever they rendered. */
  #lossCount = 0;

  /** @param findJob Returns the unfinished job of a frame record. */
  constructor(findJob: (recordId: string) => BlamedJob | undefined) {
    this.#findJob = findJob;
  }

  /**
   * Records a lost chiplet. Aborts the current attempt of the frame if its work crashes chiplets.
   *
   * @param work Work of the chiplet when it was lost; null if it was idle.
   */
  noteLoss(work: CurrentWork | null): void {
    this.#lossCount++;
    const job = work === null ? undefined : this.#findJob(recordIdOf(work.frameId));
    if (job === undefined || work === null) return;
    const crashingWork = job.blame.noteLoss(work, this.#lossCount);
    if (crashingWork === null) return;
    job.crashingWork = crashingWork;
    job.attempt.abort();
  }

  /** Withdraws a loss: the chiplet came back alive, so its work did not crash it. */
  noteSurvival(work: CurrentWork): void {
    this.#findJob(recordIdOf(work.frameId))?.blame.withdraw(work);
  }
}
