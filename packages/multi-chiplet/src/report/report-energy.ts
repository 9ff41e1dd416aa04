/** Energy of a frame, for the report: its runs and their counts. */
import { accountEnergy, type EnergyRun } from '@tessera/energy';
import type { BinReport, ChannelReport, Counters, EnergyReport } from '@tessera/frame';
import type { PassAccount } from './account-frame.ts';
import type { ReportInput } from './make-report.ts';
import { timedCounters } from './timed-counters.ts';

/**
 * Returns the energy of a frame with cycle timing; null if its chiplets did not count the
 * instructions of shaders.
 *
 * @param cycles Cycles of the frame.
 */
export function reportEnergy(
  input: ReportInput,
  cycles: number,
  bins: readonly BinReport[],
  channels: readonly ChannelReport[],
): EnergyReport | null {
  if (!input.passes.every(countsInstructions)) return null;
  return accountEnergy({
    spec: input.spec,
    cycles,
    chipletCount: input.chipletCount,
    passCount: input.passes.length,
    bins,
    runs: energyRuns(input),
    channels,
    options: input.energy,
  });
}

function countsInstructions({ visibility, bins }: PassAccount): boolean {
  return [visibility, ...bins].every(({ shaderInstructions }) => shaderInstructions !== undefined);
}

/** Yields the runs of a frame: phases and bins of its passes, machines and copy engines. */
function* energyRuns(input: ReportInput): Generator<EnergyRun, void> {
  const { passes, measurement, simulated } = input;
  let firstBin = 0;
  for (const [passIndex, { visibility, bins }] of passes.entries()) {
    const pass = simulated.frames[0]!.passes[passIndex]!;
    yield* visibilityRuns(visibility, pass.visibilityParts, passIndex);
    for (const [i, { counters, shaderInstructions = 0 }] of bins.entries()) {
      const { chipletId } = pass.bins[i]!;
      const place = { chipletId, passIndex, binIndex: firstBin + i };
      yield { ...place, counters, laneInstructions: shaderInstructions };
    }
    firstBin += bins.length;
  }
  for (const run of timedCounters(measurement, simulated)) {
    yield { ...run, binIndex: null, laneInstructions: 0 };
  }
}

/** Yields the runs of a visibility phase. Its instructions are divided as those of vertices are. */
function* visibilityRuns(
  { counters, parts, shaderInstructions = 0 }: PassAccount['visibility'],
  places: readonly { readonly chipletId: number; readonly part: number }[],
  passIndex: number,
): Generator<EnergyRun, void> {
  const vertexInstructions = instructionsOf(counters);
  for (const { chipletId, part } of places) {
    const own = parts?.[part]?.counters ?? counters;
    const share =
      vertexInstructions === 0 ? 1 / places.length : instructionsOf(own) / vertexInstructions;
    const laneInstructions = shaderInstructions * share;
    yield { chipletId, passIndex, binIndex: null, counters: own, laneInstructions };
  }
}

function instructionsOf(counters: Counters): number {
  return counters['visibility.instructionsExecuted'] ?? 0;
}
