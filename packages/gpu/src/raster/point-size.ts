/** Size of a point on the screen (GL ES 3.0, section 3.4). */

/** Largest point, in pixels. A larger size is clamped to it. */
const MAX_POINT_SIZE_PX = 1024;

/** Returns the size that a point is drawn with, in whole subpixels, for the size in pixels that the shader wrote. */
export function clampPointSize(sizePx: number): number {
  // Written so that NaN becomes 1.
  const size = sizePx > 1 ? Math.min(sizePx, MAX_POINT_SIZE_PX) : 1;
  return Math.floor(size * 256 + 0.5);
}
