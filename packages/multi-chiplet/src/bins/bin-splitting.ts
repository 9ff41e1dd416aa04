/**
 * Splitting of the costliest bins. The visibility phase predicts a bin's cost better than its
 * position does. Costly bins are therefore cut afterwards into parts that chiplets render in
 * parallel. A part is a rectangle on fine-bin borders and is rendered from the list of the whole
 * bin. Fine binning drops the primitives that are outside the part. The image therefore stays the
 * same, and primitives of the bin are processed once per part.
 */
import {
  type BinSummary,
  type CoarseBinGrid,
  type CoarseBinId,
  coarseBinRect,
  type RectPx,
} from '@tessera/frame';
import { estimateBinCycles } from './bin-cost.ts';

/** Upper bound on the halvings in one pass. */
export const MAX_SPLITS = 1024;

/** A bin, or a part of one. */
export interface BinPart {
  readonly binId: CoarseBinId;
  readonly rect: RectPx;
  /** Share of the bin's summary that the part accounts for. */
  readonly summary: BinSummary;
  /** Whether the part is the whole bin. */
  readonly isWhole: boolean;
}

/**
 * Halves the costliest bin or part, `splits` times, until the costliest has a single fine bin.
 *
 * @param bins Summaries by bin id.
 * @param keptBin Bin that is not split because it is already rendered.
 * @returns All bins and parts, in the order of the bins.
 */
export function splitCostliestBins(
  grid: CoarseBinGrid,
  bins: readonly BinSummary[],
  splits: number,
  keptBin: CoarseBinId | null = null,
): readonly BinPart[] {
  const parts: BinPart[] = bins.map((summary, binId) => ({
    binId,
    rect: coarseBinRect(grid, binId),
    summary,
    isWhole: true,
  }));
  for (let split = 0; split < splits; split++) {
    let costliest = -1;
    let most = -1;
    for (const [i, part] of parts.entries()) {
      const cost = estimateBinCycles(part.summary);
      if (part.binId === keptBin || cost <= most) continue;
      most = cost;
      costliest = i;
    }
    const halves = costliest < 0 ? null : halve(parts[costliest]!, grid.fineBinPx);
    if (halves === null) break;
    parts.splice(costliest, 1, ...halves);
  }
  return parts;
}

/**
 * Cuts across the longer side, at the fine-bin border nearest to the middle. Returns null for a
 * single fine bin.
 */
function halve(part: BinPart, fineBinPx: number): readonly [BinPart, BinPart] | null {
  const { x, y, width, height } = part.rect;
  const columns = Math.ceil(width / fineBinPx);
  const rows = Math.ceil(height / fineBinPx);
  if (columns === 1 && rows === 1) return null;
  if (columns >= rows) {
    const left = Math.ceil(columns / 2) * fineBinPx;
    return [
      cutOut(part, { x, y, width: left, height }, true),
      cutOut(part, { x: x + left, y, width: width - left, height }, false),
    ];
  }
  const top = Math.ceil(rows / 2) * fineBinPx;
  return [
    cutOut(part, { x, y, width, height: top }, true),
    cutOut(part, { x, y: y + top, width, height: height - top }, false),
  ];
}

/**
 * Returns a part with a share of the fragments by area. Primitives and their vertices are those of
 * the whole list.
 */
function cutOut({ binId, rect, summary }: BinPart, cut: RectPx, isFirst: boolean): BinPart {
  const share = (cut.width * cut.height) / (rect.width * rect.height);
  return {
    binId,
    rect: cut,
    isWhole: false,
    summary: {
      ...summary,
      // The stream is sent once.
      streamBytes: isFirst ? summary.streamBytes : 0,
      estimatedFragments: summary.estimatedFragments * share,
      estimatedFragmentInstructions: summary.estimatedFragmentInstructions * share,
    },
  };
}
