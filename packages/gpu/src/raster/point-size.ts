/** Size of a point on the screen (GL ES 3.0, section 3.4). */

/** Largest point, in pixels. Larger sizes are clamped to it. */
const MAX_POINT_SIZE_PX = 1024;

/** Returns the drawn size of a point in whole subpixels, given the shader's size in pixels. */
export function clampPointSize(sizePx: number): number {
  // The comparison turns NaN into 1.
  const size = sizePx > 1 ? Math.min(sizePx, MAX_POINT_SIZE_PX) : 1;
  return Math.floor(size * 256 + 0.5);
}
