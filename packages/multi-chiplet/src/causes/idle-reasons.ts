/**
 * Why chiplets are idle. A gap between two runs of a chiplet is divided at the cycles in which what
 * its next run needs became ready; a gap after its last run, where others ended their last ones.
 */
import { IDLE_REASONS, type IdleCycles, type IdleReason } from '@tessera/frame';
import type { SimulatedFrame } from '../simulated-time/simulated-frames.ts';
import type { ChipletRun, FrameRuns } from './frame-runs.ts';

/** Returns the idle cycles of each chiplet in the only frame, by reason. */
export function findIdleReasons(frame: SimulatedFrame, runs: FrameRuns): IdleCycles[] {
  const lastBinEnds = listLastBinEnds(frame);
  return runs.byChiplet.map((own, chipletId) => {
    const idle = new IdleGap();
    idle.moveTo(frame.startCycle);
    for (const run of own) {
      divideGap(idle, run, frame, runs, lastBinEnds, chipletId);
      idle.moveTo(run.endCycle);
      idle.add('visibility', run.waitedCycles);
    }
    idle.endAt('imbalance', lastBinEnds.at(-1) ?? 0);
    idle.endAt('composition', frame.endCycle);
    return idle.cycles;
  });
}

/** Returns for each pass the cycle in which the last bin of it and of all earlier ones ended. */
function listLastBinEnds({ passes }: SimulatedFrame): number[] {
  let last = 0;
  return passes.map(({ bins }) => {
    for (const { endCycle } of bins) last = Math.max(last, endCycle);
    return last;
  });
}

/** Divides the gap before a run. */
function divideGap(
  idle: IdleGap,
  { passIndex, binIndex, startCycle }: ChipletRun,
  { passes }: SimulatedFrame,
  runs: FrameRuns,
  lastBinEnds: readonly number[],
  chipletId: number,
): void {
  const { visibilityStartCycle, visibilityEndCycle, copies } = passes[passIndex]!;
  const before = passIndex === 0 ? 0 : lastBinEnds[passIndex - 1]!;
  const limit = (cycle: number) => Math.min(cycle, startCycle);
  const start = binIndex === null ? startCycle : limit(visibilityStartCycle);
  idle.endAt('imbalance', Math.min(before, start));
  idle.endAt(passIndex === 0 ? 'resources' : 'passes', start);
  if (binIndex === null) return;
  idle.endAt('visibility', limit(visibilityEndCycle));
  const given = [
    ...runs.receivedBy(chipletId, 'commands', null),
    ...runs.receivedBy(chipletId, 'resources', passIndex),
  ];
  for (const { endCycle } of given) idle.endAt('resources', limit(endCycle));
  const received = (['streams', 'targets'] as const).flatMap((kind) =>
    runs.receivedBy(chipletId, kind, passIndex),
  );
  for (const { kind, requestCycle, endCycle } of received) {
    if (kind === 'targets') idle.endAt('passes', limit(requestCycle));
    idle.endAt('link', limit(endCycle));
  }
  for (const { kind, chipletId: id, endCycle } of copies) {
    if (kind === 'upload' && id === chipletId) idle.endAt('resources', limit(endCycle));
  }
  idle.endAt('decisions', startCycle);
}

/** Gap that is divided from its start to its end. */
class IdleGap {
  readonly #cycles = Object.fromEntries(IDLE_REASONS.map((reason) => [reason, 0])) as Record<
    IdleReason,
    number
  >;
  #cycle = 0;

  get cycles(): IdleCycles {
    return this.#cycles;
  }

  /** Ends a run, so that the next gap starts. */
  moveTo(cycle: number): void {
    this.#cycle = Math.max(this.#cycle, cycle);
  }

  /** Gives a reason to the cycles up to `cycle`, if the gap has not come so far. */
  endAt(reason: IdleReason, cycle: number): void {
    if (cycle <= this.#cycle) return;
    this.#cycles[reason] += cycle - this.#cycle;
    this.#cycle = cycle;
  }

  add(reason: IdleReason, cycles: number): void {
    this.#cycles[reason] += cycles;
  }
}
