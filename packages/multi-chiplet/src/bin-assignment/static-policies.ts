/**
 * Policies that use only a bin's position (patent US 12,051,154, ¶45, fig. 4). They take the least
 * effort and leave idle time.
 */
import type { AssignmentInput, ChipletBins } from './policy.ts';

/**
 * Assigns runs of consecutive bins: 6 bins on 3 chiplets give {0, 1} {2, 3} {4, 5}, the table of
 * fig. 4.
 */
export function assignStaticBlocks(input: AssignmentInput): ChipletBins[] {
  const { columns, rows } = input.grid;
  const chipletCount = input.chipletIds.length;
  return assignByPlace(input, (binId) => Math.floor((binId * chipletCount) / (columns * rows)));
}

/**
 * Assigns bin i to chiplet i mod N. Degenerates to columns when N divides the number of columns.
 */
export function assignStaticInterleaved(input: AssignmentInput): ChipletBins[] {
  return assignByPlace(input, (binId) => binId % input.chipletIds.length);
}

/**
 * Assigns bin (column, row) to chiplet (column + row) mod N: interleaving that does not degenerate
 * to columns.
 */
export function assignStaticDiagonal(input: AssignmentInput): ChipletBins[] {
  const { columns } = input.grid;
  return assignByPlace(
    input,
    (binId) => ((binId % columns) + Math.floor(binId / columns)) % input.chipletIds.length,
  );
}

/**
 * Deals bins out in turn in Morton order (Z-order: the bits of column and row alternate). Neighbors
 * in both directions go to different chiplets, and each chiplet has bins all over the target.
 */
export function assignStaticMorton(input: AssignmentInput): ChipletBins[] {
  const { columns, rows } = input.grid;
  const codes = Array.from({ length: columns * rows }, (_, binId) =>
    mortonCode(binId % columns, Math.floor(binId / columns)),
  );
  const order = codes.map((_, binId) => binId).sort((a, b) => codes[a]! - codes[b]!);
  const rankByBin: number[] = [];
  for (const [rank, binId] of order.entries()) rankByBin[binId] = rank;
  return assignByPlace(input, (binId) => rankByBin[binId]! % input.chipletIds.length);
}

/**
 * Interleaves the bits of `column` at even places with those of `row` at odd ones. Both are below
 * 2^16.
 */
function mortonCode(column: number, row: number): number {
  let code = 0;
  for (let bit = 0; bit < 16; bit++) {
    code += ((column >> bit) & 1) * 4 ** bit + ((row >> bit) & 1) * 2 * 4 ** bit;
  }
  return code;
}

function assignByPlace(
  input: AssignmentInput,
  chipletIndexOf: (binId: number) => number,
): ChipletBins[] {
  const indicesByChiplet: number[][] = input.chipletIds.map(() => []);
  for (const [binIndex, { binId }] of input.bins.entries()) {
    indicesByChiplet[chipletIndexOf(binId)]!.push(binIndex);
  }
  return input.chipletIds.map((chipletId, i) => ({
    chipletId,
    binIndices: indicesByChiplet[i]!,
  }));
}
