/**
 * Queue of jobs in which clients take turns by their weights: while several clients have jobs, one
 * of weight 3 gets three times the turns of one of weight 1. With equal weights that is a round
 * robin. A client with many jobs therefore delays another of its weight by one job per turn.
 *
 * This is self-clocked fair queueing (Golestani, "A Self-Clocked Fair Queueing Scheme for Broadband
 * Applications", 1994) with jobs of equal cost. Each client with jobs has a tag: the virtual time
 * at which its next job is due. The smallest tag goes first. A job moves the tag of its client on
 * by the inverse of the client's weight. Virtual time is the tag of the job that was taken last.
 * A client that had no jobs starts at virtual time, so it can save no turns, and no client starves:
 * all tags ahead of a waiting one are reached after finitely many jobs.
 */

/** Waiting jobs of one client, oldest first. */
interface Waiting<Job> {
  readonly client: string;
  readonly jobs: Job[];
  /** Virtual time at which the next job is due. */
  tag: number;
  /** Order in which tags were assigned; decides between equal tags. */
  order: number;
}

/** Queue of jobs in which clients take turns. */
export class FairQueue<Job> {
  readonly #weightOf: (client: string) => number;
  readonly #waitingByClient = new Map<string, Waiting<Job>>();
  #virtualTime = 0;
  #lastOrder = 0;

  /** @param weightOf Returns the weight of a client, above 0; 1 by default. */
  constructor(weightOf: (client: string) => number = () => 1) {
    this.#weightOf = weightOf;
  }

  /** Number of waiting jobs. */
  get length(): number {
    let sum = 0;
    for (const { jobs } of this.#waitingByClient.values()) sum += jobs.length;
    return sum;
  }

  /** Returns the number of waiting jobs of a client. */
  countOf(client: string): number {
    return this.list(client).length;
  }

  /** Returns the waiting jobs: all, or those of one client. */
  list(client?: string): readonly Job[] {
    if (client !== undefined) return this.#waitingByClient.get(client)?.jobs ?? [];
    return Array.from(this.#waitingByClient.values(), ({ jobs }) => jobs).flat();
  }

  /** Adds a job behind the others of its client. */
  push(client: string, job: Job): void {
    const waiting = this.#waitingByClient.get(client);
    if (waiting !== undefined) {
      waiting.jobs.push(job);
      return;
    }
    const added = { client, jobs: [job], tag: this.#virtualTime, order: 0 };
    this.#moveOn(added);
    this.#waitingByClient.set(client, added);
  }

  /**
   * Removes and returns the next job; undefined if there is none.
   *
   * @param isEligible Returns false for jobs to skip. A client without an eligible job keeps its
   *   turn.
   */
  shift(isEligible: (job: Job, client: string) => boolean = () => true): Job | undefined {
    let next: Waiting<Job> | null = null;
    let index = -1;
    for (const waiting of this.#waitingByClient.values()) {
      if (next !== null && !isBefore(waiting, next)) continue;
      const eligible = waiting.jobs.findIndex((job) => isEligible(job, waiting.client));
      if (eligible === -1) continue;
      next = waiting;
      index = eligible;
    }
    if (next === null) return undefined;
    const [job] = next.jobs.splice(index, 1);
    // A client that was skipped before may have an earlier tag than the last job.
    this.#virtualTime = Math.max(this.#virtualTime, next.tag);
    if (next.jobs.length > 0) this.#moveOn(next);
    else this.#forget(next);
    return job;
  }

  /** Removes a job. Returns whether it was queued. */
  remove(job: Job): boolean {
    for (const waiting of this.#waitingByClient.values()) {
      const index = waiting.jobs.indexOf(job);
      if (index === -1) continue;
      waiting.jobs.splice(index, 1);
      if (waiting.jobs.length === 0) this.#forget(waiting);
      return true;
    }
    return false;
  }

  #moveOn(waiting: Waiting<Job>): void {
    waiting.tag += 1 / this.#weightOf(waiting.client);
    waiting.order = ++this.#lastOrder;
  }

  #forget({ client }: Waiting<Job>): void {
    this.#waitingByClient.delete(client);
    // Keeps the sums exact.
    if (this.#waitingByClient.size === 0) this.#virtualTime = 0;
  }
}

function isBefore<Job>(a: Waiting<Job>, b: Waiting<Job>): boolean {
  return a.tag === b.tag ? a.order < b.order : a.tag < b.tag;
}
