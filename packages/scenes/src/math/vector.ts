/** Vectors of three doubles and quaternions, with deterministic arithmetic. */
import { acos, sin } from './deterministic-math.ts';

/** Vector of three doubles. */
export type Vec3 = readonly [x: number, y: number, z: number];
/** Rotation; x, y, z are the vector part, as in glTF. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Returns a + b. */
export function addVec3(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** Returns a − b. */
export function subtractVec3(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** Returns a × factor. */
export function scaleVec3(a: Vec3, factor: number): Vec3 {
  return [a[0] * factor, a[1] * factor, a[2] * factor];
}

/** Returns the dot product a · b. */
export function dotVec3(a: Vec3, b: Vec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Returns the cross product a × b. */
export function crossVec3(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Returns the vector scaled to length 1; the zero vector stays zero. */
export function normalizeVec3(a: Vec3): Vec3 {
  const length = Math.sqrt(dotVec3(a, a));
  return length > 0 ? scaleVec3(a, 1 / length) : a;
}

/** Returns the quaternion scaled to length 1; the zero quaternion becomes the identity. */
export function normalizeQuaternion(q: Quaternion): Quaternion {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 0)) return [0, 0, 0, 1];
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length];
}

/**
 * Cosine above which two rotations count as parallel, because the division by the sine would be 0 /
 * 0.
 */
const PARALLEL = 1 - 1e-9;

/**
 * Spherical interpolation along the shorter arc (glTF 2.0, appendix C.4).
 *
 * @param t 0 gives `a`, 1 gives `b` or its negative.
 */
export function slerp(a: Quaternion, b: Quaternion, t: number): Quaternion {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1;
  const cosine = dot * sign;
  let weightA = 1 - t;
  let weightB = t;
  if (cosine < PARALLEL) {
    const angle = acos(cosine);
    weightA = sin(angle * (1 - t)) / sin(angle);
    weightB = sin(angle * t) / sin(angle);
  }
  weightB *= sign;
  return normalizeQuaternion([
    a[0] * weightA + b[0] * weightB,
    a[1] * weightA + b[1] * weightB,
    a[2] * weightA + b[2] * weightB,
    a[3] * weightA + b[3] * weightB,
  ]);
}
