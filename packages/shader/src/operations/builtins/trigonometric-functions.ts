/**
 * Angle functions (GLSL ES 3.00, 8.1). Inverse functions are minimax polynomials, computed by Remez
 * exchange in multiple precision and rounded to single. Tests enforce the error bounds against
 * double precision.
 */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import { type BuiltinFunction, componentwise } from './builtin-function.ts';
import { oddPolynomial, withSignOf } from './exponential-functions.ts';

/** Coefficients of asin x = x + x³ p(x²) for |x| ≤ ½: relative error 2^-27. */
const ASIN = [
  0.16666752099990845, 0.07495297491550446, 0.04547037556767464, 0.02417951449751854,
  0.04216630756855011,
] as const;

/** Coefficients of atan x = x + x³ p(x²) for |x| ≤ 1: relative error 2^-25. */
const ATAN = [
  -0.33333152532577515, 0.19993773102760315, -0.14211055636405945, 0.10666003823280334,
  -0.07552212476730347, 0.04321183264255524, -0.01636790856719017, 0.0029206869658082724,
] as const;

/** Returns asin √((1 − a) / 2), which is half of acos a, for ½ < a ≤ 1. NaN for a above 1. */
function halfArcCosine(builder: IrBuilder, a: IrValue): IrValue {
  const rest = builder.operator('fsub', builder.float(1), a);
  const root = builder.operator('fsqrt', builder.operator('fmul', rest, builder.float(0.5)));
  return oddPolynomial(builder, root, ASIN);
}

const double = (builder: IrBuilder, x: IrValue): IrValue =>
  builder.operator('fmul', builder.float(2), x);

/** Arc sine, within 3 ulp. */
function asin(builder: IrBuilder, x: IrValue): IrValue {
  const a = builder.operator('fabs', x);
  const twice = double(builder, halfArcCosine(builder, a));
  const outer = builder.operator('fsub', builder.float(Math.PI / 2), twice);
  const isInner = builder.operator('fle', a, builder.float(0.5));
  return builder.select(isInner, oddPolynomial(builder, x, ASIN), withSignOf(builder, outer, x));
}

/** Arc cosine, within 3 ulp; absolute error 2^-22 near x = −1. */
function acos(builder: IrBuilder, x: IrValue): IrValue {
  const a = builder.operator('fabs', x);
  const outer = double(builder, halfArcCosine(builder, a));
  const isNegative = builder.operator('flt', x, builder.float(0));
  const reflected = builder.operator('fsub', builder.float(Math.PI), outer);
  const inner = builder.operator(
    'fsub',
    builder.float(Math.PI / 2),
    oddPolynomial(builder, x, ASIN),
  );
  const isInner = builder.operator('fle', a, builder.float(0.5));
  return builder.select(isInner, inner, builder.select(isNegative, reflected, outer));
}

/**
 * Returns atan of `numerator` / `denominator`, both at least 0, in [0, π/2]; within 4 ulp. 0 / 0
 * gives 0.
 */
function atanOfRatio(builder: IrBuilder, numerator: IrValue, denominator: IrValue): IrValue {
  const isSteep = builder.operator('flt', denominator, numerator);
  const small = builder.select(isSteep, denominator, numerator);
  const large = builder.select(isSteep, numerator, denominator);
  const isZero = builder.operator('feq', large, builder.float(0));
  const ratio = builder.operator('fdiv', small, builder.select(isZero, builder.float(1), large));
  // Infinity over infinity is the diagonal.
  const isDiagonal = builder.operator('feq', small, large);
  const bounded = builder.select(
    isDiagonal,
    builder.select(isZero, builder.float(0), builder.float(1)),
    ratio,
  );
  const angle = oddPolynomial(builder, bounded, ATAN);
  const complement = builder.operator('fsub', builder.float(Math.PI / 2), angle);
  return builder.select(isSteep, complement, angle);
}

function atan(builder: IrBuilder, x: IrValue): IrValue {
  const angle = atanOfRatio(builder, builder.operator('fabs', x), builder.float(1));
  return withSignOf(builder, angle, x);
}

/** Returns the angle of the vector (x, y) in (−π, π]. */
function atan2(builder: IrBuilder, y: IrValue, x: IrValue): IrValue {
  const angle = atanOfRatio(builder, builder.operator('fabs', y), builder.operator('fabs', x));
  const isLeft = builder.operator('flt', x, builder.float(0));
  const reflected = builder.operator('fsub', builder.float(Math.PI), angle);
  return withSignOf(builder, builder.select(isLeft, reflected, angle), y);
}

const tan = (builder: IrBuilder, x: IrValue): IrValue =>
  builder.operator('fdiv', builder.operator('fsin', x), builder.operator('fcos', x));

/** Angle functions by name. `atan` takes one or two arguments. */
export const TRIGONOMETRIC_FUNCTIONS: Readonly<Record<string, BuiltinFunction>> = {
  radians: componentwise((b, x) => b.operator('fmul', x!, b.float(Math.PI / 180))),
  degrees: componentwise((b, x) => b.operator('fmul', x!, b.float(180 / Math.PI))),
  sin: componentwise((b, x) => b.operator('fsin', x!)),
  cos: componentwise((b, x) => b.operator('fcos', x!)),
  tan: componentwise((b, x) => tan(b, x!)),
  asin: componentwise((b, x) => asin(b, x!)),
  acos: componentwise((b, x) => acos(b, x!)),
  atan: componentwise((b, x, y) => (y === undefined ? atan(b, x!) : atan2(b, x!, y))),
};
