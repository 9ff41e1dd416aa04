/** Policies that go by predicted workload (patent US 12,051,154, ¶46–47, fig. 5). */
import type { AssignmentInput, ChipletBins } from './policy.ts';

/**
 * List scheduling (Graham, "Bounds on Multiprocessing Timing Anomalies", 1969): bins in their order, each
 * to the chiplet with the least load so far, the lowest number on ties. Loads L S S M M on 3 chiplets
 * give {0} {1, 3} {2, 4}, the table of fig. 5.
 */
export function assignLeastLoaded(input: AssignmentInput): ChipletBins[] {
  return assignGreedily(
    input,
    input.estimatedCosts.map((_, binId) => binId),
  );
}

/** The same with the costliest bins first (Graham's LPT): at most 4/3 − 1/(3N) of the best makespan. */
export function assignLongestFirst(input: AssignmentInput): ChipletBins[] {
  const costs = input.estimatedCosts;
  const order = costs.map((_, binId) => binId).sort((a, b) => costs[b]! - costs[a]! || a - b);
  return assignGreedily(input, order);
}

function assignGreedily(input: AssignmentInput, order: readonly number[]): ChipletBins[] {
  const loads = input.chipletIds.map(() => 0);
  const binIdsByChiplet: number[][] = input.chipletIds.map(() => []);
  for (const binId of order) {
    let least = 0;
    for (let i = 1; i < loads.length; i++) if (loads[i]! < loads[least]!) least = i;
    binIdsByChiplet[least]!.push(binId);
    loads[least]! += input.estimatedCosts[binId]!;
  }
  return input.chipletIds.map((chipletId, i) => ({ chipletId, binIds: binIdsByChiplet[i]! }));
}
