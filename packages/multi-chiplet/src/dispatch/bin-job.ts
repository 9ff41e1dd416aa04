/** State of the bins of one pass: those wanted, the runs on hosts, and the answers. */
import type { BinResult, Chiplet, FrameId, RenderBinRequest } from '@tessera/frame';
import type { BinAnswer } from './bin-verdict.ts';
import { Contributors, type HostTrust } from './host-trust.ts';

/** Fields of a request that identify the work. */
type BinWork = Pick<RenderBinRequest, 'binId' | 'rect'>;

/**
 * Bin, or part of one, to render. `cost` is relative to the other bins of the batch, in any unit.
 */
export interface WantedBin extends BinWork {
  readonly cost: number;
}

/** Bins of one pass. */
export interface BinBatch {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly hosts: readonly Chiplet[];
  /** Bins and parts of bins in the order in which they are given out. */
  readonly bins: readonly WantedBin[];
  /** Returns what is wrong with an answer, or null if it is valid for the request. */
  readonly findFault: (result: BinResult, asked: WantedBin) => string | null;
  /** Called once per bin, in order of arrival. */
  readonly onBin: (result: BinResult) => void;
  /** Hosts whose bins are part of the frame, over all its passes. The dispatcher adds to it. */
  readonly contributors?: Contributors | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Counts of how the bins of a pass were rendered. They depend on wall time. */
export interface BinCounts {
  /** Number of bins that were run again because their host was lost or failed. */
  readonly retriedBins: number;
  /** Number of bins that at least two hosts rendered with the same result. */
  readonly checkedBins: number;
}

/** A bin on a host. */
export interface Run {
  readonly host: Chiplet;
  readonly trust: HostTrust;
  /** Whether the host was trusted when the request was sent. */
  readonly isTrusted: boolean;
  /** Number of the host's lies when the request was sent. */
  readonly lies: number;
  /** Whether the host answered this bin before and must answer it again. */
  readonly isRepeat: boolean;
  readonly sinceMs: number;
  /** Cost of this bin and of the bins of its pass that the host received before it. */
  readonly cost: number;
  /** 1 plus the number of trusted hosts that already had the bin. */
  readonly rank: number;
  /**
   * Whether the run takes so long that no check waits for it and another host renders the bin too.
   */
  isOverdue: boolean;
}

/** State of one bin of a job. */
export interface Bin {
  readonly wanted: WantedBin;
  /** Whether two trusted hosts must agree on the bin. */
  readonly isChecked: boolean;
  readonly runs: Set<Run>;
  /** Hosts that received a request for the bin. */
  readonly asked: Set<Chiplet>;
  answers: BinAnswer[];
  /** Distinct results of `answers`. */
  readonly values: BinResult[];
  /** Index of the accepted result; null until the bin is done. */
  acceptedValue: number | null;
  /** Whether the pass waits for a verdict on answers that differ. */
  isDisputed: boolean;
  /** Hosts whose agreement on this bin was recorded. */
  readonly agreed: Set<HostTrust>;
  lostHosts: number;
  /**
   * Hosts that failed at the bin, with the fault to report once another host rendered it. Null if
   * it is reported.
   */
  readonly failures: Map<Chiplet, string | null>;
  /** Failures of hosts that are not trusted, which are no evidence against the frame. */
  readonly trialFailures: Map<Chiplet, string>;
}

/** State of one pass in the dispatcher. */
export interface Job {
  readonly batch: BinBatch;
  readonly bins: readonly Bin[];
  readonly trustByHost: ReadonlyMap<Chiplet, HostTrust>;
  /** Bins that no trusted host has. */
  readonly waiting: Bin[];
  /** Bins that one more trusted host must render. */
  readonly checks: Bin[];
  /** Bins with answers and without a verdict. */
  readonly open: Set<Bin>;
  /** Hosts that were lost, failed at a bin, or gave a wrong one. */
  readonly excluded: Set<Chiplet>;
  /** Hosts with an overdue run, for which no check waits. */
  readonly stalled: Set<Chiplet>;
  readonly contributors: Contributors;
  readonly outcome: {
    readonly promise: Promise<BinCounts>;
    readonly resolve: (counts: BinCounts) => void;
    readonly reject: (reason: unknown) => void;
  };
  running: number;
  missing: number;
  retriedBins: number;
  checkedBins: number;
  /**
   * Wall time in milliseconds and cost of answered bins, from which the time limit of the others is
   * derived.
   */
  doneMs: number;
  doneCost: number;
  /** Error of a failed job; the job ends when none of its requests is running. */
  failure: { readonly error: unknown } | null;
  isOver: boolean;
}

/**
 * Returns the initial state of a pass.
 *
 * @param trustOf Returns the trust in a host.
 * @param chooseCheck Called for each bin: whether two trusted hosts must agree on it.
 */
export function makeJob(
  batch: BinBatch,
  trustOf: (host: Chiplet) => HostTrust,
  chooseCheck: () => boolean,
): Job {
  const bins = batch.bins.map((wanted) => makeBin(wanted, chooseCheck()));
  return {
    batch,
    bins,
    trustByHost: new Map(batch.hosts.map((host) => [host, trustOf(host)])),
    waiting: [...bins],
    checks: [],
    open: new Set(),
    excluded: new Set(),
    stalled: new Set(),
    contributors: batch.contributors ?? new Contributors(),
    outcome: Promise.withResolvers(),
    running: 0,
    missing: bins.length,
    retriedBins: 0,
    checkedBins: 0,
    doneMs: 0,
    doneCost: 0,
    failure: null,
    isOver: false,
  };
}

function makeBin(wanted: WantedBin, isChecked: boolean): Bin {
  return {
    wanted,
    isChecked,
    runs: new Set(),
    asked: new Set(),
    answers: [],
    values: [],
    acceptedValue: null,
    isDisputed: false,
    agreed: new Set(),
    lostHosts: 0,
    failures: new Map(),
    trialFailures: new Map(),
  };
}

/** Whether a result of the bin was accepted. */
export function isDone(bin: Bin): boolean {
  return bin.acceptedValue !== null;
}

/** Whether the pass still needs a result of the bin. */
export function isWanted(job: Job, bin: Bin): boolean {
  return !isDone(bin) && job.failure === null && !job.isOver;
}

/** Returns the cost of the bins of a pass that a host has. */
export function costOn(job: Job, host: Chiplet): number {
  let cost = 0;
  for (const { runs, wanted } of job.bins) {
    for (const run of runs) if (run.host === host) cost += wanted.cost;
  }
  return cost;
}

/** Whether a host is trusted and renders bins of the pass. */
export function isTaking(job: Job, host: Chiplet): boolean {
  return !job.excluded.has(host) && job.trustByHost.get(host)!.isTrusted;
}

/** Whether any trusted host renders bins of the pass. */
export function hasTrustedHost(job: Job): boolean {
  return job.batch.hosts.some((host) => isTaking(job, host));
}

/** Whether a trusted host will give its first answer to a bin, however late. */
export function isTrustedExpected(job: Job, bin: Bin): boolean {
  return job.batch.hosts.some(
    (host) =>
      isTaking(job, host) &&
      (!bin.asked.has(host) || [...bin.runs].some((run) => run.host === host && !run.isRepeat)),
  );
}

/**
 * Whether a host, trusted or not as `isTrusted` says, can give its first answer to a bin in time.
 */
export function isHostLeft(job: Job, bin: Bin, isTrusted: boolean): boolean {
  return job.batch.hosts.some(
    (host) =>
      !job.excluded.has(host) &&
      job.trustByHost.get(host)!.isTrusted === isTrusted &&
      !job.stalled.has(host) &&
      (!bin.asked.has(host) || isAwaited(bin, host)),
  );
}

function isAwaited(bin: Bin, host: Chiplet): boolean {
  for (const run of bin.runs) {
    if (run.host === host && !run.isRepeat && !run.isOverdue) return true;
  }
  return false;
}

/**
 * Removes and returns the first bin of a list that the host has not received. Drops bins that need
 * no run.
 */
export function takeFor(host: Chiplet, bins: Bin[]): Bin | null {
  for (let i = 0; i < bins.length; ) {
    const bin = bins[i]!;
    const isNeeded = !isDone(bin) || bin.isDisputed;
    if (isNeeded && bin.asked.has(host)) {
      i++;
      continue;
    }
    bins.splice(i, 1);
    if (isNeeded) return bin;
  }
  return null;
}

/**
 * Returns the bin with which a host that is not trusted can prove itself: one that a trusted host
 * renders or has rendered. Without trusted hosts it is the first bin that needs an answer, so that
 * all new hosts render the same one. While the host disagrees with another one, it gets only
 * disputed bins.
 */
export function findTrial(job: Job, host: Chiplet): Bin | null {
  const disputed = [...job.open].filter(({ values }) => values.length > 1);
  const isSuspect = disputed.some(({ answers }) => answers.some((answer) => answer.host === host));
  if (isSuspect) return disputed.find(({ asked }) => !asked.has(host)) ?? null;
  const hasTrusted = hasTrustedHost(job);
  for (const bin of job.bins) {
    if (bin.asked.has(host)) continue;
    if (!hasTrusted && (!isDone(bin) || bin.isDisputed)) return bin;
    if (hasTrusted && (isInTrustedHands(bin) || (isDone(bin) && bin.answers.length > 0))) {
      return bin;
    }
  }
  return null;
}

function isInTrustedHands({ runs, answers }: Bin): boolean {
  for (const { isTrusted } of runs) if (isTrusted) return true;
  return answers.some(({ isTrusted }) => isTrusted);
}

/**
 * Whether nothing waits for a run, because its host is not trusted and another host renders the
 * bin.
 */
export function isTrial(job: Job, { isTrusted }: Run, bin: Bin): boolean {
  return !isTrusted && (job.isOver || isDone(bin) || hasTrustedHost(job));
}
