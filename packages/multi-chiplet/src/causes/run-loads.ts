/**
 * Loads of the units by run. A run that takes T cycles, in which its busiest unit is busy for B
 * cycles, spends T − B in ways that no unit's rate explains: latency, the filling of the pipeline,
 * uneven use of the shader cores. If units are faster, B shrinks and T − B remains (the roofline of
 * Williams, Waterman and Patterson, 2009, with a constant rest).
 */
import {
  type Counters,
  type RunActivity,
  type SpecSummary,
  TIMED_UNITS,
  type TimedUnit,
  unitLoadsOf,
} from '@tessera/frame';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import type { SimulatedFrames } from '../simulated-time/simulated-frames.ts';
import type { ChipletRun, FrameRuns } from './frame-runs.ts';

/** Load of one run. */
export interface RunLoad {
  /** Cycles of the run without those in which it waited for its visibility. */
  readonly cycles: number;
  /** Busy cycles by position in TIMED_UNITS, the mean over the instances of a unit. */
  readonly busyCycles: readonly number[];
}

/** Work of a copy engine: a timing of a pass. */
export interface CopyLoad extends RunLoad {
  readonly passIndex: number;
  readonly timing: number;
}

/** Loads of all runs of a frame, and of the work of its copy engines. */
export interface FrameLoads {
  readonly runs: ReadonlyMap<ChipletRun, RunLoad>;
  readonly copies: readonly CopyLoad[];
}

/** Counters of the runs of a pass, which are those of units if bins were timed by themselves. */
export interface PassCounters {
  readonly visibility: {
    readonly counters: Counters;
    readonly parts?: readonly { readonly counters: Counters }[] | undefined;
  };
  readonly bins: readonly { readonly counters: Counters }[];
}

/** Returns the loads of the only frame. */
export function measureLoads(
  passes: readonly PassCounters[],
  measurement: FrameMeasurement,
  { machines }: SimulatedFrames,
  runs: FrameRuns,
  spec: SpecSummary,
): FrameLoads {
  const instances = countInstances(spec);
  const loads = new Map<ChipletRun, RunLoad>();
  for (const [chipletId, own] of runs.byChiplet.entries()) {
    for (const [i, run] of own.entries()) {
      const busyCycles =
        machines === null
          ? unitLoadsOf(countersOf(passes, run))
          : requireActivity(machines[chipletId]!.runs[i], run);
      const cycles = run.endCycle - run.startCycle - run.waitedCycles;
      loads.set(run, makeLoad(cycles, busyCycles, instances));
    }
  }
  const copies = measurement.passes.flatMap(({ copyWork }, passIndex) =>
    copyWork.timings.map(({ cycles, counters }, timing) => ({
      ...makeLoad(cycles, unitLoadsOf(counters), instances),
      ...{ passIndex, timing },
    })),
  );
  return { runs: loads, copies };
}

/**
 * Returns the number of instances of each unit on a chiplet; of the second-level cache the lines
 * that it accepts per cycle.
 */
function countInstances({ parameters }: SpecSummary): number[] {
  const byUnit: Partial<Record<TimedUnit, unknown>> = {
    shaderCore: parameters.smCount,
    textureUnit: parameters.smCount,
    l2Cache: Number(parameters.l2Slices) * Number(parameters.l2LinesPerCycle),
    dram: parameters.dramChannels,
  };
  return TIMED_UNITS.map((unit) => Number(byUnit[unit] ?? 1));
}

function makeLoad(
  cycles: number,
  busyCycles: readonly number[],
  instances: readonly number[],
): RunLoad {
  // Work of other runs can overlap with this one, so a unit may be busy for longer than it.
  const meanOf = (busy: number, unit: number) => Math.min(cycles, busy / instances[unit]!);
  return { cycles, busyCycles: busyCycles.map(meanOf) };
}

function countersOf(passes: readonly PassCounters[], run: ChipletRun): Counters {
  const { visibility, bins } = passes[run.passIndex]!;
  if (run.binIndex !== null) return bins[run.binIndex]!.counters;
  return (visibility.parts?.[run.part!] ?? visibility).counters;
}

function requireActivity(
  activity: RunActivity | undefined,
  { chipletId, binIndex }: ChipletRun,
): readonly number[] {
  if (activity?.isVisibility === (binIndex === null)) return activity.loadCycles;
  throw new Error(`loads: chiplet ${chipletId} has other activities than runs`);
}
