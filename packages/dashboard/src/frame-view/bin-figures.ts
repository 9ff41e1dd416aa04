/** Coarse bins of a report. */
import type { Report } from '../api/types.ts';
import { binKey } from '../gantt/timeline-rows.ts';

/** A coarse bin of a report. */
export type Bin = Report['bins'][number];

/** A bin with its key, which is unique in the frame. */
export interface KeyedBin {
  readonly key: string;
  readonly bin: Bin;
}

/** Returns all bins with their keys, in report order. */
export function keyBins(report: Report): KeyedBin[] {
  const countByPass = new Map<number, number>();
  return report.bins.map((bin) => {
    const index = countByPass.get(bin.passIndex) ?? 0;
    countByPass.set(bin.passIndex, index + 1);
    return { key: binKey(bin.passIndex, index), bin };
  });
}

/** Returns the simulated cycles of a bin, or the estimate without cycle timing. */
export function costOf({ startCycle, endCycle, estimatedCost }: Bin): number {
  return startCycle === null || endCycle === null ? estimatedCost : endCycle - startCycle;
}

/** Returns the index of the last pass that draws to the screen. */
export function screenPass(report: Report): number {
  return report.passes.findLastIndex(({ target }) => target === 'screen');
}

/**
 * Returns the closest bin in a direction, or `null` at the edge. It compares centers and counts
 * sideways distance twice.
 */
export function neighbor(
  bins: readonly KeyedBin[],
  from: Bin,
  direction: readonly [x: number, y: number],
): KeyedBin | null {
  const middle = ({ x, y, width, height }: Bin) => [x + width / 2, y + height / 2] as const;
  const [fromX, fromY] = middle(from);
  let best: KeyedBin | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of bins) {
    const [x, y] = middle(candidate.bin);
    const along = (x - fromX) * direction[0] + (y - fromY) * direction[1];
    const aside = Math.abs((x - fromX) * direction[1]) + Math.abs((y - fromY) * direction[0]);
    const distance = along + 2 * aside;
    if (along <= 0 || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}
