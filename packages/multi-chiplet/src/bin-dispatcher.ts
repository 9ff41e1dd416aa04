/**
 * Bins in wall time: hosts are kept at work, whichever simulated chiplet a bin belongs to. A host is a `Chiplet` in
 * this process or another. A bin's picture and cycles are a function of the frame and the bin alone, so any host may
 * render it: the bins that a lost host still owed, those that it answered wrongly, and those for which it takes far
 * longer than the others would. Whichever answer comes first is taken, each bin once.
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
/** A bin that this many hosts fail at fails its frame: it is not the hosts'. */
const MAX_FAILURES_PER_BIN = 2;
/** Bins that a host has at once: one to render, one to go on with while the answer travels. */
const MAX_BINS_PER_HOST = 2;
/** A bin is given to a second host when it takes this many times as long as bins of its pass do at its cost. */
const HEDGE_FACTOR = 4;
/** But not before this. */
const HEDGE_AFTER_MS = 1500;
/** The same where no bin of the pass is done yet, so that nobody knows how long they take. */
const HEDGE_UNKNOWN_AFTER_MS = 10_000;

/** What a host is asked for at once. */
type BinWork = Pick<RenderBinRequest, 'binId' | 'rect'>;

/** A bin, or a part of one, and what it costs beside the others of its batch; the unit is free. */
export interface WantedBin extends BinWork {
  readonly cost: number;
}

/** The bins of one pass. */
export interface BinBatch {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly hosts: readonly Chiplet[];
  /** Bins and parts of bins by importance: the first is given out first. */
  readonly bins: readonly WantedBin[];
  /** What is wrong with an answer; `null` if it is what was asked for. */
  readonly findFault: (result: BinResult, asked: WantedBin) => string | null;
  /** Called once per bin, in order of arrival. */
  readonly onBin: (result: BinResult) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Wall time. Without it no bin is given to a second host for being slow. */
export interface DispatchClock {
  readMs(): number;
  /** Calls back after a time; the result ends that. */
  startTimer(onElapsed: () => void, ms: number): () => void;
}

export interface BinDispatcherOptions {
  readonly clock?: DispatchClock | undefined;
  /** A bin was given to a second host since the first is slow. */
  readonly onHedge?: (() => void) | undefined;
  /** A host answered wrongly, or failed at a bin that another one rendered. */
  readonly onHostFault?: ((host: Chiplet, reason: string) => void) | undefined;
}

/** A bin on a host. */
interface Run {
  readonly host: Chiplet;
  readonly sinceMs: number;
  /** Of this bin and those of its pass that the host had before it. */
  readonly cost: number;
}

interface Bin {
  readonly wanted: WantedBin;
  readonly runs: Set<Run>;
  lostHosts: number;
  /** Hosts that failed at it, and what is to be told of them once another one rendered it; null: it was told. */
  readonly failures: Map<Chiplet, string | null>;
  isDone: boolean;
}

interface Job {
  readonly batch: BinBatch;
  readonly bins: readonly Bin[];
  readonly waiting: Bin[];
  /** Hosts that are lost, or failed at a bin. */
  readonly excluded: Set<Chiplet>;
  readonly settled: PromiseWithResolvers<{ retriedBins: number }>;
  running: number;
  missing: number;
  retriedBins: number;
  /** Of the bins that are done, for what the others may take. */
  doneMs: number;
  doneCost: number;
  /** Set once it has failed; it ends when nothing of it runs. */
  failure: { readonly error: unknown } | null;
  isOver: boolean;
}

/** Gives bins to hosts; one for all frames that share hosts. */
export class BinDispatcher {
  readonly #options: BinDispatcherOptions;
  readonly #jobs: Job[] = [];
  readonly #runningByHost = new Map<Chiplet, number>();
  readonly #lastAnswerMsByHost = new WeakMap<Chiplet, number>();
  #cancelTimer: (() => void) | null = null;

  constructor(options: BinDispatcherOptions = {}) {
    this.#options = options;
  }

  /**
   * Renders the bins of a pass. Passes that were begun earlier have precedence.
   *
   * @returns How many bins were run again since their host went away or failed.
   * @throws {RenderError} CHIPLET_LOST when a bin lost three hosts or none is left; FRAME_CANCELLED on
   *   abort; else what hosts threw. Nothing of the frame runs any more then.
   */
  render(batch: BinBatch): Promise<{ retriedBins: number }> {
    const bins = batch.bins.map((wanted) => ({
      wanted,
      runs: new Set<Run>(),
      lostHosts: 0,
      failures: new Map<Chiplet, string | null>(),
      isDone: false,
    }));
    const job: Job = {
      batch,
      bins,
      waiting: [...bins],
      excluded: new Set(),
      settled: Promise.withResolvers(),
      running: 0,
      missing: bins.length,
      retriedBins: 0,
      doneMs: 0,
      doneCost: 0,
      failure: null,
      isOver: false,
    };
    this.#jobs.push(job);
    this.#giveOut();
    this.#settle(job);
    return job.settled.promise;
  }

  /** Takes note of an answer that is not what was asked for, of a visibility phase as of a bin. */
  reportFault(host: Chiplet, reason: string): void {
    this.#options.onHostFault?.(host, reason);
  }

  /** One bin for every host first, then a second; hosts without any take over what is slow elsewhere. */
  #giveOut(): void {
    for (let depth = 0; depth < MAX_BINS_PER_HOST; depth++) {
      for (const job of [...this.#jobs]) {
        for (const host of job.batch.hosts) {
          if (job.excluded.has(host) || this.#runningOn(host) > depth) continue;
          const bin = job.failure === null ? job.waiting.shift() : undefined;
          if (bin !== undefined) void this.#renderOne(job, host, bin);
        }
      }
    }
    this.#hedge();
  }

  #runningOn(host: Chiplet): number {
    return this.#runningByHost.get(host) ?? 0;
  }

  /** Never rejects: a failure is the job's. */
  async #renderOne(job: Job, host: Chiplet, bin: Bin): Promise<void> {
    const { frameId, passIndex, signal } = job.batch;
    const { binId, rect } = bin.wanted;
    const run = { host, sinceMs: this.#readMs(), cost: bin.wanted.cost + costOn(job, host) };
    job.running++;
    bin.runs.add(run);
    this.#runningByHost.set(host, this.#runningOn(host) + 1);
    try {
      throwIfCancelled(signal);
      const result = await host.renderBin({
        frameId,
        passIndex,
        binId,
        ...(rect === undefined ? {} : { rect }),
      });
      throwIfCancelled(signal);
      bin.runs.delete(run);
      this.#take(job, run, bin, result);
    } catch (error) {
      bin.runs.delete(run);
      this.#receiveFailure(job, host, bin, error);
    }
    job.running--;
    this.#lastAnswerMsByHost.set(host, this.#readMs());
    const running = this.#runningOn(host) - 1;
    if (running > 0) this.#runningByHost.set(host, running);
    else this.#runningByHost.delete(host);
    this.#giveOut();
    this.#settle(job);
  }

  #take(job: Job, { host, sinceMs }: Run, bin: Bin, result: BinResult): void {
    const fault = job.batch.findFault(result, bin.wanted);
    if (fault !== null) {
      this.reportFault(host, fault);
      this.#runElsewhere(job, host, bin, null, new RenderError('INTERNAL', fault));
      return;
    }
    // Of two hosts that rendered it, the second.
    if (bin.isDone || job.failure !== null || job.isOver) return;
    bin.isDone = true;
    job.missing--;
    job.doneMs += this.#readMs() - Math.max(sinceMs, this.#lastAnswerMsByHost.get(host) ?? 0);
    job.doneCost += bin.wanted.cost;
    for (const [failed, reason] of bin.failures) {
      if (reason !== null) this.#options.onHostFault?.(failed, reason);
    }
    job.batch.onBin(result);
    host.recycle?.(result);
  }

  #receiveFailure(job: Job, host: Chiplet, bin: Bin, error: unknown): void {
    const code = error instanceof RenderError ? error.code : null;
    if (code === 'NO_CHIPLETS') {
      // It leaves, and takes no more.
      job.excluded.add(host);
      if (isWanted(job, bin)) this.#putBack(job, bin, error);
    } else if (code === 'CHIPLET_LOST' || code === 'CHIPLET_TIMEOUT') {
      job.excluded.add(host);
      if (!isWanted(job, bin)) return;
      bin.lostHosts++;
      const what = `coarse bin ${bin.wanted.binId}: ${bin.lostHosts} chiplets went away while they rendered it`;
      if (bin.lostHosts >= MAX_HOSTS_LOST_PER_BIN) {
        fail(job, new RenderError('CHIPLET_LOST', what, { cause: error }));
      } else {
        this.#putBack(job, bin, error);
      }
    } else if (code === 'INTERNAL' && isWanted(job, bin)) {
      const reason = `failed at a bin that another one rendered: ${(error as Error).message}`;
      this.#runElsewhere(job, host, bin, reason, error);
    } else if (isWanted(job, bin)) {
      fail(job, error);
    }
  }

  /** A bug of the host, or of the frame: another host tells which. */
  #runElsewhere(job: Job, host: Chiplet, bin: Bin, reason: string | null, error: unknown): void {
    job.excluded.add(host);
    if (!isWanted(job, bin)) return;
    bin.failures.set(host, reason);
    if (bin.failures.size >= MAX_FAILURES_PER_BIN) fail(job, error);
    else this.#putBack(job, bin, error);
  }

  #putBack(job: Job, bin: Bin, cause: unknown): void {
    const isLast = job.batch.hosts.every((host) => job.excluded.has(host));
    if (isLast && bin.failures.size > 0) {
      fail(job, cause);
    } else if (isLast) {
      const what = 'all chiplets went away while the frame was rendered';
      fail(job, new RenderError('CHIPLET_LOST', what, { cause }));
    } else if (bin.runs.size === 0) {
      job.retriedBins++;
      job.waiting.unshift(bin);
    }
  }

  /** Gives what is far beyond its time to hosts that have nothing to do, and looks again when more may be. */
  #hedge(): void {
    const { clock, onHedge } = this.#options;
    if (clock === undefined) return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const nowMs = clock.readMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const job of this.#jobs) {
      const idle = job.batch.hosts.filter(
        (host) => !job.excluded.has(host) && this.#runningOn(host) === 0,
      );
      for (const bin of job.bins) {
        const [run] = bin.runs;
        if (!isWanted(job, bin) || run === undefined || bin.runs.size > 1) continue;
        const host = idle[0];
        if (host === undefined) break;
        const dueMs = run.sinceMs + patienceMs(job, run);
        if (dueMs > nowMs) {
          nextMs = Math.min(nextMs, dueMs);
          continue;
        }
        idle.shift();
        onHedge?.();
        void this.#renderOne(job, host, bin);
      }
    }
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = clock.startTimer(() => this.#hedge(), nextMs - nowMs + 1);
  }

  #settle(job: Job): void {
    const { failure, missing, running, settled } = job;
    // What is done is done: a host that still renders a bin which another one finished is not waited for.
    const isOver = failure === null ? missing === 0 : running === 0;
    if (!isOver || job.isOver) return;
    job.isOver = true;
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
    if (failure === null) settled.resolve({ retriedBins: job.retriedBins });
    else settled.reject(failure.error);
  }

  #readMs(): number {
    return this.#options.clock?.readMs() ?? 0;
  }
}

function isWanted(job: Job, bin: Bin): boolean {
  return !bin.isDone && job.failure === null && !job.isOver;
}

/** Cost of the bins of a pass that a host has. */
function costOn(job: Job, host: Chiplet): number {
  let cost = 0;
  for (const { runs, wanted } of job.bins) {
    for (const run of runs) if (run.host === host) cost += wanted.cost;
  }
  return cost;
}

/** How long a bin may take before another host renders it as well. */
function patienceMs({ doneMs, doneCost }: Job, { cost }: Run): number {
  if (doneCost === 0) return HEDGE_UNKNOWN_AFTER_MS;
  return Math.max(HEDGE_AFTER_MS, (HEDGE_FACTOR * doneMs * cost) / doneCost);
}

/** The frame's other bins end as well. */
function fail(job: Job, error: unknown): void {
  if (job.failure !== null) return;
  job.failure = { error };
  for (const host of job.batch.hosts) host.releaseFrame(job.batch.frameId);
}
