/** Order of the bins that chiplets start while the workload of their pass is not known. */
import type { ChipletId } from '@tessera/frame';
import type { BinHistory } from '../bin-assignment/bin-history.ts';
import type { PolicyEntry } from '../bin-assignment/policies.ts';
import type { PassMeasurement } from './frame-measurement.ts';
import type { PassState } from './simulation-state.ts';

/**
 * Returns the indices of a pass's bins: those with the most cycles in earlier frames first, if the
 * policy predicts from them and all are known. Otherwise they are not ordered by cost, and those
 * closest to the middle, where objects are most often, come first.
 */
export function orderFirstBins(
  { bins, grid, historyKey }: PassMeasurement,
  { prediction }: PolicyEntry,
  history: BinHistory,
): { readonly bins: number[]; readonly isOrdered: boolean } {
  const indices = bins.map((_, binIndex) => binIndex);
  const known =
    prediction === 'history' ? indices.map((bin) => history.predict(historyKey, bin)) : [];
  const isOrdered = known.length > 0 && known.every((cycles) => cycles !== undefined);
  const ranks = isOrdered
    ? known.map((cycles) => -cycles!)
    : bins.map(({ binId }) => {
        const column = binId % grid.columns;
        const row = Math.floor(binId / grid.columns);
        return Math.hypot(2 * column + 1 - grid.columns, 2 * row + 1 - grid.rows);
      });
  return { bins: indices.sort((a, b) => ranks[a]! - ranks[b]! || a - b), isOrdered };
}

/**
 * Removes the bin from a list that a chiplet starts: the first one, or the first of those with the
 * most entries in the segments that the chiplet has.
 */
export function takeFirstBin(
  { segments, firstBins, measurement }: PassState,
  list: number[],
  chipletId: ChipletId,
): number {
  if (firstBins!.isOrdered) return list.shift()!;
  const entries = list.map((binIndex) =>
    segments!.readableOf(measurement.bins[binIndex]!.binId, chipletId),
  );
  return list.splice(entries.indexOf(Math.max(...entries)), 1)[0]!;
}
