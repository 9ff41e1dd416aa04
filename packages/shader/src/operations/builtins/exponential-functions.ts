/**
 * Exponential functions (GLSL ES 3.00, 8.2) and hyperbolic functions, based on the machine's exp2,
 * log2 and square root. Error bounds are measured against double precision and enforced by tests.
 */

import type { IrValue } from '../../ir/ir.ts';
import type { IrBuilder } from '../../ir/ir-builder.ts';
import { type BuiltinFunction, componentwise, polynomial } from './builtin-function.ts';

/** e^x = 2^(x log2 e). The product is rounded, so the error is about |x| / 2 + 2 ulp. */
function exp(builder: IrBuilder, x: IrValue): IrValue {
  return builder.operator('fexp2', builder.operator('fmul', x, builder.float(Math.LOG2E)));
}

/** ln x = log2 x × ln 2, within 5 ulp. */
function log(builder: IrBuilder, x: IrValue): IrValue {
  return builder.operator('fmul', builder.operator('flog2', x), builder.float(Math.LN2));
}

/**
 * x^y = 2^(y log2 x), NaN for negative x. The error grows with |y log2 x|, up to 2^-17 relative.
 */
function pow(builder: IrBuilder, x: IrValue, y: IrValue): IrValue {
  return builder.operator('fexp2', builder.operator('fmul', y, builder.operator('flog2', x)));
}

/**
 * ln(1 + y) for y ≥ 0, also for small y. The factor y / ((1 + y) − 1) compensates the rounding of 1
 * + y. Within 6 ulp.
 */
function logOfOnePlus(builder: IrBuilder, y: IrValue): IrValue {
  const one = builder.float(1);
  const sum = builder.operator('fadd', one, y);
  const rounded = builder.operator('fsub', sum, one);
  const factor = builder.operator('fdiv', y, rounded);
  const isTiny = builder.operator('feq', rounded, builder.float(0));
  const isHuge = builder.operator('feq', sum, y);
  const corrected = builder.operator('fmul', log(builder, sum), factor);
  return builder.select(isTiny, y, builder.select(isHuge, log(builder, y), corrected));
}

/** Returns `magnitude` with the sign of `x`. */
export function withSignOf(builder: IrBuilder, magnitude: IrValue, x: IrValue): IrValue {
  const isNegative = builder.operator('flt', x, builder.float(0));
  return builder.select(isNegative, builder.operator('fneg', magnitude), magnitude);
}

const square = (builder: IrBuilder, x: IrValue): IrValue => builder.operator('fmul', x, x);

/** Returns x + x³ p(x²), an odd polynomial whose first coefficient is 1. */
export function oddPolynomial(
  builder: IrBuilder,
  x: IrValue,
  coefficients: readonly number[],
): IrValue {
  const x2 = square(builder, x);
  const rest = builder.operator('fmul', polynomial(builder, x2, coefficients), x2);
  return builder.operator('fadd', builder.operator('fmul', rest, x), x);
}

/** Minimax coefficients of sinh x = x + x³ p(x²) for |x| ≤ 1: relative error 2^-25. */
const SINH = [0.1666671633720398, 0.008330283686518669, 0.00020372193830553442] as const;

/**
 * Half the sum or difference of e^x and e^−x for x ≥ 0. Computed as e^(x/2) (e^(x/2) / 2), it does
 * not overflow early.
 */
function halfExponentials(builder: IrBuilder, x: IrValue, op: 'fadd' | 'fsub'): IrValue {
  const half = builder.float(0.5);
  const root = exp(builder, builder.operator('fmul', x, half));
  const growing = builder.operator('fmul', root, builder.operator('fmul', root, half));
  const falling = exp(builder, builder.operator('fneg', x));
  return builder.operator(op, growing, builder.operator('fmul', falling, half));
}

function sinh(builder: IrBuilder, x: IrValue): IrValue {
  const magnitude = builder.operator('fabs', x);
  const large = withSignOf(builder, halfExponentials(builder, magnitude, 'fsub'), x);
  const isSmall = builder.operator('fle', magnitude, builder.float(1));
  return builder.select(isSmall, oddPolynomial(builder, x, SINH), large);
}

function cosh(builder: IrBuilder, x: IrValue): IrValue {
  return halfExponentials(builder, builder.operator('fabs', x), 'fadd');
}

/** Minimax coefficients of tanh x = x + x³ p(x²) for |x| ≤ 0.625: relative error 2^-27. */
const TANH = [
  -0.3333328068256378, 0.13331441581249237, -0.05373971536755562, 0.02063908241689205,
  -0.0057049826718866825,
] as const;

/**
 * Hyperbolic tangent: the polynomial for small |x|, else 1 − 2 / (e^2|x| + 1), which is 1 when the
 * exponential overflows.
 */
function tanh(builder: IrBuilder, x: IrValue): IrValue {
  const magnitude = builder.operator('fabs', x);
  const [one, two] = [builder.float(1), builder.float(2)];
  const power = exp(builder, builder.operator('fmul', two, magnitude));
  const quotient = builder.operator('fdiv', two, builder.operator('fadd', power, one));
  const large = withSignOf(builder, builder.operator('fsub', one, quotient), x);
  const isSmall = builder.operator('fle', magnitude, builder.float(0.625));
  return builder.select(isSmall, oddPolynomial(builder, x, TANH), large);
}

/** ln(1 + a + a² / (1 + √(a² + 1))) with a = |x|; ln a + ln 2 if a² is near overflow. */
function asinh(builder: IrBuilder, x: IrValue): IrValue {
  const a = builder.operator('fabs', x);
  const one = builder.float(1);
  const a2 = square(builder, a);
  const root = builder.operator('fsqrt', builder.operator('fadd', a2, one));
  const rest = builder.operator('fdiv', a2, builder.operator('fadd', one, root));
  const small = logOfOnePlus(builder, builder.operator('fadd', a, rest));
  const large = builder.operator('fadd', log(builder, a), builder.float(Math.LN2));
  const isLarge = builder.operator('flt', builder.float(2 ** 28), a);
  return withSignOf(builder, builder.select(isLarge, large, small), x);
}

/** ln(1 + t + √(2 t + t²)) with t = x − 1; NaN below 1; ln x + ln 2 if t² is near overflow. */
function acosh(builder: IrBuilder, x: IrValue): IrValue {
  const t = builder.operator('fsub', x, builder.float(1));
  const twice = builder.operator('fmul', builder.float(2), t);
  const root = builder.operator('fsqrt', builder.operator('fadd', twice, square(builder, t)));
  const small = logOfOnePlus(builder, builder.operator('fadd', t, root));
  const large = builder.operator('fadd', log(builder, x), builder.float(Math.LN2));
  const isLarge = builder.operator('flt', builder.float(2 ** 28), x);
  const isInside = builder.operator('fle', builder.float(1), x);
  const value = builder.select(isLarge, large, small);
  return builder.select(isInside, value, builder.float(Number.NaN));
}

/** ½ ln(1 + 2 a / (1 − a)) with a = |x|; NaN above 1. */
function atanh(builder: IrBuilder, x: IrValue): IrValue {
  const a = builder.operator('fabs', x);
  const twice = builder.operator('fmul', builder.float(2), a);
  const ratio = builder.operator('fdiv', twice, builder.operator('fsub', builder.float(1), a));
  const half = builder.operator('fmul', builder.float(0.5), logOfOnePlus(builder, ratio));
  const isInside = builder.operator('fle', a, builder.float(1));
  return builder.select(isInside, withSignOf(builder, half, x), builder.float(Number.NaN));
}

/** Exponential and hyperbolic functions by name. */
export const EXPONENTIAL_FUNCTIONS: Readonly<Record<string, BuiltinFunction>> = {
  exp: componentwise((b, x) => exp(b, x!)),
  log: componentwise((b, x) => log(b, x!)),
  exp2: componentwise((b, x) => b.operator('fexp2', x!)),
  log2: componentwise((b, x) => b.operator('flog2', x!)),
  pow: componentwise((b, x, y) => pow(b, x!, y!)),
  sqrt: componentwise((b, x) => b.operator('fsqrt', x!)),
  inversesqrt: componentwise((b, x) => b.operator('frsq', x!)),
  sinh: componentwise((b, x) => sinh(b, x!)),
  cosh: componentwise((b, x) => cosh(b, x!)),
  tanh: componentwise((b, x) => tanh(b, x!)),
  asinh: componentwise((b, x) => asinh(b, x!)),
  acosh: componentwise((b, x) => acosh(b, x!)),
  atanh: componentwise((b, x) => atanh(b, x!)),
};
