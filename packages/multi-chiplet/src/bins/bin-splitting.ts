/**
 * Splitting of the costliest bins: after the visibility phase, when costs are known better than from a bin's place,
 * a bin is cut into parts that chiplets render side by side. A part is a rectangle on fine-bin borders, rendered from
 * the bin's own list; what of the list lies beside it is dropped at fine binning. So the picture stays as it is, and
 * primitives of the bin are processed once per part.
 */
import {
  type BinSummary,
  type CoarseBinGrid,
  type CoarseBinId,
  coarseBinRect,
  type RectPx,
} from '@tessera/frame';
import { estimateBinCycles } from './bin-cost.ts';

/** Most halvings of one pass. */
export const MAX_SPLITS = 1024;

/** A bin, or a part of one. */
export interface BinPart {
  readonly binId: CoarseBinId;
  readonly rect: RectPx;
  /** What of the bin's summary falls to the part. */
  readonly summary: BinSummary;
  /** Whether it is the whole bin. */
  readonly isWhole: boolean;
}

/**
 * Halves the costliest bin or part, `splits` times, as long as that one has more than one fine bin.
 *
 * @param bins By bin id.
 * @param keptBin Is not split: it is rendered already.
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

/** Cuts across the longer side, at the fine-bin border nearest to the middle; `null` for a single fine bin. */
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

/** Fragments are shared out by area; primitives and their vertices are those of the whole list. */
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
