/**
 * Weights of texels from a coarser grid (Khronos Data Format Specification, chapter "ASTC
 * Compressed Texture Image Formats", section "Weight Infill").
 */
import type { BlockMode } from './block-mode.ts';

/**
 * Writes the weight of each texel, row by row: a bilinear mean of the grid's weights.
 *
 * @param plane Plane of weights. Weights of two planes alternate.
 * @param grid Weights of the grid, and readable entries after them for neighbors that count 0.
 */
export function writeTexelWeights(
  { gridWidth, gridHeight, planeCount }: BlockMode,
  plane: number,
  grid: Uint8Array,
  [widthPx, heightPx]: readonly [number, number],
  weights: Uint8Array,
): void {
  const xScale = scaleOf(widthPx);
  const yScale = scaleOf(heightPx);
  const below = gridWidth * planeCount;
  for (let y = 0; y < heightPx; y++) {
    // Positions on the grid have four bits of fraction.
    const row = (yScale * y * (gridHeight - 1) + 32) >> 6;
    for (let x = 0; x < widthPx; x++) {
      const column = (xScale * x * (gridWidth - 1) + 32) >> 6;
      const at = (row >> 4) * below + (column >> 4) * planeCount + plane;
      const [right, down] = [column & 15, row & 15];
      const both = (right * down + 8) >> 4;
      const sum =
        grid[at]! * (16 - right - down + both) +
        grid[at + planeCount]! * (right - both) +
        grid[at + below]! * (down - both) +
        grid[at + below + planeCount]! * both;
      weights[y * widthPx + x] = (sum + 8) >> 4;
    }
  }
}

/** Returns the factor that maps the last texel of a row or column to 1,024. */
function scaleOf(sizePx: number): number {
  return Math.floor((1024 + (sizePx >> 1)) / (sizePx - 1));
}
