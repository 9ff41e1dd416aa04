import { describe, expect, it } from 'vitest';
import { type AnimationPath, sampleChannel } from './animate.ts';

function sample(
  interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE',
  target: AnimationPath,
  times: number[],
  values: number[],
  at: number,
): number[] {
  return sampleChannel(
    { interpolation, isRotation: target === 'rotation' },
    Float32Array.from(times),
    Float32Array.from(values),
    at,
  );
}

describe('sampleChannel', () => {
  it.each([
    { at: -1, value: 10 },
    { at: 1, value: 10 },
    { at: 1.5, value: 15 },
    { at: 2, value: 20 },
    { at: 3.5, value: 30 },
    { at: 4, value: 40 },
    { at: 99, value: 40 },
  ])('interpolates linearly at $at', ({ at, value }) => {
    expect(sample('LINEAR', 'weights', [1, 2, 4, 5], [10, 20, 20, 40], 1)[0]).toBe(10);
    expect(sample('LINEAR', 'weights', [1, 2, 3, 4], [10, 20, 20, 40], at)[0]).toBeCloseTo(
      value,
      5,
    );
  });

  it('holds the key before the time when it steps', () => {
    const at = (time: number): number => sample('STEP', 'weights', [0, 1, 2], [5, 6, 7], time)[0];
    expect([at(0), at(0.999), at(1), at(1.5), at(2), at(3)]).toEqual([5, 5, 6, 6, 7, 7]);
  });

  it('interpolates vectors and many weights', () => {
    expect(sample('LINEAR', 'translation', [0, 1], [0, 0, 0, 2, 4, 6], 0.5)).toEqual([1, 2, 3]);
    expect(sample('LINEAR', 'weights', [0, 1], [0, 1, 1, 0], 0.25)).toEqual([0.25, 0.75]);
  });

  it('turns evenly', () => {
    const half = Math.SQRT1_2;
    const [x, y, z, w] = sample(
      'LINEAR',
      'rotation',
      [0, 1],
      [0, 0, 0, 1, 0, half, 0, half],
      1 / 3,
    );
    expect(y).toBeCloseTo(Math.sin(Math.PI / 12), 6);
    expect(w).toBeCloseTo(Math.cos(Math.PI / 12), 6);
    expect([x, z]).toEqual([0, 0]);
  });

  it('follows the tangents of a cubic spline, scaled by the time between keys', () => {
    // Keys at 0 and 2, values 0 and 0, out-tangent 1, in-tangent −1: the curve is t − t²/2.
    const values = [0, 0, 1, -1, 0, 0];
    for (const time of [0, 0.5, 1, 1.5, 2]) {
      const value = sample('CUBICSPLINE', 'weights', [0, 2], values, time)[0];
      expect(value).toBeCloseTo(time - (time * time) / 2, 6);
    }
  });

  it('returns rotations of length 1 on a cubic spline', () => {
    const still = [0, 0, 0, 0];
    const values = [...still, 0, 0, 0, 1, ...still, ...still, 1, 0, 0, 0, ...still];
    const turned = sample('CUBICSPLINE', 'rotation', [0, 1], values, 0.5);
    expect(turned.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 12);
  });
});
