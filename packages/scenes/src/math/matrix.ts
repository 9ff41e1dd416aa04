/**
 * 4×4 matrices of doubles in column-major order as in GLSL and glTF: element (row r, column c) is
 * at `4c + r`. Cameras look along −z. Device coordinates are those of OpenGL (z from −1 to 1).
 */
import type { Quaternion, Vec3 } from './vector.ts';
import { crossVec3, dotVec3, normalizeVec3, subtractVec3 } from './vector.ts';

/** 16 numbers in column-major order. */
export type Matrix4 = readonly number[];

/** Identity matrix. */
export const IDENTITY: Matrix4 = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

/** Returns a × b, which applies `b` first. */
export function multiplyMatrices(a: Matrix4, b: Matrix4): Matrix4 {
  const product = new Array<number>(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      product[4 * column + row] =
        a[row] * b[4 * column] +
        a[4 + row] * b[4 * column + 1] +
        a[8 + row] * b[4 * column + 2] +
        a[12 + row] * b[4 * column + 3];
    }
  }
  return product;
}

/** Returns translation × rotation × scale. `rotation` must have length 1. */
export function composeMatrix(translation: Vec3, rotation: Quaternion, scale: Vec3): Matrix4 {
  const [x, y, z, w] = rotation;
  const [sx, sy, sz] = scale;
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    translation[0],
    translation[1],
    translation[2],
    1,
  ];
}

/** Returns a point transformed by an affine matrix. */
export function transformPoint(m: Matrix4, p: Vec3): Vec3 {
  return [
    m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12],
    m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13],
    m[2] * p[0] + m[6] * p[1] + m[10] * p[2] + m[14],
  ];
}

/** Returns the determinant of the upper left 3×3, which is negative if the matrix mirrors. */
export function determinant3(m: Matrix4): number {
  return (
    m[0] * (m[5] * m[10] - m[6] * m[9]) -
    m[4] * (m[1] * m[10] - m[2] * m[9]) +
    m[8] * (m[1] * m[6] - m[2] * m[5])
  );
}

/**
 * Returns the 3×3 matrix that transforms normals, in column-major order: the inverse transpose up
 * to a positive factor. It consists of cofactors, so a singular matrix causes no division by zero.
 * The largest element is ±1, so that extreme scales stay in the range of a float.
 */
export function normalMatrix3(m: Matrix4): readonly number[] {
  const sign = determinant3(m) < 0 ? -1 : 1;
  const a: Vec3 = [m[0], m[1], m[2]];
  const b: Vec3 = [m[4], m[5], m[6]];
  const c: Vec3 = [m[8], m[9], m[10]];
  const cofactors = [...crossVec3(b, c), ...crossVec3(c, a), ...crossVec3(a, b)];
  const largest = Math.max(...cofactors.map(Math.abs));
  return largest > 0 ? cofactors.map((value) => (value * sign) / largest) : cofactors;
}

/**
 * Returns the view matrix of a camera whose world matrix is `world`; its scale is ignored (glTF
 * 2.0, 3.10).
 */
export function viewFromCameraMatrix(world: Matrix4): Matrix4 {
  const back = normalizeVec3([world[8], world[9], world[10]]);
  const right = normalizeVec3(crossVec3([world[4], world[5], world[6]], back));
  const up = crossVec3(back, right);
  return viewFromAxes(right, up, back, [world[12], world[13], world[14]]);
}

/**
 * Returns the view matrix of a camera at `eye` that looks at `target`. `up` must not be parallel to
 * the line of sight.
 */
export function lookAt(eye: Vec3, target: Vec3, up: Vec3): Matrix4 {
  const back = normalizeVec3(subtractVec3(eye, target));
  const right = normalizeVec3(crossVec3(up, back));
  return viewFromAxes(right, crossVec3(back, right), back, eye);
}

function viewFromAxes(right: Vec3, up: Vec3, back: Vec3, eye: Vec3): Matrix4 {
  return [
    right[0],
    up[0],
    back[0],
    0,
    right[1],
    up[1],
    back[1],
    0,
    right[2],
    up[2],
    back[2],
    0,
    -dotVec3(right, eye),
    -dotVec3(up, eye),
    -dotVec3(back, eye),
    1,
  ];
}

/**
 * Returns a perspective projection.
 *
 * @param tanHalfFovY Tangent of half the vertical angle of view.
 * @param aspect Width ÷ height.
 * @param far Distance of the far plane; `null` for infinity.
 */
export function perspectiveMatrix(
  tanHalfFovY: number,
  aspect: number,
  near: number,
  far: number | null,
): Matrix4 {
  const zScale = far === null ? -1 : (far + near) / (near - far);
  const zOffset = far === null ? -2 * near : (2 * far * near) / (near - far);
  const y = 1 / tanHalfFovY;
  return [y / aspect, 0, 0, 0, 0, y, 0, 0, 0, 0, zScale, -1, 0, 0, zOffset, 0];
}

/** Returns an orthographic projection of ±`halfWidth` × ±`halfHeight`. */
export function orthographicMatrix(
  halfWidth: number,
  halfHeight: number,
  near: number,
  far: number,
): Matrix4 {
  const depth = near - far;
  return [
    1 / halfWidth,
    0,
    0,
    0,
    0,
    1 / halfHeight,
    0,
    0,
    0,
    0,
    2 / depth,
    0,
    0,
    0,
    (far + near) / depth,
    1,
  ];
}

/** Returns the inverse of a matrix. @throws {RangeError} If it has none. */
export function invertMatrix(m: Matrix4): Matrix4 {
  // Gauss-Jordan elimination with partial pivoting on rows of the matrix beside the identity.
  const rows = [0, 1, 2, 3].map((row) => [
    ...[0, 1, 2, 3].map((column) => m[4 * column + row]!),
    ...[0, 1, 2, 3].map((column) => (row === column ? 1 : 0)),
  ]);
  for (let column = 0; column < 4; column++) {
    const below = rows.slice(column).map((row) => Math.abs(row[column]!));
    const pivot = column + below.indexOf(Math.max(...below));
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const scale = rows[column]![column]!;
    if (!(Math.abs(scale) > 0)) throw new RangeError('the matrix has no inverse');
    rows[column] = rows[column]!.map((value) => value / scale);
    for (let row = 0; row < 4; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]!;
      rows[row] = rows[row]!.map((value, i) => value - factor * rows[column]![i]!);
    }
  }
  return [4, 5, 6, 7].flatMap((column) => rows.map((row) => row[column]!));
}
