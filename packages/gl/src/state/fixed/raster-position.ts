/**
 * Current raster position (OpenGL 2.1, section 2.13), at which bitmaps and pixel rectangles are
 * drawn.
 */

import { clampUnit } from '../clamp-values.ts';
import type { RasterState } from '../raster-state.ts';
import { transform, type Vector4 } from './lighting-state.ts';
import type { MatrixStacks } from './matrix-stacks.ts';

/** Position of bitmaps and pixel rectangles. */
export interface RasterPosition {
  /** Window coordinates from the lower left, with a depth of 0 to 1. */
  readonly window: readonly [x: number, y: number, depth: number];
  /** Whether the position is inside the view volume. If not, nothing is drawn. */
  readonly isValid: boolean;
  readonly color: Vector4;
}

/** Raster position of a new context. */
export const INITIAL_RASTER_POSITION: RasterPosition = {
  window: [0, 0, 0],
  isValid: true,
  color: [1, 1, 1, 1],
};

/** Projects a position in object coordinates to the window. */
export function projectRasterPosition(
  position: Vector4,
  color: Vector4,
  matrices: MatrixStacks,
  raster: RasterState,
): RasterPosition {
  const clip = transform(matrices.projection, transform(matrices.modelView, position));
  const [x, y, z, w] = clip;
  const clipped = raster.isDepthClipped ? [x, y, z] : [x, y];
  const isValid = w > 0 && clipped.every((component) => Math.abs(component) <= w);
  if (!isValid) return { window: [0, 0, 0], isValid, color };
  const { viewport, depthRange } = raster;
  const [near, far] = depthRange;
  return {
    window: [
      viewport.x + ((x / w + 1) / 2) * viewport.width,
      viewport.y + ((y / w + 1) / 2) * viewport.height,
      near + clampUnit((z / w + 1) / 2) * (far - near),
    ],
    isValid,
    color,
  };
}
