/** Energy of a frame, for the report: its runs and their counts. */
import {
  accountEnergy,
  dynamicByUnit,
  type EnergyInput,
  type EnergyRun,
  laneInstructionsOf,
} from '@tessera/energy';
import type { EnergyReport, Report } from '@tessera/frame';
import type { PowerSource } from '../simulated-time/timeline-power.ts';
import type { ReportInput } from './make-report.ts';
import { timedCounters } from './timed-counters.ts';

/** Run with its weight among the instructions of its chiplet. */
type WeightedRun = Omit<EnergyRun, 'laneInstructions'> & { readonly weight: number };

/** Parts of a report from which energies follow. */
type EnergyParts = Pick<Report, 'bins' | 'chiplets' | 'link'>;

/**
 * Returns the energy of a frame with cycle timing.
 *
 * @param cycles Cycles of the frame.
 */
export function reportEnergy(input: ReportInput, cycles: number, parts: EnergyParts): EnergyReport {
  return accountEnergy(makeEnergyInput(input, cycles, parts));
}

/** Returns the energies of a reported frame from which its power follows. */
export function powerSourceOf(input: ReportInput, report: Report): PowerSource {
  const cycles = report.totals.cycles!;
  const { clockHz } = input.spec;
  const byUnit = dynamicByUnit(makeEnergyInput(input, cycles, report));
  const { leakage, refresh } = report.energy!.chiplets[0]!;
  return {
    clockHz,
    dynamicPj: byUnit.map(
      (units) => new Map([...units].map(([unit, { typicalPj }]) => [unit, typicalPj])),
    ),
    standingMw: ((leakage.typicalPj + refresh.typicalPj) * clockHz) / (cycles * 1e9),
  };
}

function makeEnergyInput(input: ReportInput, cycles: number, parts: EnergyParts): EnergyInput {
  return {
    spec: input.spec,
    cycles,
    chipletCount: input.chipletCount,
    passCount: input.passes.length,
    bins: parts.bins,
    runs: energyRuns(input, parts.chiplets),
    channels: parts.link.channels,
    options: input.energy,
  };
}

/**
 * Returns the runs of a frame with their shares of the instructions of lanes, which are known by
 * chiplet. The shares are those of the instructions of warps, or with `coupling: exact`, where
 * machines count these, of the instructions of the shaders without branches.
 */
function energyRuns(input: ReportInput, chiplets: Report['chiplets']): EnergyRun[] {
  const runs = [...weightedRuns(input)];
  const weights = chiplets.map(() => 0);
  for (const { chipletId, weight } of runs) weights[chipletId]! += weight;
  const instructions = laneInstructionsOf(
    chiplets.map(({ counters }) => counters),
    input.spec,
  );
  return [
    ...runs.map(({ weight, ...run }) => {
      const share = weight === 0 ? 0 : weight / weights[run.chipletId]!;
      return { ...run, laneInstructions: instructions[run.chipletId]! * share };
    }),
    // Instructions of chiplets whose runs have no weights.
    ...instructions.flatMap((laneInstructions, chipletId) =>
      weights[chipletId]! > 0
        ? []
        : [{ chipletId, passIndex: null, binIndex: null, counters: {}, laneInstructions }],
    ),
  ];
}

/** Yields phases and bins of passes, machines and copy engines. */
function* weightedRuns({
  passes,
  measurement,
  simulated,
}: ReportInput): Generator<WeightedRun, void> {
  const hasMachines = simulated.machines !== null;
  const weightOf = (counters: EnergyRun['counters'], shaderInstructions: number) =>
    hasMachines ? shaderInstructions : (counters['shaderCore.warpInstructions'] ?? 0);
  let firstBin = 0;
  for (const [passIndex, { visibility, bins }] of passes.entries()) {
    const pass = simulated.frames[0]!.passes[passIndex]!;
    const all = visibility.counters['visibility.instructionsExecuted'] ?? 0;
    for (const { chipletId, part } of pass.visibilityParts) {
      const counters = visibility.parts?.[part]?.counters ?? visibility.counters;
      const own = counters['visibility.instructionsExecuted'] ?? 0;
      const shaderInstructions = (visibility.shaderInstructions ?? 0) * (all === 0 ? 1 : own / all);
      const weight = weightOf(counters, shaderInstructions);
      yield { chipletId, passIndex, binIndex: null, counters, weight };
    }
    for (const [i, { counters, shaderInstructions = 0 }] of bins.entries()) {
      const place = { chipletId: pass.bins[i]!.chipletId, passIndex, binIndex: firstBin + i };
      yield { ...place, counters, weight: weightOf(counters, shaderInstructions) };
    }
    firstBin += bins.length;
  }
  for (const run of timedCounters(measurement, simulated)) {
    yield { ...run, binIndex: null, weight: 0 };
  }
}
