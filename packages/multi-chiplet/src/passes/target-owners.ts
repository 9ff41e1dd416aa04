/**
 * Owners of the pixels of targets: the bin that drew a pixel last. Pixels are in cells of 4×4
 * texels, which are blocks of stored textures. Rows count from the bottom, as those of textures do.
 * A cell belongs to the bin of its first texel.
 */
import type { RectPx } from '@tessera/frame';

/** Edge of a cell in pixels. */
export const CELL_PX = 4;
/** Owner of pixels that no pass drew. */
export const NO_OWNER = -1;
/** Owner of pixels that have the clear value, because their bin had no primitives. */
export const CLEARED = -2;
/** Upper bound on the bins of a pass, parts included. */
const MAX_BINS = 2 ** 16;

/** Owners of the cells of an image, row by row. Maps are never changed. */
export interface OwnerMap {
  readonly columns: number;
  readonly rows: number;
  readonly owners: Int32Array;
}

/** Rectangle of a bin with its owner; null if the pixels keep theirs. */
export interface OwnedRect {
  readonly rect: RectPx;
  readonly owner: number | null;
}

/** Bytes of pixels with a common owner. */
export interface OwnedBytes {
  readonly owner: number;
  readonly bytes: number;
}

/** Returns the owner of what a bin draws. */
export function ownerOf(passIndex: number, binIndex: number): number {
  return passIndex * MAX_BINS + binIndex;
}

/** Returns pass and bin of an owner that is neither NO_OWNER nor CLEARED. */
export function binOf(owner: number): { readonly passIndex: number; readonly binIndex: number } {
  return { passIndex: Math.floor(owner / MAX_BINS), binIndex: owner % MAX_BINS };
}

/** Returns the map of an image of that size that no pass drew. */
export function emptyOwners(widthPx: number, heightPx: number): OwnerMap {
  const columns = Math.ceil(widthPx / CELL_PX);
  const rows = Math.ceil(heightPx / CELL_PX);
  return { columns, rows, owners: new Int32Array(columns * rows).fill(NO_OWNER) };
}

/**
 * Returns the map after a pass.
 *
 * @param rects Bins of the pass; their rows count from the top of a target of `heightPx` rows.
 */
export function drawOwners(map: OwnerMap, heightPx: number, rects: readonly OwnedRect[]): OwnerMap {
  const owners = map.owners.slice();
  for (const { rect, owner } of rects) {
    if (owner === null) continue;
    const { left, right, bottom, top } = cellsOf(map, fromBottom(rect, heightPx));
    for (let row = bottom; row < top; row++) {
      owners.fill(owner, row * map.columns + left, row * map.columns + right);
    }
  }
  return { ...map, owners };
}

/** Returns the map after a copy from a rectangle of another image. Rows count from the bottom. */
export function copyOwners(
  into: OwnerMap,
  from: OwnerMap,
  rect: RectPx,
  source: { readonly x: number; readonly y: number },
): OwnerMap {
  const owners = into.owners.slice();
  const { left, right, bottom, top } = cellsOf(into, rect);
  const cellOf = (px: number, limit: number) =>
    Math.min(limit - 1, Math.max(0, Math.floor(px / CELL_PX)));
  for (let row = bottom; row < top; row++) {
    const sourceRow = cellOf(row * CELL_PX - rect.y + source.y, from.rows);
    for (let column = left; column < right; column++) {
      const sourceColumn = cellOf(column * CELL_PX - rect.x + source.x, from.columns);
      owners[row * into.columns + column] = from.owners[sourceRow * from.columns + sourceColumn]!;
    }
  }
  return { ...into, owners };
}

/**
 * Divides bytes of a rectangle among the owners of its cells. The parts add up to the bytes.
 *
 * @param rect Rectangle whose rows count from the top of a target of `heightPx` rows.
 */
export function divideAmongOwners(
  map: OwnerMap,
  heightPx: number,
  rect: RectPx,
  bytes: number,
): readonly OwnedBytes[] {
  const { left, right, bottom, top } = cellsOf(map, fromBottom(rect, heightPx));
  const counts = new Map<number, number>();
  for (let row = bottom; row < top; row++) {
    for (let column = left; column < right; column++) {
      const owner = map.owners[row * map.columns + column]!;
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
  }
  const cells = (right - left) * (top - bottom);
  let before = 0;
  return [...counts].map(([owner, count]) => {
    const from = Math.floor((bytes * before) / cells);
    before += count;
    return { owner, bytes: Math.floor((bytes * before) / cells) - from };
  });
}

function fromBottom(rect: RectPx, heightPx: number): RectPx {
  return { ...rect, y: heightPx - rect.y - rect.height };
}

/** Returns the columns and rows of the cells whose first texel is in a rectangle. */
function cellsOf({ columns, rows }: OwnerMap, { x, y, width, height }: RectPx) {
  return {
    left: Math.ceil(x / CELL_PX),
    right: Math.min(columns, Math.ceil((x + width) / CELL_PX)),
    bottom: Math.ceil(y / CELL_PX),
    top: Math.min(rows, Math.ceil((y + height) / CELL_PX)),
  };
}
