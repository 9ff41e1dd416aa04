/**
 * When everything of a pass happens in simulated time: the visibility phase on chiplet 0 first, then on every
 * chiplet the bins of its ordered list, back to back. A pass starts when the one before is done. A bin's cycles are its own, so who rendered it in the end and
 * when does not matter.
 */
import type { BinResult, ChipletId, CoarseBinId, VisibilitySummary } from '@tessera/frame';
import type { ChipletBins } from './bin-assignment/policy.ts';

export interface PassSchedule {
  /** From the start of the pass until its last bin is done. This and all others: null when nothing was simulated in time. */
  readonly cycles: number | null;
  readonly startByBin: ReadonlyMap<CoarseBinId, number> | null;
  readonly endByBin: ReadonlyMap<CoarseBinId, number> | null;
  readonly busyByChiplet: ReadonlyMap<ChipletId, number> | null;
  /** Longest list of bins. */
  readonly makespanCycles: number | null;
  /** No assignment is shorter: the mean over the chiplets that render, or the longest bin. */
  readonly lowerBoundCycles: number | null;
}

const NO_SCHEDULE: PassSchedule = {
  cycles: null,
  startByBin: null,
  endByBin: null,
  busyByChiplet: null,
  makespanCycles: null,
  lowerBoundCycles: null,
};

/** @param bins By bin id. @param startCycle Of the pass, within the frame. */
export function makeSchedule(
  summary: VisibilitySummary,
  assignment: readonly ChipletBins[],
  bins: readonly BinResult[],
  startCycle: number,
): PassSchedule {
  const visibilityCycles = summary.cycles;
  const cyclesByBin = bins.map(({ cycles }) => cycles ?? -1);
  if (visibilityCycles === null || cyclesByBin.includes(-1)) return NO_SCHEDULE;
  const startByBin = new Map<CoarseBinId, number>();
  const endByBin = new Map<CoarseBinId, number>();
  const busyByChiplet = new Map<ChipletId, number>([[0, visibilityCycles]]);
  let makespanCycles = 0;
  for (const { chipletId, binIds } of assignment) {
    const listStart = startCycle + visibilityCycles;
    let time = listStart;
    for (const binId of binIds) {
      startByBin.set(binId, time);
      time += cyclesByBin[binId]!;
      endByBin.set(binId, time);
    }
    const busy = time - listStart;
    busyByChiplet.set(chipletId, (busyByChiplet.get(chipletId) ?? 0) + busy);
    makespanCycles = Math.max(makespanCycles, busy);
  }
  const sum = cyclesByBin.reduce((total, cycles) => total + cycles, 0);
  return {
    cycles: visibilityCycles + makespanCycles,
    startByBin,
    endByBin,
    busyByChiplet,
    makespanCycles,
    lowerBoundCycles: Math.max(Math.ceil(sum / assignment.length), ...cyclesByBin),
  };
}

/** The schedules of passes that run one after the other. */
export function makeSchedules(
  passes: readonly {
    readonly summary: VisibilitySummary;
    readonly assignment: readonly ChipletBins[];
    readonly bins: readonly BinResult[];
  }[],
): readonly PassSchedule[] {
  let startCycle = 0;
  return passes.map(({ summary, assignment, bins }) => {
    const schedule = makeSchedule(summary, assignment, bins, startCycle);
    startCycle += schedule.cycles ?? 0;
    return schedule;
  });
}

/** Busy and idle cycles of one chiplet; they sum up to the frame's. */
export function chipletCycles(
  schedules: readonly PassSchedule[],
  chipletId: ChipletId,
): { readonly busyCycles: number | null; readonly idleCycles: number | null } {
  let busyCycles = 0;
  let idleCycles = 0;
  for (const { cycles, busyByChiplet } of schedules) {
    if (cycles === null || busyByChiplet === null) return { busyCycles: null, idleCycles: null };
    const busy = busyByChiplet.get(chipletId) ?? 0;
    busyCycles += busy;
    idleCycles += cycles - busy;
  }
  return { busyCycles, idleCycles };
}
