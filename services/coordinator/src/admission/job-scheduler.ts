/** Runs queued jobs: a bounded number concurrently, or one alone while all others wait. */
import { runOwned } from '@tessera/wire';
import type { Logger } from 'pino';
import { FairQueue } from './fair-queue.ts';

/** Numbers of waiting and running jobs. */
export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

/** Settings and callbacks of a {@link JobScheduler}. */
export interface JobSchedulerOptions<Job> {
  /** Upper bound on jobs that run concurrently. */
  readonly maxRunning: number;
  /** Returns the weight of a client for its turns; 1 by default. */
  readonly weightOf?: ((client: string) => number) | undefined;
  readonly log: Logger;
  /** Runs a job to its end. */
  readonly run: (job: Job) => Promise<void>;
  /** Receives a job whose `run` rejected, which is a bug. */
  readonly onFailure: (job: Job, error: unknown) => void;
  /** Receives the load whenever it may have changed. */
  readonly onLoad: (load: QueueLoad) => void;
  /** Fields that identify a job in log lines. */
  readonly describe: (job: Job) => object;
}

/** Fair queue of jobs with a bound on concurrency. */
export class JobScheduler<Job> {
  /** Jobs that wait for their turn. */
  readonly waiting: FairQueue<Job>;
  readonly #options: JobSchedulerOptions<Job>;
  #runningCount = 0;
  /** Whether one job runs alone, or waits for the running jobs to finish so that it can. */
  #isReservedForOne = false;
  /** Resolved when no job runs; created by the caller that waits for it. */
  #idle: PromiseWithResolvers<void> | null = null;

  constructor(options: JobSchedulerOptions<Job>) {
    this.#options = options;
    this.waiting = new FairQueue(options.weightOf);
  }

  /** Numbers of waiting and running jobs. */
  get load(): QueueLoad {
    return { waiting: this.waiting.length, running: this.#runningCount };
  }

  /** Queues a job and starts it if fewer than `maxRunning` run. */
  push(client: string, job: Job): void {
    this.waiting.push(client, job);
    this.#startNext();
  }

  /**
   * Runs one job while no other job runs. Starts no queued job until this one has finished.
   *
   * @param prepare Creates the job once nothing else runs; returns null if there is nothing to run.
   * @throws The errors of `prepare`.
   */
  async runAlone(prepare: () => Promise<Job | null>): Promise<void> {
    this.#isReservedForOne = true;
    try {
      while (this.#runningCount > 0) {
        this.#idle ??= Promise.withResolvers();
        await this.#idle.promise;
      }
      const job = await prepare();
      if (job !== null) await new Promise<void>((resolve) => this.#start(job, resolve));
    } finally {
      this.#isReservedForOne = false;
      this.#startNext();
    }
  }

  #startNext(): void {
    while (!this.#isReservedForOne && this.#runningCount < this.#options.maxRunning) {
      const job = this.waiting.shift();
      if (job === undefined) break;
      this.#start(job);
    }
    this.#options.onLoad(this.load);
  }

  /** @param onOver Called when the job is over, whatever its outcome. */
  #start(job: Job, onOver: () => void = () => {}): void {
    const { log, run, onFailure, describe } = this.#options;
    this.#runningCount++;
    const runThenNext = async () => {
      try {
        await run(job);
      } finally {
        this.#runningCount--;
        if (this.#runningCount === 0) {
          this.#idle?.resolve();
          this.#idle = null;
        }
        onOver();
        this.#startNext();
      }
    };
    runOwned(log, 'rendering a frame', describe(job), runThenNext, (error) =>
      onFailure(job, error),
    );
  }
}
