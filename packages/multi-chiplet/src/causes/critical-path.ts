/**
 * The critical path of a frame: from its end back to its start, each step is what the step after it
 * waited for. Of several, that is the one that ended last. The steps cover all cycles of the frame
 * once.
 *
 * A transfer that follows another one on its channel waited for that one. A run that begins in the
 * cycle in which its chiplet ended another one waited for its chiplet, otherwise for its data.
 */
import type { ChipletId, PathStep, PathStepKind } from '@tessera/frame';
import type { Transfer } from '../interconnect/crosslink-model.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import type {
  SimulatedCopies,
  SimulatedFrame,
  SimulatedPass,
} from '../simulated-time/simulated-frames.ts';
import { type ChipletRun, type FrameRuns, lastUpTo } from './frame-runs.ts';

/** Work or transfer that ended in a cycle, and the walk from there. */
interface Predecessor {
  readonly endCycle: number;
  readonly walk: () => Predecessor | null;
}

/** Interval of the critical path. */
export interface PathInterval {
  readonly kind: PathStepKind;
  /** Chiplet that works; null for the link. */
  readonly chiplet: ChipletId | null;
  readonly cycles: number;
  /** Run that the chiplet works on; null for other work. */
  readonly run: ChipletRun | null;
}

/** Returns the critical path of a frame, from its end to its start. */
export function findCriticalPath(
  measurement: FrameMeasurement,
  frame: SimulatedFrame,
  runs: FrameRuns,
): PathInterval[] {
  return new PathWalk(measurement, frame, runs).walk();
}

/** Sums the intervals of a path by kind and chiplet, the longest step first. */
export function sumSteps(path: readonly PathInterval[]): PathStep[] {
  const steps = new Map<string, { -readonly [Key in keyof PathStep]: PathStep[Key] }>();
  for (const { kind, chiplet, cycles } of path) {
    const key = `${kind} ${chiplet}`;
    const step = steps.get(key) ?? { kind, chiplet, cycles: 0 };
    step.cycles += cycles;
    steps.set(key, step);
  }
  return [...steps.values()].sort((a, b) => b.cycles - a.cycles);
}

class PathWalk {
  readonly #measurement: FrameMeasurement;
  readonly #frame: SimulatedFrame;
  readonly #runs: FrameRuns;
  readonly #path: PathInterval[] = [];
  /** Cycle up to which the walk has not come. */
  #cycle: number;

  constructor(measurement: FrameMeasurement, frame: SimulatedFrame, runs: FrameRuns) {
    this.#measurement = measurement;
    this.#frame = frame;
    this.#runs = runs;
    this.#cycle = frame.endCycle;
  }

  walk(): PathInterval[] {
    const { passes, startCycle } = this.#frame;
    const last = passes.reduce(
      (best, { endCycle }, i) => (endCycle >= passes[best]!.endCycle ? i : best),
      0,
    );
    let next: Predecessor | null = passes.length === 0 ? null : this.#passEnd(last);
    while (next !== null && this.#cycle > startCycle) {
      this.#cover('decisions', null, next.endCycle);
      next = next.walk();
    }
    this.#cover('decisions', null, startCycle);
    return this.#path;
  }

  /** Adds the cycles from `from` to the current one. */
  #cover(
    kind: PathStepKind,
    chiplet: ChipletId | null,
    from: number,
    run: ChipletRun | null = null,
  ) {
    const start = Math.max(from, this.#frame.startCycle);
    if (start >= this.#cycle) return;
    this.#path.push({ kind, chiplet, cycles: this.#cycle - start, run });
    this.#cycle = start;
  }

  /** End of a pass: the last of its copies, or its last pixels that were stored. */
  #passEnd(passIndex: number): Predecessor {
    const pass = this.#frame.passes[passIndex]!;
    return { endCycle: pass.endCycle, walk: () => this.#beforePassEnd(passIndex, pass) };
  }

  #beforePassEnd(passIndex: number, pass: SimulatedPass): Predecessor | null {
    const copies = pass.copies
      .filter(({ kind }) => kind === 'copy')
      .sort((x, y) => y.endCycle - x.endCycle);
    if (this.#measurement.passes[passIndex]!.composition !== undefined) {
      this.#coverCopies(copies, 0);
      this.#walkComposition(passIndex, pass);
    }
    const bin = latest(pass.bins.keys(), (index) => pass.bins[index]!.arrivalCycle, this.#cycle);
    if (bin === undefined) {
      this.#coverCopies(copies, 0);
      return this.#visibilityEnd(passIndex);
    }
    const { arrivalCycle, chipletId, endCycle } = pass.bins[bin]!;
    this.#coverCopies(copies, arrivalCycle);
    this.#cover('stores', 0, arrivalCycle);
    const transfer = this.#runs.pixelsOf(passIndex, bin);
    if (transfer !== undefined && transfer.endCycle <= this.#cycle)
      return this.#transferEnd(transfer);
    this.#cover('resolves', chipletId, endCycle);
    return this.#runEnd(this.#runs.binsOf(passIndex)[bin]!);
  }

  /** Copies after a pass that ended after a cycle, the latest first. */
  #coverCopies(copies: readonly SimulatedCopies[], after: number): void {
    for (const { chipletId, startCycle, endCycle } of copies) {
      if (endCycle <= after || endCycle > this.#cycle) continue;
      this.#cover('stores', 0, endCycle);
      this.#cover('copies', chipletId, startCycle);
    }
  }

  /** Composition of layers: what ended last, back to the last layer. */
  #walkComposition(passIndex: number, pass: SimulatedPass): void {
    const lastLayer = Math.max(0, ...pass.bins.map(({ endCycle }) => endCycle));
    const composed = pass.copies.filter(({ kind }) => kind === 'compose');
    const sent = (['layers', 'bins'] as const).flatMap((kind) =>
      this.#runs.transfersOf(kind, passIndex),
    );
    const works = [
      ...composed.map((work) => ({
        kind: 'composition' as const,
        chiplet: work.chipletId,
        start: work.startCycle,
        endCycle: work.endCycle,
      })),
      ...sent.map(({ kind, requestCycle, endCycle }) => ({
        kind: kind === 'layers' ? ('layers' as const) : ('pixels' as const),
        chiplet: null,
        start: requestCycle,
        endCycle,
      })),
    ].sort((a, b) => a.endCycle - b.endCycle);
    for (let i = lastUpTo(works, this.#cycle); i >= 0 && works[i]!.endCycle > lastLayer; ) {
      const { kind, chiplet, start, endCycle } = works[i]!;
      this.#cover('stores', 0, endCycle);
      this.#cover(kind, chiplet, Math.max(start, lastLayer));
      i = Math.min(i - 1, lastUpTo(works, this.#cycle));
    }
    this.#cover('stores', 0, lastLayer);
  }

  /** End of a visibility phase: of the part that ended last. */
  #visibilityEnd(passIndex: number): Predecessor | null {
    const run = latest(this.#runs.phaseOf(passIndex), ({ endCycle }) => endCycle, this.#cycle);
    return run === undefined ? null : this.#runEnd(run);
  }

  #runEnd(run: ChipletRun): Predecessor {
    return { endCycle: run.endCycle, walk: () => this.#beforeRun(run) };
  }

  #beforeRun(run: ChipletRun): Predecessor | null {
    const { chipletId, passIndex, binIndex, startCycle, waitedCycles } = run;
    if (binIndex === null) this.#cover('visibility', chipletId, startCycle, run);
    else {
      this.#cover('bins', chipletId, startCycle + waitedCycles, run);
      if (waitedCycles > 0) return this.#visibilityEnd(passIndex);
    }
    const before = this.#runs.lastRun(chipletId, startCycle);
    const isOther = before !== undefined && before.startCycle < startCycle;
    if (isOther && before.endCycle === startCycle) return this.#runEnd(before);
    const data =
      binIndex === null
        ? this.#phaseInputs(passIndex, chipletId)
        : this.#binInputs(passIndex, chipletId);
    if (isOther) data.push(this.#runEnd(before));
    return latest(data, ({ endCycle }) => endCycle, this.#cycle) ?? null;
  }

  /** Lists what a bin reads: streams, resources, and results of earlier passes. */
  #binInputs(passIndex: number, chipletId: ChipletId): Predecessor[] {
    const isOwn = this.#runs.phaseOf(passIndex).some((run) => run.chipletId === chipletId);
    const streams = isOwn ? [] : this.#arrivals('streams', passIndex, chipletId);
    const phase = this.#visibilityEnd(passIndex);
    return [
      ...streams,
      ...(phase === null ? [] : [phase]),
      ...this.#uploads(passIndex, chipletId),
      ...this.#arrivals('resources', passIndex, chipletId),
      ...this.#arrivals('commands', null, chipletId),
      ...this.#arrivals('targets', passIndex, chipletId),
      ...this.#measurement.passes[passIndex]!.binsNeed.map((need) => this.#passEnd(need)),
    ];
  }

  /** Lists what a visibility phase waits for: commands, resources, results of earlier passes. */
  #phaseInputs(passIndex: number, chipletId: ChipletId): Predecessor[] {
    return [
      ...this.#uploads(passIndex, chipletId),
      ...this.#arrivals('resources', passIndex, chipletId),
      ...this.#arrivals('commands', null, chipletId),
      ...this.#arrivals('targets', passIndex, chipletId),
      ...(passIndex === 0 ? [] : [this.#passEnd(passIndex - 1)]),
      ...this.#measurement.passes[passIndex]!.visibilityNeeds.map((need) => this.#passEnd(need)),
    ];
  }

  /** Lists what the copy engine of a chiplet stores for a pass: resources, results of passes. */
  #uploads(passIndex: number, chipletId: ChipletId): Predecessor[] {
    return this.#frame.passes[passIndex]!.copies.filter(
      (work) => work.kind === 'upload' && work.chipletId === chipletId,
    ).map((work) => this.#uploadEnd(work, passIndex, chipletId));
  }

  #uploadEnd(work: SimulatedCopies, passIndex: number, chipletId: ChipletId): Predecessor {
    const walk = () => {
      this.#cover('uploads', chipletId, work.startCycle);
      const inputs = [
        ...this.#arrivals('resources', passIndex, chipletId),
        ...this.#arrivals('targets', passIndex, chipletId),
        ...this.#measurement.passes[passIndex]!.binsNeed.map((need) => this.#passEnd(need)),
        ...this.#earlierUploads(work, passIndex),
      ];
      return latest(inputs, ({ endCycle }) => endCycle, this.#cycle) ?? null;
    };
    return { endCycle: work.endCycle, walk };
  }

  /** Lists the uploads of a chiplet that ended before another one of it began. */
  #earlierUploads({ chipletId, startCycle }: SimulatedCopies, lastPass: number): Predecessor[] {
    const { passes } = this.#frame;
    for (let passIndex = lastPass; passIndex >= 0; passIndex--) {
      const works = passes[passIndex]!.copies.filter(
        (work) =>
          work.kind === 'upload' &&
          work.chipletId === chipletId &&
          work.endCycle <= startCycle &&
          work.startCycle < startCycle,
      );
      const work = lastOf(works);
      if (work !== undefined) return [this.#uploadEnd(work, passIndex, chipletId)];
    }
    return [];
  }

  /** Lists the transfers of a kind that a chiplet received for a pass, or for the frame. */
  #arrivals(
    kind: 'streams' | 'targets' | 'resources' | 'commands',
    passIndex: number | null,
    chipletId: ChipletId,
  ): Predecessor[] {
    return this.#runs
      .receivedBy(chipletId, kind, passIndex)
      .filter(({ startCycle }) => startCycle < this.#cycle)
      .map((transfer) => {
        // A broadcast ends with its last receiver, which may be another one.
        const endCycle = Math.min(transfer.endCycle, this.#cycle);
        return { ...this.#transferEnd(transfer), endCycle };
      });
  }

  #transferEnd(transfer: Transfer): Predecessor {
    return { endCycle: transfer.endCycle, walk: () => this.#beforeTransfer(transfer) };
  }

  #beforeTransfer(transfer: Transfer): Predecessor | null {
    const kind = stepOf(transfer);
    const before = this.#runs.before(transfer);
    if (before !== undefined) {
      this.#cover(kind, null, before.endCycle);
      return this.#transferEnd(before);
    }
    this.#cover(kind, null, transfer.requestCycle);
    const { passIndex, binIndex, from } = transfer;
    if (passIndex === null) return null;
    switch (transfer.kind) {
      case 'bins': {
        const isComposed = this.#measurement.passes[passIndex]!.composition !== undefined;
        if (binIndex === null || isComposed) return this.#lastBin(passIndex, from);
        const run = this.#runs.binsOf(passIndex)[binIndex]!;
        this.#cover('resolves', run.chipletId, run.endCycle);
        return this.#runEnd(run);
      }
      case 'layers':
        return this.#lastBin(passIndex, from);
      case 'streams':
        return this.#visibilityRun(passIndex, from);
      case 'targets': {
        const needs = this.#measurement.passes[passIndex]!.binsNeed.map((need) =>
          this.#passEnd(need),
        );
        return latest(needs, ({ endCycle }) => endCycle, this.#cycle) ?? null;
      }
      default:
        return null;
    }
  }

  /** Run of a visibility phase, up to the current cycle: segments are sent during it. */
  #visibilityRun(passIndex: number, chipletId: ChipletId): Predecessor | null {
    const run = this.#runs.phaseOf(passIndex).find((each) => each.chipletId === chipletId);
    if (run === undefined) return null;
    return { ...this.#runEnd(run), endCycle: Math.min(run.endCycle, this.#cycle) };
  }

  /** Last bin of a pass on a chiplet that ended up to the current cycle. */
  #lastBin(passIndex: number, chipletId: ChipletId): Predecessor | null {
    const own = this.#runs.binsOf(passIndex).filter((run) => run.chipletId === chipletId);
    const run = latest(own, ({ endCycle }) => endCycle, this.#cycle);
    return run === undefined ? null : this.#runEnd(run);
  }
}

function stepOf({ kind }: Transfer): PathStepKind {
  if (kind === 'bins') return 'pixels';
  if (kind === 'scanout') throw new Error('critical path: the display reads after the frame');
  return kind;
}

function lastOf(works: readonly SimulatedCopies[]): SimulatedCopies | undefined {
  return works.reduce<SimulatedCopies | undefined>(
    (last, work) => (last === undefined || work.endCycle > last.endCycle ? work : last),
    undefined,
  );
}

/** Returns the item with the latest cycle that is not after `limit`; the first one of equals. */
function latest<Item>(
  items: Iterable<Item>,
  cycleOf: (item: Item) => number,
  limit: number,
): Item | undefined {
  let found: Item | undefined;
  let foundCycle = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const cycle = cycleOf(item);
    if (cycle > limit || cycle <= foundCycle) continue;
    found = item;
    foundCycle = cycle;
  }
  return found;
}
