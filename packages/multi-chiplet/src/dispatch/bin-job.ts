/** The bins of one pass on their way: what is wanted, what hosts do, what they answered. */
import type { BinResult, Chiplet, FrameId, RenderBinRequest } from '@tessera/frame';
import type { BinAnswer } from './bin-verdict.ts';
import { Contributors, type HostTrust } from './host-trust.ts';

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
  /** Hosts whose bins are in the frame, over all its passes; the dispatcher adds to it. */
  readonly contributors?: Contributors | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the bins of a pass were rendered; depends on wall time. */
export interface BinCounts {
  /** Bins that were run again because their host went away or failed. */
  readonly retriedBins: number;
  /** Bins that two hosts or more rendered with the same result. */
  readonly checkedBins: number;
}

/** A bin on a host. */
export interface Run {
  readonly host: Chiplet;
  readonly trust: HostTrust;
  /** Whether the host was trusted when it was asked. */
  readonly isTrusted: boolean;
  /** Number of the host's lies when it was asked. */
  readonly lies: number;
  /** Whether the host answered this bin before and is asked again. */
  readonly isRepeat: boolean;
  readonly sinceMs: number;
  /** Cost of this bin and those of its pass that the host had before it. */
  readonly cost: number;
  /** 1, and one more for each trusted host that had the bin already. */
  readonly rank: number;
  /** Whether it takes so long that no check waits for it, and another host renders the bin as well. */
  isOverdue: boolean;
}

export interface Bin {
  readonly wanted: WantedBin;
  /** Whether two trusted hosts have to agree. */
  readonly isChecked: boolean;
  readonly runs: Set<Run>;
  /** Hosts that were asked. */
  readonly asked: Set<Chiplet>;
  answers: BinAnswer[];
  /** The different results of `answers`. */
  readonly values: BinResult[];
  /** Index of the accepted result; `null` until the bin is done. */
  acceptedValue: number | null;
  /** Whether the pass waits for a verdict on differing answers. */
  isDisputed: boolean;
  /** Hosts whose agreement on this bin was noted. */
  readonly agreed: Set<HostTrust>;
  lostHosts: number;
  /** Hosts that failed at it, and the fault to report once another one rendered it; null: reported. */
  readonly failures: Map<Chiplet, string | null>;
  /** The same of hosts that are not trusted, which are no evidence against the frame. */
  readonly trialFailures: Map<Chiplet, string>;
}

export interface Job {
  readonly batch: BinBatch;
  readonly bins: readonly Bin[];
  readonly trustByHost: ReadonlyMap<Chiplet, HostTrust>;
  /** Bins that no trusted host has in hand. */
  readonly waiting: Bin[];
  /** Bins that one more trusted host has to render. */
  readonly checks: Bin[];
  /** Bins with answers and without a verdict. */
  readonly open: Set<Bin>;
  /** Hosts that are lost, failed at a bin or gave a wrong one. */
  readonly excluded: Set<Chiplet>;
  /** Hosts with an overdue run: no check waits for them. */
  readonly stalled: Set<Chiplet>;
  readonly contributors: Contributors;
  readonly settled: PromiseWithResolvers<BinCounts>;
  running: number;
  missing: number;
  retriedBins: number;
  checkedBins: number;
  /** Wall time and cost of answered bins, for what the others may take. */
  doneMs: number;
  doneCost: number;
  /** Set once it has failed; it ends when nothing of it runs. */
  failure: { readonly error: unknown } | null;
  isOver: boolean;
}

/**
 * @param trustOf The trust in a host.
 * @param chooseCheck Whether two trusted hosts have to agree on a bin; asked for each.
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
    settled: Promise.withResolvers(),
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

export function isDone(bin: Bin): boolean {
  return bin.acceptedValue !== null;
}

export function isWanted(job: Job, bin: Bin): boolean {
  return !isDone(bin) && job.failure === null && !job.isOver;
}

/** Cost of the bins of a pass that a host has. */
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

/** Whether a trusted host renders bins of the pass. */
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

/** Whether a host that is trusted, or one that is not, can give its first answer to a bin in time. */
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

/** Takes the first bin of a list that a host was not asked for; drops those that need no run. */
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
 * The bin with which a host that is not trusted can prove itself: one that a trusted host renders or has rendered.
 * Without trusted hosts the first that needs an answer, so that all newcomers render the same. While the host and
 * another one give different results, none but other such bins.
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
