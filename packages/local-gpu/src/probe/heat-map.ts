/** Heat maps: counts of a pass by pixel or by block of pixels. */
import {
  type BinReport,
  type ChipletId,
  type HeatMap,
  type HeatMetricName,
  RenderError,
} from '@tessera/frame';

/** Heat map to make. */
export interface HeatMapRequest {
  readonly metric: HeatMetricName;
  /** Index of the pass. */
  readonly pass: number;
  /** Edge of the blocks in pixels, from 1, the default, which gives a value per pixel. */
  readonly blockPx?: number | undefined;
  /** Bins of the report, for `cyclesAttributed`. */
  readonly bins?: readonly BinReport[] | undefined;
  /** Chiplet whose memory has the lines, for `remoteBytes`; all chiplets by default. */
  readonly home?: ChipletId | undefined;
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

/**
 * Divides the cycles of the bins of a pass among their pixels, in proportion to `weights`. The
 * pixels of a bin without weights have equal shares.
 *
 * @param weights Weights by pixel, which are replaced by cycles.
 * @throws {RenderError} REQUEST_INVALID if the bins have no cycles.
 */
export function attributeCycles(
  weights: Float64Array,
  widthPx: number,
  bins: readonly BinReport[],
): void {
  for (const { x, y, width, height, startCycle, endCycle } of bins) {
    if (startCycle === null || endCycle === null) {
      const message = 'metric: cyclesAttributed needs a frame with timing=cycle';
      throw new RenderError('REQUEST_INVALID', message);
    }
    const rows = Array.from({ length: height }, (_, row) => {
      const first = (y + row) * widthPx + x;
      return weights.subarray(first, first + width);
    });
    const sum = rows.reduce((all, row) => row.reduce((total, weight) => total + weight, all), 0);
    const cycles = endCycle - startCycle;
    for (const row of rows) {
      for (let at = 0; at < row.length; at++) {
        row[at] = cycles * (sum === 0 ? 1 / (width * height) : row[at]! / sum);
      }
    }
  }
}
