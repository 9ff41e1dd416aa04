/**
 * Bins in wall time: hosts are kept at work, whichever simulated chiplet a bin belongs to. A host is a `Chiplet` in
 * this process or another. A bin's picture and cycles are a function of the frame and the bin alone, so any host may
 * render it, and the bins that a lost host still owed are rendered by the others.
 *
 * Bins of the oldest pass go first, and of these the costliest: what is left over at the end is small.
 */
import {
  type BinResult,
  type Chiplet,
  type FrameId,
  type RenderBinRequest,
  RenderError,
} from '@tessera/frame';
import { throwIfCancelled } from './cancellation.ts';

/** A bin that outlived this many hosts is taken for the reason of their end. */
const MAX_HOSTS_LOST_PER_BIN = 3;
/** Bins that a host has at once: one to render, one to go on with while the answer travels. */
const MAX_BINS_PER_HOST = 2;

/** What a host is asked for at once. */
type BinWork = Pick<RenderBinRequest, 'binId' | 'rect'>;

/** The bins of one pass. */
export interface BinBatch {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly hosts: readonly Chiplet[];
  /** Bins and parts of bins by importance: the first is given out first. */
  readonly bins: readonly BinWork[];
  /** Called once per bin, in order of arrival. */
  readonly onBin: (result: BinResult) => void;
  readonly signal?: AbortSignal | undefined;
}

interface Job {
  readonly batch: BinBatch;
  readonly waiting: { readonly work: BinWork; lostHosts: number }[];
  readonly lost: Set<Chiplet>;
  readonly settled: PromiseWithResolvers<{ retriedBins: number }>;
  running: number;
  missing: number;
  retriedBins: number;
  /** Set once it has failed; it ends when nothing of it runs. */
  failure: { readonly error: unknown } | null;
}

/** Gives bins to hosts; one for all frames that share hosts. */
export class BinDispatcher {
  readonly #jobs: Job[] = [];
  readonly #runningByHost = new Map<Chiplet, number>();

  /**
   * Renders the bins of a pass. Passes that were begun earlier have precedence.
   *
   * @returns How many bins were run again since their host went away.
   * @throws {RenderError} CHIPLET_LOST when a bin lost three hosts or none is left; FRAME_CANCELLED on
   *   abort; else what a host threw. Nothing of the frame runs any more then.
   */
  render(batch: BinBatch): Promise<{ retriedBins: number }> {
    const job: Job = {
      batch,
      waiting: batch.bins.map((work) => ({ work, lostHosts: 0 })),
      lost: new Set(),
      settled: Promise.withResolvers(),
      running: 0,
      missing: batch.bins.length,
      retriedBins: 0,
      failure: null,
    };
    this.#jobs.push(job);
    this.#giveOut();
    this.#settle(job);
    return job.settled.promise;
  }

  /** One bin for every host first, then a second. */
  #giveOut(): void {
    for (let depth = 0; depth < MAX_BINS_PER_HOST; depth++) {
      for (const job of [...this.#jobs]) {
        for (const host of job.batch.hosts) {
          if (job.lost.has(host) || (this.#runningByHost.get(host) ?? 0) > depth) continue;
          const bin = job.failure === null ? job.waiting.shift() : undefined;
          if (bin !== undefined) void this.#renderOne(job, host, bin);
        }
      }
    }
  }

  /** Never rejects: a failure is the job's. */
  async #renderOne(job: Job, host: Chiplet, bin: Job['waiting'][number]): Promise<void> {
    const { frameId, passIndex, onBin, signal } = job.batch;
    job.running++;
    this.#runningByHost.set(host, (this.#runningByHost.get(host) ?? 0) + 1);
    try {
      throwIfCancelled(signal);
      const result = await host.renderBin({ frameId, passIndex, ...bin.work });
      throwIfCancelled(signal);
      if (job.failure === null) {
        onBin(result);
        job.missing--;
      }
    } catch (error) {
      if (isHostLost(error)) this.#putBack(job, host, bin, error);
      else fail(job, error);
    }
    job.running--;
    const running = this.#runningByHost.get(host)! - 1;
    if (running > 0) this.#runningByHost.set(host, running);
    else this.#runningByHost.delete(host);
    this.#giveOut();
    this.#settle(job);
  }

  #putBack(job: Job, host: Chiplet, bin: Job['waiting'][number], cause: unknown): void {
    job.lost.add(host);
    bin.lostHosts++;
    if (bin.lostHosts >= MAX_HOSTS_LOST_PER_BIN) {
      const what = `coarse bin ${bin.work.binId}: ${bin.lostHosts} chiplets went away while they rendered it`;
      fail(job, new RenderError('CHIPLET_LOST', what, { cause }));
    } else if (job.lost.size === job.batch.hosts.length) {
      const what = 'all chiplets went away while the frame was rendered';
      fail(job, new RenderError('CHIPLET_LOST', what, { cause }));
    } else {
      job.retriedBins++;
      job.waiting.unshift(bin);
    }
  }

  #settle(job: Job): void {
    const { failure, missing, running, settled } = job;
    if (running > 0 || (missing > 0 && failure === null)) return;
    const at = this.#jobs.indexOf(job);
    if (at >= 0) this.#jobs.splice(at, 1);
    if (failure === null) settled.resolve({ retriedBins: job.retriedBins });
    else settled.reject(failure.error);
  }
}

/** The frame's other bins end as well. */
function fail(job: Job, error: unknown): void {
  if (job.failure !== null) return;
  job.failure = { error };
  for (const host of job.batch.hosts) host.releaseFrame(job.batch.frameId);
}

function isHostLost(error: unknown): boolean {
  return (
    error instanceof RenderError &&
    (error.code === 'CHIPLET_LOST' || error.code === 'CHIPLET_TIMEOUT')
  );
}
