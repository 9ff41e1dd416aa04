/** The coarse bins of a pass as the page shows them. */
import type { Report } from '../api/types.ts';
import { binKey } from '../gantt/timeline-rows.ts';

export type Bin = Report['bins'][number];

export interface KeyedBin {
  readonly key: string;
  readonly bin: Bin;
}

/** All bins with their keys, in the order of the report. */
export function keyBins(report: Report): KeyedBin[] {
  const countByPass = new Map<number, number>();
  return report.bins.map((bin) => {
    const index = countByPass.get(bin.passIndex) ?? 0;
    countByPass.set(bin.passIndex, index + 1);
    return { key: binKey(bin.passIndex, index), bin };
  });
}

/** Simulated cycles, or the estimate where nothing was simulated in time. */
export function costOf({ startCycle, endCycle, estimatedCost }: Bin): number {
  return startCycle === null || endCycle === null ? estimatedCost : endCycle - startCycle;
}

/** The pass that ends on the screen. */
export function screenPass(report: Report): number {
  return report.passes.findLastIndex(({ target }) => target === 'screen');
}

/**
 * The bin that is reached from another by going in a direction: the nearest whose middle lies that way, sideways
 * distance counting twice. `null` at the edge.
 */
export function neighbour(
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
