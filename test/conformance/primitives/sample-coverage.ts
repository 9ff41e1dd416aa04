/**
 * Samples that a triangle covers, by definition. The sample of a pixel is its center, moved to the
 * right by an infinitely small ε and down by ε². A moved sample is never on an edge, so there is no
 * tie to break: this is the top-left rule.
 */

/** x, y in pixels, multiples of 1/256. */
export type PointPx = readonly [x: number, y: number];

/** Returns whether the triangle, of either winding, covers the sample of pixel (x, y). */
export function coversSample(a: PointPx, b: PointPx, c: PointPx, x: number, y: number): boolean {
  const sides = [sideOf(a, b, x, y), sideOf(b, c, x, y), sideOf(c, a, x, y)];
  return sides.every((side) => side > 0) || sides.every((side) => side < 0);
}

/**
 * Returns the side of the line a→b on which the moved sample is: ±1, or 0 if the line has no
 * length.
 */
function sideOf([ax, ay]: PointPx, [bx, by]: PointPx, x: number, y: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const atCenter = dx * (y + 0.5 - ay) - dy * (x + 0.5 - ax);
  return Math.sign(atCenter) || Math.sign(-dy) || Math.sign(dx);
}
