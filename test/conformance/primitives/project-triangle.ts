/**
 * Evaluates a triangle in clip coordinates pixel by pixel in double precision without clipping.
 * Point p of the image is b₀v₀ + b₁v₁ + b₂v₂ up to scale, with b solved from the x, y and w of the
 * corners. The triangle covers p if all b are positive, which also holds for corners behind the
 * eye. A quantity interpolates to Σ bᵢqᵢ / Σ bᵢ.
 */
import type { RectPx } from '@tessera/frame';
import type { ClipPosition } from '../scene/draw-scene.ts';

/** The triangle at one point of its viewport. */
export interface ProjectedPoint {
  readonly isInside: boolean;
  /** Depth in device coordinates, −1 to 1 inside the view volume. */
  readonly depth: number;
  /** 1 / clip w. */
  readonly reciprocalW: number;
  /** Weights of the corners after perspective division; they sum up to 1. */
  readonly weights: readonly [number, number, number];
}

/** Corners of a triangle in clip coordinates. */
export type ClipTriangle = readonly [ClipPosition, ClipPosition, ClipPosition];

/**
 * Returns twice the signed area, positive for a counter-clockwise triangle as seen by the viewer.
 */
export function orientation([a, b, c]: ClipTriangle): number {
  return (
    a[0] * (b[1] * c[3] - c[1] * b[3]) -
    b[0] * (a[1] * c[3] - c[1] * a[3]) +
    c[0] * (a[1] * b[3] - b[1] * a[3])
  );
}

/** Evaluates the triangle at (x, y), in pixels with y down. The viewport has `heightPx` rows. */
export function projectAt(
  triangle: ClipTriangle,
  viewport: RectPx,
  x: number,
  y: number,
): ProjectedPoint {
  const point: ClipPosition = [
    ((x - viewport.x) / viewport.width) * 2 - 1,
    1 - ((y - viewport.y) / viewport.height) * 2,
    0,
    1,
  ];
  const [a, b, c] = triangle;
  const whole = orientation(triangle);
  const b0 = orientation([point, b, c]) / whole;
  const b1 = orientation([a, point, c]) / whole;
  const b2 = orientation([a, b, point]) / whole;
  const reciprocalW = b0 + b1 + b2;
  const depth = b0 * a[2] + b1 * b[2] + b2 * c[2];
  return {
    isInside: b0 > 0 && b1 > 0 && b2 > 0 && depth >= -1 && depth <= 1,
    depth,
    reciprocalW,
    weights: [b0 / reciprocalW, b1 / reciprocalW, b2 / reciprocalW],
  };
}

/**
 * Points around a pixel's center at the distance by which snapping to the subpixel grid may move an
 * edge.
 */
const AROUND: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
];

/**
 * Returns whether pixel (x, y) belongs to the triangle. Returns `null` within `tolerancePx` of a
 * border, where snapping the corners to 1/256 pixel may decide either way.
 */
export function isPixelInside(
  triangle: ClipTriangle,
  viewport: RectPx,
  x: number,
  y: number,
  tolerancePx = 1 / 128,
): boolean | null {
  const isInside = projectAt(triangle, viewport, x + 0.5, y + 0.5).isInside;
  for (const [dx, dy] of AROUND) {
    const at = [x + 0.5 + dx * tolerancePx, y + 0.5 + dy * tolerancePx] as const;
    if (projectAt(triangle, viewport, ...at).isInside !== isInside) return null;
  }
  return isInside;
}
