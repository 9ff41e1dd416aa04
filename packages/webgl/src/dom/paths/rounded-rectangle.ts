/** Rounded rectangles of canvases (HTML, `roundRect`). */
import type { Path } from './path.ts';

/** Radius of a corner, or its radii in x and y. */
type Radius = number | { readonly x?: number; readonly y?: number };
/** Radius of all corners, or one to four radii, from the top left corner clockwise. */
export type Radii = Radius | readonly Radius[];

const QUARTER = Math.PI / 2;

/** @throws {RangeError} If there are no or more than four radii, or one is negative. */
export function addRoundedRectangle(
  path: Path,
  x: number,
  y: number,
  width: number,
  height: number,
  radii: Radii = 0,
): void {
  const list: readonly Radius[] = Array.isArray(radii) ? radii : [radii as Radius];
  if (list.length < 1 || list.length > 4) {
    throw new RangeError(`roundRect: ${list.length} radii are not one to four`);
  }
  const given = list.map((radius) =>
    typeof radius === 'number' ? [radius, radius] : [radius.x ?? 0, radius.y ?? 0],
  ) as [number, number][];
  if (given.flat().some((radius) => radius < 0)) {
    throw new RangeError('roundRect: a radius is negative');
  }
  const [first, second = first!, third = first!, fourth = second] = given;
  const corners = [first!, second, third, fourth];
  const [wide, high] = [Math.abs(width), Math.abs(height)];
  const fit = (edge: number, a: number, b: number) => (a + b > edge ? edge / (a + b) : 1);
  const factor = Math.min(
    fit(wide, corners[0]![0], corners[1]![0]),
    fit(high, corners[1]![1], corners[2]![1]),
    fit(wide, corners[2]![0], corners[3]![0]),
    fit(high, corners[3]![1], corners[0]![1]),
  );
  const [signX, signY] = [Math.sign(width) || 1, Math.sign(height) || 1];
  const centers = [
    [0, 0],
    [wide, 0],
    [wide, high],
    [0, high],
  ] as const;
  const isMirrored = signX !== signY;
  corners.forEach(([ownX, ownY], corner) => {
    const [radiusX, radiusY] = [ownX * factor, ownY * factor];
    const [cornerX, cornerY] = centers[corner]!;
    const centerX = x + signX * (cornerX === 0 ? radiusX : wide - radiusX);
    const centerY = y + signY * (cornerY === 0 ? radiusY : high - radiusY);
    // Angles of the corner's arc, mirrored with the rectangle.
    const angles = [2 + corner, 3 + corner].map((quarter) => {
      const angle = quarter * QUARTER;
      return Math.atan2(signY * Math.sin(angle), signX * Math.cos(angle));
    });
    if (corner === 0) {
      path.moveTo(
        centerX + radiusX * Math.cos(angles[0]!),
        centerY + radiusY * Math.sin(angles[0]!),
      );
    }
    path.ellipse(centerX, centerY, radiusX, radiusY, 0, angles[0]!, angles[1]!, isMirrored);
  });
  path.closePath();
  path.moveTo(x, y);
}
