/**
 * The grid of coarse bins over a target (patent US 12,051,154, ¶32, ¶41 and fig. 2).
 *
 * Bins are rectangles of whole fine bins: column boundaries are spread evenly over the fine-bin columns
 * of the target, so sizes differ by one fine bin at most and only the last column and row are ragged.
 * Bins are numbered row by row from the top left.
 */
import { RenderError } from './errors.ts';
import type { RectPx } from './pipeline-state.ts';

/** Number of a coarse bin in its grid, row by row. */
export type CoarseBinId = number;

export interface CoarseBinGrid {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Edge of a fine bin, a power of two. */
  readonly fineBinPx: number;
  readonly columns: number;
  readonly rows: number;
  /** Left edges of the columns and, last, the width: `columns + 1` entries. */
  readonly columnEdgesPx: readonly number[];
  /** Top edges of the rows and, last, the height: `rows + 1` entries. */
  readonly rowEdgesPx: readonly number[];
}

/** Edge of a fine bin in the patent (¶41). */
export const DEFAULT_FINE_BIN_PX = 64;

/** Most coarse bins of a grid. */
export const MAX_COARSE_BINS = 1024;

/**
 * Columns and rows for about `binCount` bins: the factor pair whose bins are nearest to squares.
 * 32 on a 16:9 target gives 8 × 4, 4 gives 2 × 2.
 *
 * @param binCount 1 to {@link MAX_COARSE_BINS}.
 */
export function chooseGridShape(
  binCount: number,
  widthPx: number,
  heightPx: number,
): { columns: number; rows: number } {
  if (!Number.isInteger(binCount) || binCount < 1 || binCount > MAX_COARSE_BINS) {
    throw new RenderError(
      'REQUEST_INVALID',
      `bins: ${binCount} is not an integer from 1 to ${MAX_COARSE_BINS}`,
    );
  }
  let best = { columns: binCount, rows: 1 };
  let bestSkew = Number.POSITIVE_INFINITY;
  for (let rows = 1; rows <= binCount; rows++) {
    if (binCount % rows !== 0) continue;
    const columns = binCount / rows;
    const aspect = (widthPx * rows) / (heightPx * columns);
    const skew = Math.max(aspect, 1 / aspect);
    if (skew < bestSkew) {
      bestSkew = skew;
      best = { columns, rows };
    }
  }
  return best;
}

/**
 * Makes the grid. A target with fewer fine bins than `columns` or `rows` gets one bin per fine bin in
 * that direction.
 *
 * @param widthPx Target size, at least 1.
 * @param columns Bins wanted from left to right, at least 1.
 */
export function makeCoarseBinGrid(
  widthPx: number,
  heightPx: number,
  columns: number,
  rows: number,
  fineBinPx: number = DEFAULT_FINE_BIN_PX,
): CoarseBinGrid {
  const columnEdgesPx = spreadEdges(widthPx, columns, fineBinPx);
  const rowEdgesPx = spreadEdges(heightPx, rows, fineBinPx);
  return {
    widthPx,
    heightPx,
    fineBinPx,
    columns: columnEdgesPx.length - 1,
    rows: rowEdgesPx.length - 1,
    columnEdgesPx,
    rowEdgesPx,
  };
}

function spreadEdges(sizePx: number, wanted: number, fineBinPx: number): number[] {
  const fineBins = Math.ceil(sizePx / fineBinPx);
  const bins = Math.min(wanted, fineBins);
  const edges: number[] = [];
  for (let i = 0; i < bins; i++) edges.push(Math.floor((i * fineBins) / bins) * fineBinPx);
  edges.push(sizePx);
  return edges;
}

/** Number of coarse bins of the grid. */
export function coarseBinCount(grid: CoarseBinGrid): number {
  return grid.columns * grid.rows;
}

/** The pixels of a coarse bin. @throws {Error} If the grid has no such bin. */
export function coarseBinRect(grid: CoarseBinGrid, binId: CoarseBinId): RectPx {
  if (!Number.isInteger(binId) || binId < 0 || binId >= coarseBinCount(grid)) {
    throw new Error(`coarse bin ${binId}: the grid has bins 0 to ${coarseBinCount(grid) - 1}`);
  }
  const column = binId % grid.columns;
  const row = (binId - column) / grid.columns;
  const x = grid.columnEdgesPx[column]!;
  const y = grid.rowEdgesPx[row]!;
  return {
    x,
    y,
    width: grid.columnEdgesPx[column + 1]! - x,
    height: grid.rowEdgesPx[row + 1]! - y,
  };
}
