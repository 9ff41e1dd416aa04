import { describe, expect, it } from 'vitest';
import { type Matrix4, orthographicMatrix, perspectiveMatrix } from '../../../math/matrix.ts';
import { depthUniforms, lensUniforms } from './view-position.ts';

describe('the uniforms of positions in the space of the camera', () => {
  it.each<[string, Matrix4]>([
    ['perspective', perspectiveMatrix(0.4, 1.5, 0.5, 20)],
    ['perspective without a far plane', perspectiveMatrix(0.4, 1.5, 0.5, null)],
    ['orthographic', orthographicMatrix(3, 2, 0.5, 20)],
  ])('invert a projection that is %s', (_kind, projection) => {
    const [x, y, z] = [0.3, -0.7, -4.5];
    const clip = [0, 1, 2, 3].map(
      (row) =>
        projection[row]! * x +
        projection[4 + row]! * y +
        projection[8 + row]! * z +
        projection[12 + row]!,
    );
    const [atX, atY, atZ] = clip.map((value) => value / clip[3]!);
    const depth = (atZ! + 1) / 2;

    const [a, b, c, d] = depthUniforms(projection).u_depthToZ as Float32Array;
    const [halfX, halfY, factor, constant] = lensUniforms(projection, 1, 1).u_lens as Float32Array;
    const z2 = (a! * depth + b!) / (c! * depth + d!);
    const w = factor! * z2 + constant!;
    expect(z2).toBeCloseTo(z, 4);
    expect(atX! * halfX! * w).toBeCloseTo(x, 4);
    expect(atY! * halfY! * w).toBeCloseTo(y, 4);
  });
});
