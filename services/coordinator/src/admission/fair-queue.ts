/**
 * Queue of jobs in which clients take turns. Each turn takes the oldest job of the first client,
 * which then moves to the end. A client with many jobs delays each other client by one job per turn
 * (round robin, as in fair queueing per flow).
 */

/** Waiting jobs of one client, oldest first. */
interface Waiting<Job> {
  readonly client: string;
  readonly jobs: Job[];
}

/** Queue of jobs in which clients take turns. */
export class FairQueue<Job> {
  /** Clients with jobs, in the order of their turns. */
  #turns: Waiting<Job>[] = [];

  /** Number of waiting jobs. */
  get length(): number {
    return this.#turns.reduce((sum, { jobs }) => sum + jobs.length, 0);
  }

  /** Returns the number of waiting jobs of a client. */
  countOf(client: string): number {
    return this.#jobsOf(client).length;
  }

  /** Returns the waiting jobs: all, or those of one client. */
  list(client?: string): readonly Job[] {
    if (client !== undefined) return this.#jobsOf(client);
    return this.#turns.flatMap(({ jobs }) => jobs);
  }

  /** Adds a job behind the others of its client. A client without jobs gets the last turn. */
  push(client: string, job: Job): void {
    const waiting = this.#turns.find((other) => other.client === client);
    if (waiting === undefined) this.#turns.push({ client, jobs: [job] });
    else waiting.jobs.push(job);
  }

  /**
   * Removes and returns the next job; undefined if there is none.
   *
   * @param isEligible Returns false for jobs to skip. A client without an eligible job keeps its
   *   turn.
   */
  shift(isEligible: (job: Job, client: string) => boolean = () => true): Job | undefined {
    for (const [position, { client, jobs }] of this.#turns.entries()) {
      const index = jobs.findIndex((job) => isEligible(job, client));
      if (index === -1) continue;
      const [job] = jobs.splice(index, 1);
      const [waiting] = this.#turns.splice(position, 1);
      if (jobs.length > 0) this.#turns.push(waiting!);
      return job;
    }
    return undefined;
  }

  /** Removes a job. Returns whether it was queued. */
  remove(job: Job): boolean {
    const waiting = this.#turns.find(({ jobs }) => jobs.includes(job));
    if (waiting === undefined) return false;
    waiting.jobs.splice(waiting.jobs.indexOf(job), 1);
    if (waiting.jobs.length === 0) this.#turns.splice(this.#turns.indexOf(waiting), 1);
    return true;
  }

  #jobsOf(client: string): readonly Job[] {
    return this.#turns.find((waiting) => waiting.client === client)?.jobs ?? [];
  }
}
