import { describe, expect, it } from 'vitest';
import {
  composeMatrix,
  determinant3,
  IDENTITY,
  lookAt,
  type Matrix4,
  multiplyMatrices,
  normalMatrix3,
  orthographicMatrix,
  perspectiveMatrix,
  transformPoint,
  viewFromCameraMatrix,
} from './matrix.ts';
import { slerp, type Vec3 } from './vector.ts';

const S = Math.SQRT1_2;
const TURN_Y_90 = [0, S, 0, S] as const;

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  actual.forEach((value, i) => {
    expect(value).toBeCloseTo(expected[i], 12);
  });
}

/** Returns the device coordinates of a point. */
function project(matrix: Matrix4, [x, y, z]: Vec3): number[] {
  const clip = [0, 1, 2, 3].map(
    (row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row],
  );
  return clip.slice(0, 3).map((value) => value / clip[3]);
}

describe('composeMatrix', () => {
  it('scales, then turns, then moves', () => {
    const matrix = composeMatrix([10, 20, 30], TURN_Y_90, [2, 3, 4]);
    // (1, 1, 1) is scaled to (2, 3, 4), and a quarter turn about y maps x to −z and z to x.
    expectClose(transformPoint(matrix, [1, 1, 1]), [14, 23, 28]);
  });

  it('has the product of the scales as determinant', () => {
    expect(determinant3(composeMatrix([1, 2, 3], TURN_Y_90, [2, -3, 4]))).toBeCloseTo(-24, 12);
  });
});

describe('multiplyMatrices', () => {
  it('applies the right factor first', () => {
    const move = composeMatrix([1, 0, 0], [0, 0, 0, 1], [1, 1, 1]);
    const turn = composeMatrix([0, 0, 0], TURN_Y_90, [1, 1, 1]);
    expectClose(transformPoint(multiplyMatrices(turn, move), [0, 0, 0]), [0, 0, -1]);
    expectClose(transformPoint(multiplyMatrices(move, turn), [0, 0, 0]), [1, 0, 0]);
  });

  it('leaves a matrix as it is under the identity', () => {
    const matrix = composeMatrix([1, 2, 3], TURN_Y_90, [4, 5, 6]);
    expect(multiplyMatrices(IDENTITY, matrix)).toEqual(matrix);
  });
});

describe('normalMatrix3', () => {
  it.each([
    { scale: [2, 1, 1] as const },
    { scale: [-1, 2, 3] as const },
    { scale: [1, -2, -3] as const },
  ])('keeps normals perpendicular and outward under scale $scale', ({ scale }) => {
    const matrix = composeMatrix([0, 0, 0], TURN_Y_90, scale);
    const m = normalMatrix3(matrix);
    // the matrix applied to the normal (1, 1, 1)
    const normal = [0, 1, 2].map((row) => m[row] + m[3 + row] + m[6 + row]);
    const tangent = transformPoint(matrix, [1, -1, 0]);
    const outward = transformPoint(matrix, [1, 1, 1]);
    const dot = (a: readonly number[], b: readonly number[]): number =>
      a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    expect(dot(normal, tangent)).toBeCloseTo(0, 12);
    expect(dot(normal, outward)).toBeGreaterThan(0);
  });
});

describe('normalMatrix3 at the ends of the range', () => {
  it.each([1e-30, 1e30])('stays within the range of a float at scale %d', (scale) => {
    const matrix = composeMatrix([0, 0, 0], [0, 0, 0, 1], [scale, scale, scale]);
    expect(normalMatrix3(matrix)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});

describe('cameras', () => {
  it('sees the target of lookAt straight ahead', () => {
    const view = lookAt([3, 4, 5], [1, 2, 2], [0, 1, 0]);
    expectClose(transformPoint(view, [1, 2, 2]), [0, 0, -Math.sqrt(17)]);
    expectClose(transformPoint(view, [3, 4, 5]), [0, 0, 0]);
  });

  it('inverts a camera’s world matrix and ignores its scale', () => {
    const world = composeMatrix([1, 2, 3], TURN_Y_90, [2, 2, 2]);
    const view = viewFromCameraMatrix(world);
    expectClose(transformPoint(view, [1, 2, 3]), [0, 0, 0]);
    expectClose(transformPoint(view, [0, 2, 3]), [0, 0, -1]); // the camera looks along −x
  });

  it('puts near and far plane at −1 and 1', () => {
    const perspective = perspectiveMatrix(0.5, 2, 1, 10);
    expectClose(project(perspective, [1, 0.5, -1]), [1, 1, -1]);
    expectClose(project(perspective, [-10, -5, -10]), [-1, -1, 1]);
    const orthographic = orthographicMatrix(4, 3, 1, 10);
    expectClose(project(orthographic, [4, -3, -1]), [1, -1, -1]);
    expectClose(project(orthographic, [-4, 3, -10]), [-1, 1, 1]);
  });

  it('puts the far plane at infinity when there is none', () => {
    const depth = project(perspectiveMatrix(0.5, 1, 1, null), [0, 0, -1e9])[2];
    expect(depth).toBeLessThanOrEqual(1);
    expect(depth).toBeGreaterThan(0.999999);
  });
});

describe('slerp', () => {
  it('halves an angle', () => {
    expectClose(
      [...slerp([0, 0, 0, 1], TURN_Y_90, 0.5)],
      [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)],
    );
  });

  it('takes the shorter arc', () => {
    const far = [0, -S, 0, -S] as const; // the same rotation as TURN_Y_90
    expectClose([...slerp([0, 0, 0, 1], far, 0.5)], [...slerp([0, 0, 0, 1], TURN_Y_90, 0.5)]);
  });

  it('returns a rotation between equal ones', () => {
    expectClose([...slerp(TURN_Y_90, TURN_Y_90, 0.3)], [...TURN_Y_90]);
  });
});
