/**
 * Draws the coarse bins of a pass over its image, each with an edge and a tint by its chiplet or
 * cost. The cost is in simulated cycles, or an estimate with functional timing.
 */
import type { BinReport } from '@tessera/frame';
import { chipletColor, costColor, type Rgb } from '@tessera/plot/colors';
import { recolorPng } from './png-rows.ts';

/** Meanings of the tint. */
export const BIN_COLORINGS = ['owner', 'cost'] as const;
/** Meaning of the tint. */
export type BinColoring = (typeof BIN_COLORINGS)[number];

/** Opacity of the tint in 1/256, within a bin and on its edge. */
const TINT = 112;
const EDGE_TINT = 232;

/**
 * Draws the bins of a pass over its image.
 *
 * @param png Image that `encodePng` wrote.
 * @param allBins Bins of all passes, as in a report.
 * @returns Pieces of a PNG.
 */
export function drawBins(
  png: Buffer,
  allBins: readonly BinReport[],
  passIndex: number,
  coloring: BinColoring,
): AsyncIterable<Uint8Array> {
  const bins = allBins.filter((bin) => bin.passIndex === passIndex);
  const most = Math.max(...bins.map(costOf));
  const tints = bins.map((bin) => {
    const color =
      coloring === 'owner'
        ? chipletColor(bin.chiplet)
        : costColor(most > 0 ? costOf(bin) / most : 0);
    return { bin, color };
  });
  return recolorPng(png, (y, rgb) => {
    for (const { bin, color } of tints) {
      if (y >= bin.y && y < bin.y + bin.height) tintRow(rgb, y, bin, color);
    }
  });
}

function costOf({ startCycle, endCycle, estimatedCost }: BinReport): number {
  return startCycle === null || endCycle === null ? estimatedCost : endCycle - startCycle;
}

/** @param rgb Row `y` of the image, three bytes per pixel. */
function tintRow(rgb: Uint8Array, y: number, bin: BinReport, color: Rgb): void {
  const { x: left, y: top, width, height } = bin;
  const isEdgeRow = y === top || y === top + height - 1;
  for (let x = left; x < left + width; x++) {
    const share = isEdgeRow || x === left || x === left + width - 1 ? EDGE_TINT : TINT;
    for (let channel = 0; channel < 3; channel++) {
      const at = x * 3 + channel;
      const under = rgb[at]!;
      rgb[at] = under + (((color[channel]! - under) * share) >> 8);
    }
  }
}
