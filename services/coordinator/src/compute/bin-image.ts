/**
 * Draws the coarse bins of a pass over its image, each with an edge and a tint by its chiplet or
 * cost. The cost is in simulated cycles, or an estimate with functional timing.
 */
import type { BinReport } from '@tessera/frame';
import { recolorPng } from './png-rows.ts';

/** Meanings of the tint. */
export const BIN_COLORINGS = ['owner', 'cost'] as const;
/** Meaning of the tint. */
export type BinColoring = (typeof BIN_COLORINGS)[number];

type Rgb = readonly [number, number, number];

/**
 * Colors of chiplets, repeated cyclically. The palette of Okabe and Ito is safe for color-blind
 * people.
 */
const OWNER_COLORS: readonly Rgb[] = [
  [230, 159, 0],
  [86, 180, 233],
  [0, 158, 115],
  [240, 228, 66],
  [0, 114, 178],
  [213, 94, 0],
  [204, 121, 167],
  [120, 120, 120],
];
const CHEAP_COLOR: Rgb = [13, 42, 148];
const MEAN_COLOR: Rgb = [225, 80, 90];
const COSTLY_COLOR: Rgb = [252, 230, 60];

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
    const isByOwner = coloring === 'owner';
    const color = isByOwner ? ownerColor(bin) : costColor(most > 0 ? costOf(bin) / most : 0);
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

function ownerColor({ chiplet }: BinReport): Rgb {
  return OWNER_COLORS[chiplet % OWNER_COLORS.length]!;
}

/** @param share Cost relative to the costliest bin, 0 to 1. */
function costColor(share: number): Rgb {
  if (share < 0.5) return mix(CHEAP_COLOR, MEAN_COLOR, share * 2);
  return mix(MEAN_COLOR, COSTLY_COLOR, share * 2 - 1);
}

function mix(a: Rgb, b: Rgb, t: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + (to - from) * t);
  return [between(a[0], b[0]), between(a[1], b[1]), between(a[2], b[2])];
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
