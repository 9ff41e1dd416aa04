/**
 * Compares built-in functions of numbers with double precision, over ranges and at special values.
 */
import { describe, expect, it } from 'vitest';
import { runVertex } from '../../testing/run-vertex.ts';

const { fround } = Math;

/** Returns the values of a GLSL function of x for each of `args`, four per run. */
function evaluate(call: string, args: readonly number[]): number[] {
  const results: number[] = [];
  for (let k = 0; k < args.length; k += 4) {
    const lanes = [0, 1, 2, 3].map((lane) => [args[k + lane] ?? 1]);
    const source = `#version 300 es
      in float x; out float o; void main() { gl_Position = vec4(0.0); o = ${call}; }`;
    const { outputs } = runVertex(source, { attributes: { x: lanes } });
    results.push(...outputs.o!.map(([value]) => value!));
  }
  return results.slice(0, args.length);
}

/** Distance between adjacent single-precision values at `x`. */
function ulpAt(x: number): number {
  const exponent = Math.floor(Math.log2(Math.max(Math.abs(x), 2 ** -126)));
  return 2 ** (exponent - 23);
}

function samples(from: number, to: number, count = 64): number[] {
  return Array.from({ length: count }, (_, k) => fround(from + ((to - from) * k) / (count - 1)));
}

interface Bound {
  readonly call: string;
  readonly reference: (x: number) => number;
  readonly args: readonly number[];
  /** Allowed error: either bound suffices. */
  readonly ulp?: number;
  readonly absolute?: number;
}

const logarithmic = (from: number, to: number): number[] =>
  samples(Math.log2(from), Math.log2(to)).map((e) => fround(2 ** e));

const BOUNDS: readonly Bound[] = [
  { call: 'sin(x)', reference: Math.sin, args: samples(-20, 20), absolute: 2 ** -21 },
  { call: 'cos(x)', reference: Math.cos, args: samples(-20, 20), absolute: 2 ** -21 },
  { call: 'tan(x)', reference: Math.tan, args: samples(-1.5, 1.5), ulp: 6 },
  { call: 'asin(x)', reference: Math.asin, args: samples(-1, 1), ulp: 3 },
  { call: 'acos(x)', reference: Math.acos, args: samples(-1, 1), ulp: 3, absolute: 2 ** -22 },
  { call: 'atan(x)', reference: Math.atan, args: samples(-8, 8), ulp: 4 },
  { call: 'atan(x)', reference: Math.atan, args: logarithmic(1e-30, 1e30), ulp: 4 },
  { call: 'atan(x, 3.0)', reference: (x) => Math.atan2(x, 3), args: samples(-9, 9), ulp: 4 },
  { call: 'atan(3.0, x)', reference: (x) => Math.atan2(3, x), args: samples(-9, 9), ulp: 4 },
  { call: 'atan(-3.0, x)', reference: (x) => Math.atan2(-3, x), args: samples(-9, 9), ulp: 4 },
  { call: 'exp(x)', reference: Math.exp, args: samples(-2, 2), ulp: 4 },
  { call: 'exp(x)', reference: Math.exp, args: samples(-80, 80), ulp: 64 },
  { call: 'exp2(x)', reference: (x) => 2 ** x, args: samples(-120, 120), ulp: 2 },
  { call: 'log(x)', reference: Math.log, args: logarithmic(1e-30, 1e30), ulp: 5 },
  { call: 'log2(x)', reference: Math.log2, args: logarithmic(1e-30, 1e30), ulp: 4 },
  { call: 'pow(x, 2.2)', reference: (x) => x ** fround(2.2), args: samples(0.01, 4), ulp: 32 },
  { call: 'sqrt(x)', reference: Math.sqrt, args: samples(0, 100), ulp: 0.5 },
  { call: 'inversesqrt(x)', reference: (x) => 1 / Math.sqrt(x), args: samples(0.1, 90), ulp: 1.5 },
  { call: 'sinh(x)', reference: Math.sinh, args: samples(-2, 2), ulp: 8 },
  { call: 'sinh(x)', reference: Math.sinh, args: samples(-80, 80), ulp: 100 },
  { call: 'cosh(x)', reference: Math.cosh, args: samples(-2, 2), ulp: 6 },
  { call: 'cosh(x)', reference: Math.cosh, args: samples(-80, 80), ulp: 100 },
  { call: 'tanh(x)', reference: Math.tanh, args: samples(-4, 4), ulp: 5 },
  { call: 'asinh(x)', reference: Math.asinh, args: samples(-10, 10), ulp: 8 },
  { call: 'asinh(x)', reference: Math.asinh, args: logarithmic(1e-20, 1e30), ulp: 8 },
  { call: 'acosh(x)', reference: Math.acosh, args: samples(1, 9), ulp: 8 },
  { call: 'atanh(x)', reference: Math.atanh, args: samples(-0.98, 0.98), ulp: 8 },
];

/** Special arguments with exact results, including NaN. */
const INFINITE = Number.POSITIVE_INFINITY;
const EXACT: readonly (readonly [string, number, number])[] = [
  ['exp2(x)', -1000, 0],
  ['exp2(x)', 1000, INFINITE],
  ['exp(x)', -INFINITE, 0],
  ['exp(x)', 0, 1],
  ['log(x)', 0, -INFINITE],
  ['log(x)', INFINITE, INFINITE],
  ['log(x)', -1, Number.NaN],
  ['pow(x, 3.0)', 0, 0],
  ['pow(x, 0.5)', -1, Number.NaN],
  ['sqrt(x)', -1, Number.NaN],
  ['inversesqrt(x)', 0, INFINITE],
  ['asin(x)', 1.5, Number.NaN],
  ['acos(x)', 1, 0],
  ['acos(x)', -1.5, Number.NaN],
  ['atan(x)', INFINITE, fround(Math.PI / 2)],
  ['atan(x)', -INFINITE, fround(-Math.PI / 2)],
  ['atan(x, 0.0)', 0, 0],
  ['atan(x, -1.0)', 0, fround(Math.PI)],
  ['atan(x, x)', INFINITE, fround(Math.PI / 4)],
  ['sinh(x)', 100, INFINITE],
  ['cosh(x)', -100, INFINITE],
  ['tanh(x)', 100, 1],
  ['tanh(x)', -INFINITE, -1],
  ['acosh(x)', 1, 0],
  ['acosh(x)', 0.5, Number.NaN],
  ['atanh(x)', 1, INFINITE],
  ['atanh(x)', 2, Number.NaN],
  ['fract(x)', -0.25, 0.75],
  ['mod(x, 3.0)', -1, 2],
  ['mod(x, -3.0)', 1, -2],
  ['sign(x)', -5, -1],
  ['sign(x)', 0, 0],
  ['round(x)', 2.5, 2],
  ['roundEven(x)', -3.5, -4],
  ['trunc(x)', -3.5, -3],
  ['step(2.0, x)', 2, 1],
  ['step(2.0, x)', 1.5, 0],
  ['smoothstep(1.0, 3.0, x)', 2, 0.5],
  ['smoothstep(1.0, 3.0, x)', 9, 1],
  ['clamp(x, 0.0, 1.0)', 7, 1],
  ['clamp(x, 0.0, 1.0)', -7, 0],
  ['clamp(x, 2.0, 3.0)', Number.NaN, 2],
  ['smoothstep(1.0, 3.0, x)', Number.NaN, 0],
  ['mix(2.0, 4.0, x)', 0.25, 2.5],
  ['mix(2.0, 4.0, x > 0.0)', 0.25, 4],
  ['degrees(x)', Math.PI, 180],
  ['isnan(x) ? 1.0 : 0.0', Number.NaN, 1],
  ['isnan(x) ? 1.0 : 0.0', INFINITE, 0],
  ['isinf(x) ? 1.0 : 0.0', -INFINITE, 1],
  ['float(floatBitsToInt(x))', 1, 0x3f800000],
  ['intBitsToFloat(int(x))', 0x40400000, 3],
  ['float(abs(int(x)))', -4, 4],
  ['float(sign(int(x)))', -4, -1],
  ['float(min(uint(x), 5u))', 4e9, 5],
  ['float(clamp(int(x), -2, 2))', -7, -2],
];

describe('built-in functions of numbers', () => {
  it.each(BOUNDS)('$call stays within its bound', ({ call, reference, args, ulp, absolute }) => {
    evaluate(call, args).forEach((value, k) => {
      const exact = reference(args[k]!);
      const bound = Math.max((ulp ?? 0) * ulpAt(exact), absolute ?? 0);
      expect(Math.abs(value - exact), `at ${args[k]}: ${value} for ${exact}`).toBeLessThanOrEqual(
        bound,
      );
    });
  });

  it.each(EXACT)('%s at %d is %d', (call, x, expected) => {
    expect(evaluate(call, [x])[0]! + 0).toEqual(expected);
  });

  it('keeps small arguments of odd functions exact', () => {
    for (const name of ['sin', 'tan', 'asin', 'atan', 'sinh', 'tanh', 'asinh', 'atanh']) {
      expect(evaluate(`${name}(x)`, [2 ** -100, -(2 ** -40)])).toEqual([2 ** -100, -(2 ** -40)]);
    }
  });
});
