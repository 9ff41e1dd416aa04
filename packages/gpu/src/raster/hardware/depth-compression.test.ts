import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCompressible } from './depth-compression.ts';

const DEPTH_MAX = 0xffffff;
const SAME = new Int32Array(16).fill(7);

/** Decodes a block: first depth, first differences, then differences of differences. */
function decode(first: number, dx: number, dy: number, second: readonly number[]): Int32Array {
  const depths = new Int32Array(16);
  let next = 0;
  let start = first;
  let down = dy;
  let right = dx;
  for (let row = 0; row < 4; row++) {
    if (row > 0) {
      start += down;
      if (row < 3) down += second[next++]!;
      right += second[next++]!;
    }
    let step = right;
    depths[4 * row] = start;
    depths[4 * row + 1] = start + step;
    for (let column = 2; column < 4; column++) {
      step += second[next++]!;
      depths[4 * row + column] = depths[4 * row + column - 1]! + step;
    }
  }
  expect(next).toBe(13);
  return depths;
}

const anyCode = fc.tuple(
  fc.integer({ min: 0, max: DEPTH_MAX }),
  fc.integer({ min: -5000, max: 5000 }),
  fc.integer({ min: -5000, max: 5000 }),
  fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 13, maxLength: 13 }),
);

describe('isCompressible', () => {
  it('accepts the depths of each code and no others', () => {
    fc.assert(
      fc.property(anyCode, fc.nat(12), fc.constantFrom(-2, 2, 9), (code, at, wrong) => {
        const [first, dx, dy, second] = code;
        expect(isCompressible(decode(first, dx, dy, second), SAME)).toBe(true);
        const bad = second.with(at, wrong);
        expect(isCompressible(decode(first, dx, dy, bad), SAME)).toBe(false);
      }),
    );
  });

  it.each([Math.round, Math.floor])('accepts the rounded depths of a plane: %o', (round) => {
    const slope = fc.double({ min: -1e5, max: 1e5, noNaN: true });
    const start = fc.double({ min: 4e5, max: 1.6e7, noNaN: true });
    fc.assert(
      fc.property(start, slope, slope, (c, dx, dy) => {
        const depths = Int32Array.from({ length: 16 }, (_, i) =>
          round(c + dx * (i & 3) + dy * (i >> 2)),
        );
        expect(isCompressible(depths, SAME)).toBe(true);
      }),
    );
  });

  it('rejects several planes and several stencils', () => {
    const flat = new Int32Array(16).fill(1000);
    for (let i = 0; i < 16; i++) {
      expect(isCompressible(flat.with(i, 1003), SAME)).toBe(false);
      expect(isCompressible(flat, SAME.with(i, 8))).toBe(false);
    }
    expect(isCompressible(flat, SAME)).toBe(true);
  });
});
