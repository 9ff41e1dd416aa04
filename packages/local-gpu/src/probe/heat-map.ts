/** Heat maps: counts of a pass by pixel or by block of pixels. */
import type { HeatMetricName } from '@tessera/frame';

/** Heat map to make. */
export interface HeatMapRequest {
  readonly metric: HeatMetricName;
  /** Index of the pass. */
  readonly pass: number;
  /** Edge of the blocks in pixels, from 1, the default, which gives a value per pixel. */
  readonly blockPx?: number | undefined;
}

/** Counts of a pass by pixel or block. */
export interface HeatMap {
  readonly metric: HeatMetricName;
  readonly pass: number;
  readonly blockPx: number;
  /** Size of the pass's target. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of values in a row. */
  readonly columns: number;
  readonly rows: number;
  /** Sum of all values. */
  readonly total: number;
  /** Greatest value. */
  readonly max: number;
  /** Values, row by row from the top. */
  readonly values: Float64Array;
}

/** Returns the values summed over blocks. */
export function sumBlocks(
  pixels: Float64Array,
  widthPx: number,
  heightPx: number,
  blockPx: number,
): Pick<HeatMap, 'columns' | 'rows' | 'total' | 'max' | 'values'> {
  const columns = Math.ceil(widthPx / blockPx);
  const rows = Math.ceil(heightPx / blockPx);
  const values = blockPx === 1 ? pixels : new Float64Array(columns * rows);
  if (blockPx > 1) {
    for (let y = 0; y < heightPx; y++) {
      const row = Math.floor(y / blockPx) * columns;
      for (let x = 0; x < widthPx; x++) {
        values[row + Math.floor(x / blockPx)]! += pixels[y * widthPx + x]!;
      }
    }
  }
  let total = 0;
  let max = 0;
  for (const value of values) {
    total += value;
    max = Math.max(max, value);
  }
  return { columns, rows, total, max, values };
}
