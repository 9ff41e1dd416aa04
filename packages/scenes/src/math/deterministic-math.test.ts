import { describe, expect, it } from 'vitest';
import { acos, cos, MAX_ANGLE, PI, sin, tan } from './deterministic-math.ts';

describe('deterministic math', () => {
  it('agrees with the host’s sine, cosine and tangent to 1e-12', () => {
    for (let i = -4000; i <= 4000; i++) {
      const angle = i * 0.01;
      expect(Math.abs(sin(angle) - Math.sin(angle))).toBeLessThan(1e-12);
      expect(Math.abs(cos(angle) - Math.cos(angle))).toBeLessThan(1e-12);
      const host = Math.tan(angle);
      expect(Math.abs(tan(angle) - host)).toBeLessThan(1e-12 * (1 + host * host));
    }
  });

  it('agrees near the largest angle', () => {
    for (const angle of [MAX_ANGLE, -MAX_ANGLE, MAX_ANGLE - 0.7]) {
      expect(Math.abs(sin(angle) - Math.sin(angle))).toBeLessThan(1e-12);
    }
  });

  it('agrees with the host’s arc cosine to 1e-12', () => {
    for (let i = -1000; i <= 1000; i++) {
      expect(Math.abs(acos(i / 1000) - Math.acos(i / 1000))).toBeLessThan(1e-12);
    }
  });

  it('clamps arguments of the arc cosine to ±1', () => {
    expect(acos(1.0000001)).toBe(0);
    expect(acos(-1.0000001)).toBe(PI);
  });

  it('refuses angles that it cannot reduce', () => {
    expect(() => sin(MAX_ANGLE * 1.01)).toThrow(RangeError);
    expect(() => cos(Number.NaN)).toThrow(RangeError);
  });
});
