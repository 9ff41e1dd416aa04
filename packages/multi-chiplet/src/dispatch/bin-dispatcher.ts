/**
 * Dispatches bins in wall time and keeps all render hosts busy, whichever simulated chiplet a bin
 * belongs to. A render host is a `Chiplet` in this process or another. The pixels and cycles of a
 * bin are a function of the frame and the bin alone, so any host may render it. A bin is therefore
 * given to another host when its host is lost, answers incorrectly, or takes far longer than the
 * others would. The first answer to a bin is used, exactly once.
 *
 * Two hosts that render the same bin must return the same result. A host that is not trusted yet
 * (host-trust.ts) renders only bins that a trusted host renders too, one at a time, and nothing
 * waits for it. A share of the bins of trusted hosts is rendered by two of them. When results
 * differ, bin-verdict.ts finds the host that is wrong.
 *
 * Bins of the oldest pass go first, the costliest of them first, so that little work remains at the
 * end. One file because all methods change the same jobs.
 */
import { type BinResult, type Chiplet, type FrameId, RenderError } from '@tessera/frame';
import {
  type Bin,
  type BinBatch,
  type BinCounts,
  costOn,
  findTrial,
  hasTrustedHost,
  isDone,
  isHostLeft,
  isTaking,
  isTrial,
  isTrustedExpected,
  isWanted,
  type Job,
  makeJob,
  type Run,
  takeFor,
} from './bin-job.ts';
import { patienceMs } from './bin-patience.ts';
import { type BinAnswer, judgeBin } from './bin-verdict.ts';
import { throwIfCancelled } from './cancellation.ts';
import type { BinDispatcherOptions } from './dispatcher-options.ts';
import { HostTrust, makeLieError } from './host-trust.ts';
import { describeFailure, failJob, isHostFailure } from './job-failure.ts';
import { LateRuns } from './late-runs.ts';
import { isSameResult } from './same-result.ts';

/** Number of lost hosts after which a bin is assumed to crash its hosts. */
const MAX_HOSTS_LOST_PER_BIN = 3;
/**
 * Number of hosts that must fail at a bin before its frame fails, because the fault is then the
 * frame's.
 */
const MAX_FAILURES_PER_BIN = 2;
/**
 * Number of bins that a trusted host has at a time: one to render, one to continue with while the
 * answer travels.
 */
const MAX_BINS_PER_HOST = 2;

/** Gives bins to hosts. Frames that share hosts share one dispatcher. */
export class BinDispatcher {
  readonly #options: BinDispatcherOptions;
  readonly #jobs: Job[] = [];
  readonly #runningByHost = new Map<Chiplet, number>();
  readonly #lastAnswerMsByHost = new WeakMap<Chiplet, number>();
  readonly #lateRuns = new LateRuns();
  #cancelTimer: (() => void) | null = null;

  constructor(options: BinDispatcherOptions = {}) {
    this.#options = options;
  }

  /**
   * Renders the bins of a pass. Passes that started earlier have precedence.
   *
   * @throws {RenderError} CHIPLET_LOST when a bin lost three hosts, no host is left, or a host that
   *   contributed to the frame gave a wrong bin. CHIPLETS_DISAGREE when no host can decide which
   *   result is right. FRAME_CANCELLED on abort. Otherwise the error of a host. No request of the
   *   pass is running when it throws.
   */
  render(batch: BinBatch): Promise<BinCounts> {
    const { trustOf, chooseCheck } = this.#options;
    const job = makeJob(
      batch,
      (host) => trustOf?.(host) ?? new HostTrust(true),
      () => chooseCheck?.() ?? false,
    );
    this.#jobs.push(job);
    this.#failWithLiar(job);
    this.#giveOut();
    this.#finishJobs();
    return job.outcome.promise;
  }

  /** Reports an invalid answer of a host, to a visibility phase or to a bin. */
  reportFault(host: Chiplet, reason: string): void {
    this.#options.onHostFault?.(host, reason);
  }

  /**
   * Releases a finished frame on its hosts. A host that is not trusted finishes its bin first.
   * Otherwise a host that starts slowly would never prove itself with short frames.
   */
  releaseFrame(frameId: FrameId, hosts: readonly Chiplet[]): void {
    for (const host of hosts) {
      if (!this.#lateRuns.holdRelease(host, frameId)) host.releaseFrame(frameId);
    }
  }

  /**
   * Gives every trusted host one bin, then a second. Idle hosts take over bins that are slow
   * elsewhere.
   */
  #giveOut(): void {
    for (let depth = 0; depth < MAX_BINS_PER_HOST; depth++) {
      for (const job of [...this.#jobs]) {
        for (const host of job.batch.hosts) {
          if (job.failure !== null || !isTaking(job, host)) continue;
          if (this.#runningOn(host) > depth) continue;
          const bin = takeFor(host, job.checks) ?? takeFor(host, job.waiting);
          if (bin === null) continue;
          if (bin.isChecked && bin.asked.size === 0) job.checks.push(bin);
          void this.#renderOne(job, host, bin);
        }
      }
    }
    for (const job of [...this.#jobs]) this.#giveTrials(job);
    this.#watch();
  }

  #giveTrials(job: Job): void {
    for (const host of job.batch.hosts) {
      const { isTrusted, unprovenRuns } = job.trustByHost.get(host)!;
      if (job.failure !== null || isTrusted || unprovenRuns > 0 || job.excluded.has(host)) continue;
      const bin = findTrial(job, host);
      if (bin !== null) void this.#renderOne(job, host, bin);
    }
  }

  #runningOn(host: Chiplet): number {
    return this.#runningByHost.get(host) ?? 0;
  }

  /** Renders a bin on a host. Never rejects: the job records a failure. */
  async #renderOne(job: Job, host: Chiplet, bin: Bin, isRepeat = false): Promise<void> {
    const { frameId, passIndex, signal } = job.batch;
    const { binId, rect } = bin.wanted;
    const trust = job.trustByHost.get(host)!;
    const { isTrusted, lies } = trust;
    const cost = bin.wanted.cost + costOn(job, host);
    const since = { sinceMs: this.#readMs(), isOverdue: false };
    const rank = 1 + [...bin.runs].filter((other) => other.isTrusted).length;
    const run: Run = { host, trust, isTrusted, lies, isRepeat, cost, rank, ...since };
    job.running++;
    bin.runs.add(run);
    bin.asked.add(host);
    if (!isTrusted) trust.unprovenRuns++;
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
      this.#receiveFailure(job, run, bin, error);
    }
    job.running--;
    if (run.isOverdue) job.stalled.delete(host);
    if (!isTrusted) trust.unprovenRuns--;
    this.#lateRuns.end(run);
    this.#lastAnswerMsByHost.set(host, this.#readMs());
    const running = this.#runningOn(host) - 1;
    if (running > 0) this.#runningByHost.set(host, running);
    else this.#runningByHost.delete(host);
    this.#giveOut();
    this.#finishJobs();
  }

  #take(job: Job, run: Run, bin: Bin, result: BinResult): void {
    const { host, trust } = run;
    // The answer of a host that was found wrong in the meantime does not count.
    if (run.lies !== trust.lies) return;
    const fault = job.batch.findFault(result, bin.wanted);
    if (fault !== null) {
      this.reportFault(host, fault);
      this.#runElsewhere(job, run, bin, null, new RenderError('INTERNAL', fault));
      return;
    }
    if (job.failure !== null) return;
    if (job.isOver) {
      if (!run.isTrusted) this.#compareLate(run, bin, result);
      return;
    }
    if (run.isRepeat) {
      const answer = bin.answers.find((other) => other.host === host);
      const isSame = answer !== undefined && isSameResult(bin.values[answer.value]!, result);
      this.#endRepeat(bin, host, isSame ? 'same' : 'different');
    } else if (!run.isTrusted && hasTrustedHost(job)) {
      this.#addAnswer(job, run, bin, result);
    } else {
      job.doneMs += this.#readMs() - Math.max(run.sinceMs, this.#lastAnswerMsByHost.get(host) ?? 0);
      job.doneCost += bin.wanted.cost;
      this.#addAnswer(job, run, bin, result);
    }
    this.#judge(job, bin);
  }

  #addAnswer(job: Job, { host, trust, isTrusted }: Run, bin: Bin, result: BinResult): void {
    if (isDone(bin) && bin.answers.length === 0) return; // The pixels were returned to their host.
    let value = bin.values.findIndex((other) => isSameResult(other, result));
    if (bin.values.length > 0) this.#options.onComparison?.(value >= 0);
    if (value < 0) value = bin.values.push(result) - 1;
    const answer: BinAnswer = {
      host,
      trust,
      // The host may become trusted by a bin of another frame, also after its answer.
      get isTrusted() {
        return isTrusted || trust.isTrusted;
      },
      value,
      repeat: 'none',
    };
    bin.answers.push(answer);
    job.open.add(bin);
    if (answer.isTrusted) job.contributors.add(trust);
  }

  #endRepeat(bin: Bin, host: Chiplet, outcome: BinAnswer['repeat']): void {
    const answer = bin.answers.find((other) => other.host === host);
    if (answer !== undefined) answer.repeat = outcome;
  }

  /** Compares a result with the accepted one after the end of the pass. */
  #compareLate({ host, trust }: Run, bin: Bin, result: BinResult): void {
    const accepted = bin.answers.length === 0 ? undefined : bin.values[bin.acceptedValue!];
    if (accepted === undefined) return;
    const isSame = isSameResult(accepted, result);
    this.#options.onComparison?.(isSame);
    if (isSame) this.#noteAgreement(trust);
    else this.reportFault(host, `coarse bin ${result.binId}: its result differs from the others'`);
  }

  #judge(job: Job, bin: Bin): void {
    if (job.failure !== null || job.isOver || bin.answers.length === 0) return;
    const isAgreed = bin.answers.every(({ value }) => value === bin.acceptedValue);
    if (isAgreed) {
      this.#accept(job, bin, bin.acceptedValue!);
      return;
    }
    const { kind, value, again, wrong } = judgeBin(bin.answers, {
      isChecked: bin.isChecked,
      isTrustedExpected: isTrustedExpected(job, bin),
      isTrustedLeft: isHostLeft(job, bin, true),
      isNewcomerLeft: isHostLeft(job, bin, false),
      canRepeat: ({ host }) => !job.excluded.has(host),
    });
    const { binId } = bin.wanted;
    if (kind === 'split') {
      const ids = bin.answers.map(({ host }) => host.id).join(', ');
      const what = `coarse bin ${binId}: chiplets ${ids} give different results`;
      failJob(
        job,
        new RenderError('CHIPLETS_DISAGREE', `${what}; connect a third chiplet to decide`),
      );
      return;
    }
    bin.isDisputed = isDone(bin) && kind !== 'accept';
    bin.answers = bin.answers.filter((answer) => !wrong.includes(answer));
    if (kind === 'accept') this.#accept(job, bin, value);
    else if (kind === 'ask') this.#askAnother(job, bin);
    for (const answer of again) {
      answer.repeat = 'running';
      void this.#renderOne(job, answer.host, bin, true);
    }
    for (const answer of wrong) {
      const isUnstable = answer.repeat === 'different';
      const what = isUnstable ? 'gave two different results' : 'its result is wrong';
      this.#condemn(answer, `coarse bin ${binId}: ${what}`);
    }
  }

  #judgeOpen(job: Job): void {
    for (const bin of [...job.open]) this.#judge(job, bin);
  }

  #accept(job: Job, bin: Bin, value: number): void {
    job.open.delete(bin);
    bin.isDisputed = false;
    const supporters = bin.answers.filter((answer) => answer.value === value);
    if (!isDone(bin)) {
      bin.acceptedValue = value;
      job.missing--;
      for (const [failed, reason] of [...bin.failures, ...bin.trialFailures]) {
        if (reason !== null) this.reportFault(failed, reason);
      }
      const { host } = supporters[0]!;
      const result = bin.values[value]!;
      for (const { trust } of supporters) job.contributors.add(trust);
      job.batch.onBin(result);
      this.#options.onDone?.(host, result);
      if (host.recycle !== undefined) {
        host.recycle(result);
        bin.answers = [];
      }
    }
    if (supporters.length < 2) return;
    if (bin.agreed.size === 0) job.checkedBins++;
    for (const { trust } of supporters) {
      if (bin.agreed.has(trust)) continue;
      bin.agreed.add(trust);
      this.#noteAgreement(trust);
    }
  }

  /** Records an agreement. All frames judge their bins again when it makes a host trusted. */
  #noteAgreement(trust: HostTrust): void {
    const wasTrusted = trust.isTrusted;
    trust.noteAgreement();
    if (wasTrusted || !trust.isTrusted) return;
    for (const job of [...this.#jobs]) this.#judgeOpen(job);
  }

  /**
   * Queues a bin for one more trusted host. Hosts that are not trusted find such bins themselves.
   */
  #askAnother(job: Job, bin: Bin): void {
    for (const { isTrusted, isRepeat, isOverdue } of bin.runs) {
      if (isTrusted && !isRepeat && !isOverdue) return;
    }
    if (!job.checks.includes(bin) && !job.waiting.includes(bin)) job.checks.unshift(bin);
  }

  /** Discards all results of a host, in every frame. */
  #condemn({ host, trust }: BinAnswer, reason: string): void {
    trust.noteLie();
    this.#options.onLie?.(host, reason);
    for (const job of [...this.#jobs]) {
      const liar = job.batch.hosts.find((other) => job.trustByHost.get(other) === trust);
      this.#failWithLiar(job);
      if (liar === undefined || job.failure !== null) continue;
      for (const bin of job.bins) {
        bin.answers = bin.answers.filter((answer) => answer.trust !== trust);
        for (const run of bin.runs) {
          if (run.trust !== trust) continue;
          run.isOverdue = true;
          if (run.isTrusted) this.#requeue(job, bin);
        }
      }
      this.#exclude(job, liar);
    }
  }

  /**
   * Fails a frame that contains results of a host that gave a wrong result, so that the frame is
   * rendered again.
   */
  #failWithLiar(job: Job): void {
    if (job.contributors.haveLied) failJob(job, makeLieError());
  }

  #receiveFailure(job: Job, run: Run, bin: Bin, error: unknown): void {
    const { host } = run;
    const code = error instanceof RenderError ? error.code : null;
    if (run.lies !== run.trust.lies) return;
    if (run.isRepeat) {
      this.#endRepeat(bin, host, 'failed');
      this.#exclude(job, host);
    } else if (isTrial(job, run, bin)) {
      if (isHostFailure(code)) this.#noteFailure(job, host, bin, error);
      this.#exclude(job, host);
    } else if (code === 'NO_CHIPLETS') {
      // The host is leaving and takes no more bins.
      this.#exclude(job, host);
      this.#requeue(job, bin);
    } else if (code === 'CHIPLET_LOST' || code === 'CHIPLET_TIMEOUT') {
      this.#exclude(job, host);
      if (!isWanted(job, bin)) return;
      bin.lostHosts++;
      const what = `coarse bin ${bin.wanted.binId}: ${bin.lostHosts} chiplets were lost while they rendered it`;
      if (bin.lostHosts >= MAX_HOSTS_LOST_PER_BIN) {
        failJob(job, new RenderError('CHIPLET_LOST', what, { cause: error }));
      } else {
        this.#requeue(job, bin);
      }
    } else if (code === 'INTERNAL' && isWanted(job, bin)) {
      this.#runElsewhere(job, run, bin, describeFailure(error), error);
    } else if (isWanted(job, bin)) {
      failJob(job, error);
    }
  }

  /** Reports a failure of a host once another host has rendered the bin. */
  #noteFailure(job: Job, host: Chiplet, bin: Bin, error: unknown): void {
    const reason = describeFailure(error);
    if (isDone(bin)) this.reportFault(host, reason);
    else if (!job.isOver) bin.trialFailures.set(host, reason);
  }

  /** Gives a bin to another host, which shows whether the fault is the host's or the frame's. */
  #runElsewhere(job: Job, run: Run, bin: Bin, reason: string | null, error: unknown): void {
    if (run.isRepeat) this.#endRepeat(bin, run.host, 'failed');
    if (run.isRepeat || isTrial(job, run, bin) || !isWanted(job, bin)) {
      this.#exclude(job, run.host);
      return;
    }
    bin.failures.set(run.host, reason);
    if (bin.failures.size >= MAX_FAILURES_PER_BIN) failJob(job, error);
    this.#exclude(job, run.host, error);
    this.#requeue(job, bin);
  }

  /** Excludes a host from a job. If no host is left, fails the job with `error`. */
  #exclude(job: Job, host: Chiplet, error?: unknown): void {
    job.excluded.add(host);
    this.#judgeOpen(job);
    const isAnyLeft = job.batch.hosts.some((other) => !job.excluded.has(other));
    if (isAnyLeft || job.missing === 0) return;
    const what = 'all chiplets were lost while they rendered the frame';
    failJob(job, error ?? new RenderError('CHIPLET_LOST', what));
  }

  /** Queues a bin of a trusted host again, unless another trusted host has it. */
  #requeue(job: Job, bin: Bin): void {
    if (!isWanted(job, bin) || job.waiting.includes(bin)) return;
    for (const { isOverdue, isTrusted } of bin.runs) if (isTrusted && !isOverdue) return;
    job.retriedBins++;
    job.waiting.unshift(bin);
  }

  /**
   * Gives overdue bins to idle trusted hosts, and starts a timer for the next bin that may become
   * overdue.
   */
  #watch(): void {
    const { clock, onHedge } = this.#options;
    if (clock === undefined) return;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const nowMs = clock.readMs();
    let nextMs = Number.POSITIVE_INFINITY;
    const isDue = (job: Job, run: Run): boolean => {
      const dueMs = run.sinceMs + patienceMs(job, run);
      if (dueMs > nowMs) nextMs = Math.min(nextMs, dueMs);
      return dueMs <= nowMs;
    };
    for (const [run, job] of this.#lateRuns.list()) if (isDue(job, run)) this.#endSilence(job, run);
    for (const job of [...this.#jobs]) {
      const idle = job.batch.hosts.filter(
        (host) => isTaking(job, host) && this.#runningOn(host) === 0,
      );
      for (const bin of job.bins) {
        if (bin.runs.size === 0) continue;
        for (const run of bin.runs) {
          if (run.isOverdue || !isDue(job, run)) continue;
          run.isOverdue = true;
          job.stalled.add(run.host);
          if (run.isRepeat) this.#endRepeat(bin, run.host, 'failed');
          if (!run.isTrusted) this.#endSilence(job, run);
          this.#judgeOpen(job);
        }
        const runs = [...bin.runs].filter(({ isTrusted }) => isTrusted);
        const isSlow = runs.length > 0 && runs.every(({ isOverdue }) => isOverdue);
        if (!isSlow || bin.answers.length > 0 || !isWanted(job, bin)) continue;
        const index = idle.findIndex((host) => !bin.asked.has(host));
        if (index < 0) continue;
        onHedge?.();
        void this.#renderOne(job, idle.splice(index, 1)[0]!, bin);
      }
    }
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = clock.startTimer(
      () => {
        this.#giveOut();
        this.#finishJobs();
      },
      nextMs - nowMs + 1,
    );
  }

  /** Reports a host that is not trusted and takes far longer than others. */
  #endSilence(job: Job, run: Run): void {
    const silentMs = Math.round(this.#readMs() - run.sinceMs);
    this.reportFault(run.host, `no answer for ${silentMs} ms to a bin that others rendered`);
    this.#lateRuns.end(run);
    if (!job.isOver) this.#exclude(job, run.host);
  }

  #finishJobs(): void {
    for (const job of [...this.#jobs]) this.#finishIfDone(job);
  }

  #finishIfDone(job: Job): void {
    const { failure, missing, running, outcome, retriedBins, checkedBins } = job;
    // A finished pass does not wait for hosts that still render bins which others finished.
    const isEverythingDone = missing === 0 && !job.bins.some(({ isDisputed }) => isDisputed);
    if (job.isOver || !(failure === null ? isEverythingDone : running === 0)) return;
    job.isOver = true;
    this.#jobs.splice(this.#jobs.indexOf(job), 1);
    if (failure !== null) {
      outcome.reject(failure.error);
      return;
    }
    this.#lateRuns.addFrom(job);
    outcome.resolve({ retriedBins, checkedBins });
  }

  #readMs(): number {
    return this.#options.clock?.readMs() ?? 0;
  }
}
