/** Policies that go by a bin's place alone (patent US 12,051,154, ¶45, fig. 4): least effort, idle time. */
import type { AssignmentInput, ChipletBins } from './policy.ts';

/** Runs of consecutive bins: with 6 bins on 3 chiplets {0, 1} {2, 3} {4, 5}, the table of fig. 4. */
export function assignStaticBlocks(input: AssignmentInput): ChipletBins[] {
  const binCount = input.estimatedCosts.length;
  const chipletCount = input.chipletIds.length;
  return assignByIndex(input, (binId) => Math.floor((binId * chipletCount) / binCount));
}

/** Bin i to chiplet i mod N. Degenerates to columns where N divides the number of columns. */
export function assignStaticInterleaved(input: AssignmentInput): ChipletBins[] {
  return assignByIndex(input, (binId) => binId % input.chipletIds.length);
}

/** Bin (column, row) to chiplet (column + row) mod N: interleaving without the columns. */
export function assignStaticDiagonal(input: AssignmentInput): ChipletBins[] {
  const { columns } = input.grid;
  return assignByIndex(
    input,
    (binId) => ((binId % columns) + Math.floor(binId / columns)) % input.chipletIds.length,
  );
}

function assignByIndex(
  input: AssignmentInput,
  chipletIndexOf: (binId: number) => number,
): ChipletBins[] {
  const binIdsByChiplet: number[][] = input.chipletIds.map(() => []);
  for (let binId = 0; binId < input.estimatedCosts.length; binId++) {
    binIdsByChiplet[chipletIndexOf(binId)]!.push(binId);
  }
  return input.chipletIds.map((chipletId, i) => ({ chipletId, binIds: binIdsByChiplet[i]! }));
}
