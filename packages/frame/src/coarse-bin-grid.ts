/**
 * The grid of coarse bins over a target (patent US 12,051,154, ¶32, ¶41 and fig. 2).
 *
 * Bins are rectangles of whole fine bins. Column boundaries are spread evenly over the fine-bin
 * columns of the target, so bin sizes differ by at most one fine bin. Only the last column and row
 * are ragged. Bins are numbered row by row from the top left.
 */
import { RenderError } from './errors.ts';
import type { RectPx } from './pipeline-state.ts';

/** Number of a coarse bin in its grid, row by row. */
export type CoarseBinId = number;

/** Division of a target into coarse bins. */
export interface CoarseBinGrid {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Edge length of a fine bin, a power of two. */
  readonly fineBinPx: number;
  readonly columns: number;
  readonly rows: number;
  /** Left edges of the columns, followed by the target's width: `columns + 1` entries. */
  readonly columnEdgesPx: readonly number[];
  /** Top edges of the rows, followed by the target's height: `rows + 1` entries. */
  readonly rowEdgesPx: readonly number[];
}

/** Edge length of a fine bin in the patent (¶41). */
export const DEFAULT_FINE_BIN_PX = 64;

/** Maximum number of coarse bins in a grid. */
export const MAX_COARSE_BINS = 1024;

/**
 * Returns the columns and rows for `binCount` bins: the factor pair whose bins are closest to
 * squares. On a 16:9 target, 32 bins give 8 × 4 and 4 bins give 2 × 2.
 *
 * @param binCount 1 to {@link MAX_COARSE_BINS}.
 * @throws {RenderError} REQUEST_INVALID if `binCount` is out of range.
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
 * Grid requested by a client: a number of bins, a number of columns and rows, a number of bins per
 * chiplet, or `auto`, which leaves the choice to {@link chooseCoarseBinGrid}.
 */
export type GridRequest =
  | { readonly kind: 'bins'; readonly count: number }
  | { readonly kind: 'shape'; readonly columns: number; readonly rows: number }
  | { readonly kind: 'per-chiplet'; readonly count: number }
  | { readonly kind: 'auto' };

/** Bins per chiplet for `auto`: enough that no single bin dominates the frame time. */
const AUTO_BINS_PER_CHIPLET = 8;
/**
 * Minimum average number of fine bins in a bin for `auto`. With smaller bins, most primitives would
 * be in several bins.
 */
const AUTO_MIN_FINE_BINS = 4;

/**
 * Parses a grid request: `32` (number of bins), `2x2` (columns × rows), `8/chiplet` or `auto`. On a
 * square target, 4 bins are the grid of the patent's fig. 2.
 *
 * @param name Name of the option, for the message.
 * @throws {RenderError} REQUEST_INVALID, with the permitted values.
 */
export function parseGridRequest(text: string, name = 'grid'): GridRequest {
  const fail = (problem: string): never => {
    throw new RenderError('REQUEST_INVALID', `${name}: ${problem}`);
  };
  if (text === 'auto') return { kind: 'auto' };
  const match = /^(\d{1,5})(?:x(\d{1,5})|(\/chiplet))?$/.exec(text);
  if (match === null) fail(`'${text}' is not a number of bins, CxR, N/chiplet or auto`);
  const [, first, second, perChiplet] = match!;
  const count = Number(first);
  const total = second === undefined ? count : count * Number(second);
  if (total < 1 || total > MAX_COARSE_BINS) {
    fail(`'${text}': the number of bins is not from 1 to ${MAX_COARSE_BINS}`);
  }
  if (perChiplet !== undefined) return { kind: 'per-chiplet', count };
  if (second === undefined) return { kind: 'bins', count };
  return { kind: 'shape', columns: count, rows: Number(second) };
}

/**
 * Returns the grid that a client requested.
 *
 * `auto` gives eight bins per chiplet. It gives fewer bins, but at least one, if a bin would have
 * fewer than four fine bins on average.
 *
 * @param chipletCount Number of chiplets that render bins, at least 1.
 */
export function chooseCoarseBinGrid(
  request: GridRequest,
  widthPx: number,
  heightPx: number,
  chipletCount: number,
  fineBinPx: number = DEFAULT_FINE_BIN_PX,
): CoarseBinGrid {
  if (request.kind === 'shape') {
    return makeCoarseBinGrid(widthPx, heightPx, request.columns, request.rows, fineBinPx);
  }
  let count: number;
  if (request.kind === 'bins') {
    count = request.count;
  } else if (request.kind === 'per-chiplet') {
    count = Math.min(MAX_COARSE_BINS, request.count * chipletCount);
  } else {
    const fineBins = Math.ceil(widthPx / fineBinPx) * Math.ceil(heightPx / fineBinPx);
    const most = Math.floor(fineBins / AUTO_MIN_FINE_BINS);
    const wanted = Math.min(MAX_COARSE_BINS, AUTO_BINS_PER_CHIPLET * chipletCount);
    count = Math.max(1, Math.min(wanted, most));
  }
  const { columns, rows } = chooseGridShape(count, widthPx, heightPx);
  return makeCoarseBinGrid(widthPx, heightPx, columns, rows, fineBinPx);
}

/**
 * Creates a grid. A target with fewer fine bins than `columns` or `rows` gets one bin per fine bin
 * in that direction.
 *
 * @param widthPx Width of the target, at least 1.
 * @param columns Requested bins from left to right, at least 1.
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

/** Returns the number of coarse bins of the grid. */
export function coarseBinCount(grid: CoarseBinGrid): number {
  return grid.columns * grid.rows;
}

/**
 * Returns the pixel rectangle of a coarse bin.
 *
 * @throws {Error} If the grid has no such bin.
 */
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

/**
 * Returns whether a rectangle is inside the bin and each of its edges is on a fine-bin border or an
 * edge of the bin.
 */
export function isPartOfBin(
  grid: CoarseBinGrid,
  binId: CoarseBinId,
  { x, y, width, height }: RectPx,
): boolean {
  const bin = coarseBinRect(grid, binId);
  const isCut = (at: number, size: number, from: number, length: number): boolean => {
    const isBorder = (edge: number) => edge % grid.fineBinPx === 0 || edge === from + length;
    return (
      at >= from && size > 0 && at + size <= from + length && isBorder(at) && isBorder(at + size)
    );
  };
  return isCut(x, width, bin.x, bin.width) && isCut(y, height, bin.y, bin.height);
}
