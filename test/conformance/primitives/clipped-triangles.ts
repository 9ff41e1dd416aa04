/** Draws many triangles for the tests of clipping, each in its own cell and viewport. */
import type { PipelineState, RectPx } from '@tessera/frame';
import { expect } from 'vitest';
import { type ClipPosition, drawScene, type Rgba } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { type ClipTriangle, isPixelInside, projectAt } from './project-triangle.ts';

const CELL_PX = 32;
const COLUMNS = 8;
const COLORS: readonly Rgba[] = [
  [1, 0, 0.25, 1],
  [0, 1, 0.5, 1],
  [0.5, 0.25, 1, 1],
];

/** Number of pixels of all cells inside and outside of a triangle. */
export interface CellCensus {
  readonly inside: number;
  readonly outside: number;
  /** Pixels so close to a border that both results are correct. */
  readonly open: number;
}

/** Returns the position rounded to single precision, as in the vertex buffer. */
function rounded(position: ClipPosition): ClipPosition {
  return position.map(Math.fround) as unknown as ClipPosition;
}

/**
 * Draws each triangle with interpolated colors into its cell and compares coverage and color with
 * {@link projectAt}.
 */
export async function expectTriangles(
  triangles: readonly ClipTriangle[],
  name: string,
  state: Partial<PipelineState> = {},
): Promise<CellCensus> {
  const widthPx = COLUMNS * CELL_PX;
  const heightPx = Math.ceil(triangles.length / COLUMNS) * CELL_PX;
  const cells = triangles.map((triangle, cell) => ({
    triangle: triangle.map(rounded) as unknown as ClipTriangle,
    viewport: {
      x: (cell % COLUMNS) * CELL_PX,
      y: Math.floor(cell / COLUMNS) * CELL_PX,
      width: CELL_PX,
      height: CELL_PX,
    } satisfies RectPx,
  }));
  const draws = cells.map(({ triangle, viewport }) => ({
    clipPositions: triangle,
    colors: COLORS,
    state: { ...state, viewport },
  }));
  const image = await drawScene({ widthPx, heightPx, draws });
  const census = { inside: 0, outside: 0, open: 0 };
  expectPixels(
    image,
    (x, y) => {
      const cell = cells[Math.floor(y / CELL_PX) * COLUMNS + Math.floor(x / CELL_PX)];
      if (cell === undefined) return [0, 0, 0, 0];
      const isInside = isPixelInside(cell.triangle, cell.viewport, x, y);
      if (isInside === null) {
        census.open++;
        return null;
      }
      census[isInside ? 'inside' : 'outside']++;
      if (!isInside) return [0, 0, 0, 0];
      const { weights } = projectAt(cell.triangle, cell.viewport, x + 0.5, y + 0.5);
      return COLORS[0]!.map((_, c) =>
        weights.reduce((sum, weight, corner) => sum + 255 * weight * COLORS[corner]![c]!, 0),
      ) as unknown as Rgba;
    },
    // Snapped corners change a steep color gradient by more than rounding does.
    3,
    name,
  );
  expect(census.open / (widthPx * heightPx), 'share of pixels on a border').toBeLessThan(0.02);
  return census;
}
