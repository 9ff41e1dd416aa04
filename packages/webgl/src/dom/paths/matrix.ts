/**
 * Affine transforms of the plane. A matrix [a, b, c, d, e, f] maps (x, y) to (a·x + c·y + e, b·x +
 * d·y + f), as in CSS and canvases.
 */

/** Affine transform. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Transform that changes nothing. */
export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the transform that applies `second` first, then `first`. */
export function multiply(first: Matrix, second: Matrix): Matrix {
  const [a, b, c, d, e, f] = first;
  const [g, h, i, j, k, l] = second;
  return [
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ];
}

/** Returns the inverse transform, or `null` if the plane is mapped to a line or a point. */
export function invert([a, b, c, d, e, f]: Matrix): Matrix | null {
  const determinant = a * d - b * c;
  if (determinant === 0 || !Number.isFinite(determinant)) return null;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}

/** Returns the image of a point. */
export function transformPoint([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns the greatest ratio of a transformed length to the length itself. */
export function scaleOf([a, b, c, d]: Matrix): number {
  const sum = a * a + b * b + c * c + d * d;
  const determinant = a * d - b * c;
  // Largest singular value.
  return Math.sqrt((sum + Math.sqrt(Math.max(sum * sum - 4 * determinant * determinant, 0))) / 2);
}
