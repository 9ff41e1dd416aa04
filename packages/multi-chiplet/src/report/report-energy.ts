/** Energy of a frame, for the report: its runs and their counts. */
import { accountEnergy, type EnergyRun, laneInstructionsOf } from '@tessera/energy';
import type { EnergyReport, Report } from '@tessera/frame';
import type { ReportInput } from './make-report.ts';
import { timedCounters } from './timed-counters.ts';

/** Run with its weight among the instructions of its chiplet. */
type WeightedRun = Omit<EnergyRun, 'laneInstructions'> & { readonly weight: number };

/**
 * Returns the energy of a frame with cycle timing.
 *
 * @param cycles Cycles of the frame.
 * @param report Parts of its report.
 */
export function reportEnergy(
  input: ReportInput,
  cycles: number,
  { bins, chiplets, link }: Pick<Report, 'bins' | 'chiplets' | 'link'>,
): EnergyReport {
  return accountEnergy({
    spec: input.spec,
    cycles,
    chipletCount: input.chipletCount,
    passCount: input.passes.length,
    bins,
    runs: energyRuns(input, chiplets),
    channels: link.channels,
    options: input.energy,
  });
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
  const instructions = chiplets.map(({ counters }) => laneInstructionsOf(counters, input.spec));
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
