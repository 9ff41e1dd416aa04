/** Policies that use the predicted workload (patent US 12,051,154, ¶46–47, fig. 5). */
import type { AssignmentInput, ChipletBins, PredictedBin } from './policy.ts';

/**
 * List scheduling (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969). Assigns bins in
 * their order, each to the chiplet with the least load so far, the lowest number on ties. Loads L S
 * S M M on 3 chiplets give {0} {1, 3} {2, 4}, the table of fig. 5.
 */
export function assignLeastLoaded(input: AssignmentInput): ChipletBins[] {
  return assignGreedily(
    input,
    input.bins.map((_, binIndex) => binIndex),
  );
}

/**
 * Like {@link assignLeastLoaded} with the costliest bins first (Graham's LPT): at most 4/3 − 1/(3N)
 * of the best makespan.
 */
export function assignLongestFirst(input: AssignmentInput): ChipletBins[] {
  return assignGreedily(input, orderLongestFirst(input.bins));
}

/** Returns the indices of the bins, the costliest first, the lower index on ties. */
export function orderLongestFirst(bins: readonly Pick<PredictedBin, 'predictedCycles'>[]) {
  const costOf = (binIndex: number) => bins[binIndex]!.predictedCycles;
  return bins.map((_, binIndex) => binIndex).sort((a, b) => costOf(b) - costOf(a) || a - b);
}

function assignGreedily(input: AssignmentInput, order: readonly number[]): ChipletBins[] {
  const loads = [...input.initialLoads];
  const indicesByChiplet: number[][] = input.chipletIds.map(() => []);
  for (const binIndex of order) {
    let least = 0;
    for (let i = 1; i < loads.length; i++) if (loads[i]! < loads[least]!) least = i;
    indicesByChiplet[least]!.push(binIndex);
    loads[least]! += input.bins[binIndex]!.predictedCycles;
  }
  return input.chipletIds.map((chipletId, i) => ({
    chipletId,
    binIndices: indicesByChiplet[i]!,
  }));
}
