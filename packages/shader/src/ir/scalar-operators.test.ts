import { describe, expect, it } from 'vitest';
import { bitsOfFloat, floatOfBits, SCALAR_OPERATORS as S } from './scalar-operators.ts';

/** Distance between adjacent single-precision values at `value`. */
function ulp(value: number): number {
  const magnitude = Math.max(Math.abs(value), 2 ** -126);
  return 2 ** (Math.floor(Math.log2(magnitude)) - 23);
}

/** Largest value of `error` over `count` arguments from `start` to `end`. */
function worst(start: number, end: number, count: number, error: (x: number) => number): number {
  let largest = 0;
  for (let index = 0; index <= count; index++) {
    largest = Math.max(largest, error(Math.fround(start + ((end - start) * index) / count)));
  }
  return largest;
}

describe('fexp2', () => {
  it('is within 2 ulp of 2^x over the normal range', () => {
    expect(
      worst(-126, 127.99, 200_000, (x) => Math.abs(S.fexp2(x) - 2 ** x) / ulp(2 ** x)),
    ).toBeLessThan(2);
  });

  it.each([
    [0, 1],
    [-0, 1],
    [10, 1024],
    [-126, 2 ** -126],
    [-126.00001, 0],
    [-Infinity, 0],
    [128, Infinity],
    [Infinity, Infinity],
    [Number.NaN, Number.NaN],
  ])('of %d is %d', (x, expected) => {
    expect(S.fexp2(Math.fround(x))).toBe(expected);
  });
});

describe('flog2', () => {
  it('is within 4 ulp of log2 x over all positive floats', () => {
    let largest = 0;
    for (let bits = 1; bits < 0x7f800000; bits += 9973) {
      const x = floatOfBits(bits);
      const exact = Math.log2(x);
      if (exact !== 0) largest = Math.max(largest, Math.abs(S.flog2(x) - exact) / ulp(exact));
    }
    expect(largest).toBeLessThan(4);
  });

  it('is within 4 ulp when the result is near 0', () => {
    const error = (x: number) =>
      x === 1 ? 0 : Math.abs(S.flog2(x) - Math.log2(x)) / ulp(Math.log2(x));
    expect(worst(0.7, 1.5, 200_000, error)).toBeLessThan(4);
  });

  it.each([
    [1, 0],
    [8, 3],
    [2 ** -149, -149],
    [0, -Infinity],
    [-0, -Infinity],
    [-1, Number.NaN],
    [-Infinity, Number.NaN],
    [Infinity, Infinity],
    [Number.NaN, Number.NaN],
  ])('of %d is %d', (x, expected) => {
    expect(S.flog2(x)).toBe(expected);
  });
});

describe('fsin and fcos', () => {
  it.each([8, 1000, 20000])('are within 2^-20 for |x| up to %d', (range) => {
    expect(worst(-range, range, 200_000, (x) => Math.abs(S.fsin(x) - Math.sin(x)))).toBeLessThan(
      2 ** -20,
    );
    expect(worst(-range, range, 200_000, (x) => Math.abs(S.fcos(x) - Math.cos(x)))).toBeLessThan(
      2 ** -20,
    );
  });

  it('stay within ±1 for any finite argument', () => {
    for (let bits = 0; bits < 0x7f800000; bits += 99991) {
      expect(Math.abs(S.fsin(floatOfBits(bits)))).toBeLessThanOrEqual(1);
      expect(Math.abs(S.fcos(floatOfBits(bits)))).toBeLessThanOrEqual(1);
    }
  });

  it('give NaN for infinity', () => {
    expect(S.fsin(Infinity)).toBeNaN();
    expect(S.fcos(-Infinity)).toBeNaN();
  });
});

describe('edges of the arithmetic', () => {
  it.each([
    ['fnearest ties to even', S.fnearest(2.5), 2],
    ['fnearest ties to even, odd below', S.fnearest(3.5), 4],
    ['fnearest keeps −0', S.fnearest(-0.25), -0],
    ['fmin gives a for NaN in b', S.fmin(1, Number.NaN), 1],
    ['fmin gives a for NaN in a', S.fmin(Number.NaN, 1), Number.NaN],
    ['fmax does not order zeros', S.fmax(-0, 0), -0],
    [
      'fmad rounds twice',
      S.fmad(Math.fround(1 + 2 ** -23), Math.fround(1 + 2 ** -23), -1),
      2 ** -22,
    ],
    ['idiv by 0', S.idiv(7, 0), -1],
    ['idiv wraps', S.idiv(-0x80000000, -1), -0x80000000],
    ['irem by 0', S.irem(7, 0), 7],
    ['irem has the sign of the dividend', S.irem(-7, 2), -1],
    ['udiv is unsigned', S.udiv(-1, 2), 0x7fffffff],
    ['urem by 0', S.urem(-1, 0), -1],
    ['ishl takes the amount modulo 32', S.ishl(1, 33), 2],
    ['f2i saturates', S.f2i(3e9), 0x7fffffff],
    ['f2i of NaN', S.f2i(Number.NaN), 0],
    ['f2u saturates at 0', S.f2u(-1), 0],
    ['f2u saturates above', S.f2u(5e9), -1],
    ['f32AsI32 of NaN', S.f32AsI32(Number.NaN), 0x7fc00000],
    ['u2f is unsigned', S.u2f(-1), 2 ** 32],
  ])('%s', (_name, found, expected) => {
    expect(found).toBe(expected);
  });

  it('round-trips the bits of floats', () => {
    for (const bits of [0, -0x80000000, 1, 0x3f800000, 0x7f800000]) {
      expect(bitsOfFloat(floatOfBits(bits))).toBe(bits);
    }
  });
});
