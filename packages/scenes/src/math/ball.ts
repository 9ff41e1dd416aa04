/** Balls that contain shapes. */
import { type Matrix4, transformPoint } from './matrix.ts';
import type { Vec3 } from './vector.ts';

/** Ball by its center and radius. */
export interface Ball {
  readonly center: Vec3;
  readonly radius: number;
}

/** Columns whose cosine is at most this are perpendicular. */
const PERPENDICULAR = 1e-6;

/** Returns a ball around the image of a ball; `null` if the matrix shears. */
export function transformBall(m: Matrix4, { center, radius }: Ball): Ball | null {
  const columns = [0, 4, 8].map((at) => [m[at], m[at + 1], m[at + 2]] as const);
  const lengths = columns.map((column) => Math.hypot(...column));
  const isSheared = [0, 1, 2].some((i) => {
    const [a, b] = [columns[i], columns[(i + 1) % 3]];
    const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    return Math.abs(cosine) > PERPENDICULAR * lengths[i] * lengths[(i + 1) % 3];
  });
  if (isSheared) return null;
  return { center: transformPoint(m, center), radius: radius * Math.max(...lengths) };
}
