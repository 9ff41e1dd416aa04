import { describe, expect, it } from 'vitest';
import { transformBall } from './ball.ts';
import { composeMatrix, type Matrix4 } from './matrix.ts';

const BALL = { center: [1, 0, 0], radius: 2 } as const;

describe('transformBall', () => {
  it('scales the radius by the longest axis', () => {
    const half = Math.SQRT1_2;
    const matrix = composeMatrix([5, 0, 0], [0, half, 0, half], [1, 2, 3]);
    const { center, radius } = transformBall(matrix, BALL)!;
    expect(radius).toBeCloseTo(6);
    // A quarter turn around +y leads +x to −z.
    expect(center[0]).toBeCloseTo(5);
    expect(center[2]).toBeCloseTo(-1);
  });

  it('knows no ball of a sheared one', () => {
    const sheared = [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] as unknown as Matrix4;
    expect(transformBall(sheared, BALL)).toBeNull();
  });
});
