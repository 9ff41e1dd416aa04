/** Approximation of cubic curves by lines. */

/** Greatest distance between a curve and its lines, in pixels. */
const TOLERANCE_PX = 0.05;
const MAX_LINES = 500;

/**
 * Appends the lines of a cubic Bézier curve, without its start.
 *
 * @param curve X and y of its four control points, in pixels.
 */
export function flattenCurve(curve: readonly number[], into: number[]): void {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = curve as [
    ...[number, number, number, number],
    ...[number, number, number, number],
  ];
  // The second differences bound the distance of a curve from a chord (Wang's formula).
  const bend = Math.max(
    Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2),
    Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3),
  );
  const wanted = Math.ceil(Math.sqrt((0.75 * bend) / TOLERANCE_PX));
  const count = Math.min(Math.max(wanted, 1), MAX_LINES);
  for (let i = 1; i <= count; i++) {
    const t = i / count;
    const s = 1 - t;
    const [w0, w1, w2, w3] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    into.push(w0 * x0 + w1 * x1 + w2 * x2 + w3 * x3, w0 * y0 + w1 * y1 + w2 * y2 + w3 * y3);
  }
}
