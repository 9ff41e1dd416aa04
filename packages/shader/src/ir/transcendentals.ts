/**
 * exp2, log2, sine and cosine as sequences of exactly rounded single-precision steps.
 *
 * Each is written once for an abstract machine ({@link ArithmeticSteps}). The scalar reference and
 * the code generator implement the steps, so the order of operations cannot differ between them.
 * Coefficients are minimax polynomials by Remez exchange in double precision, rounded to single.
 * They are evaluated in Estrin's order, which has the shorter dependency chain.
 *
 * Bounds, measured over all exponents: exp2 2 ulp; log2 4 ulp; sine and cosine 2^-20 absolute for
 * |x| ≤ 20000. For larger arguments the range reduction loses its bits; the result only stays
 * within ±1.
 */

/**
 * Abstract machine that executes the steps. `T` is a 32-bit value: a float, an integer or a truth
 * value (0 / −1).
 */
export interface ArithmeticSteps<T> {
  /** Returns the single-precision constant nearest to `value`. */
  float(value: number): T;
  int(value: number): T;
  add(a: T, b: T): T;
  sub(a: T, b: T): T;
  mul(a: T, b: T): T;
  /** b < a ? b : a */
  min(a: T, b: T): T;
  /** a < b ? b : a */
  max(a: T, b: T): T;
  neg(a: T): T;
  isLess(a: T, b: T): T;
  isEqual(a: T, b: T): T;
  select(condition: T, a: T, b: T): T;
  /** Returns the same 32 bits as an integer. */
  asInt(a: T): T;
  asFloat(a: T): T;
  intAdd(a: T, b: T): T;
  intSub(a: T, b: T): T;
  and(a: T, b: T): T;
  isIntEqual(a: T, b: T): T;
  shiftLeft(a: T, amount: number): T;
  /** Shifts arithmetically. */
  shiftRight(a: T, amount: number): T;
  intToFloat(a: T): T;
  /** Materializes a value that is used more than once; every other value is used once. */
  keep(a: T): T;
}

/** 1.5 × 2^23. Adding it rounds |x| < 2^22 to an integer, ties to even, in the low bits. */
const ROUNDING = 12582912;
const ROUNDING_BITS = 0x4b400000;

const EXP2 = [
  0.6931471824645996, 0.24022647738456726, 0.055503323674201965, 0.00961843691766262,
  0.0013398873852565885, 0.00015353361959569156,
] as const;

/**
 * 2^x = 2^n × (1 + f q(f)), where n is the nearest integer and |f| ≤ 1/2. The scale is applied as
 * two factors, so that results above the range become infinite. Results below 2^-126 are 0, because
 * a denormal costs x86 cores a hundred cycles and every second lighting formula computes pow(0, y).
 */
export function exp2Steps<T>(m: ArithmeticSteps<T>, x: T): T {
  // The variable is the first operand, so that NaN passes through.
  const kept = m.keep(x);
  const clamped = m.keep(m.min(m.max(kept, m.float(-126)), m.float(130)));
  const shifted = m.keep(m.add(clamped, m.float(ROUNDING)));
  const f = m.keep(m.sub(clamped, m.sub(shifted, m.float(ROUNDING))));
  const n = m.keep(m.intSub(m.asInt(shifted), m.int(ROUNDING_BITS)));
  const half = m.keep(m.shiftRight(n, 1));
  const f2 = m.keep(m.mul(f, f));
  const q01 = m.add(m.mul(m.float(EXP2[1]), f), m.float(EXP2[0]));
  const q23 = m.add(m.mul(m.float(EXP2[3]), f), m.float(EXP2[2]));
  const q45 = m.add(m.mul(m.float(EXP2[5]), f), m.float(EXP2[4]));
  const q25 = m.add(m.mul(q45, f2), q23);
  const q = m.add(m.mul(q25, f2), q01);
  const p = m.add(m.mul(q, f), m.float(1));
  const result = m.mul(m.mul(p, powerOfTwo(m, half)), powerOfTwo(m, m.intSub(n, half)));
  return m.select(m.isLess(kept, m.float(-126)), m.float(0), result);
}

function powerOfTwo<T>(m: ArithmeticSteps<T>, exponent: T): T {
  return m.asFloat(m.shiftLeft(m.intAdd(exponent, m.int(127)), 23));
}

const LOG2 = [
  1.4426950216293335, -0.7213473320007324, 0.48091062903404236, -0.3607036769390106,
  0.28791624307632446, -0.23894481360912323, 0.21571560204029083, -0.20726975798606873,
  0.1258370578289032,
] as const;

const SQRT_HALF_BITS = 0x3f3504f3;
const SMALLEST_NORMAL = 2 ** -126;

/**
 * log2 x = e + t p(t), t = m − 1, m in [√½, √2). 0 gives −∞, negatives give NaN, denormals are
 * scaled first.
 */
export function log2Steps<T>(m: ArithmeticSteps<T>, x: T): T {
  const kept = m.keep(x);
  const isTiny = m.keep(m.isLess(kept, m.float(SMALLEST_NORMAL)));
  const bits = m.keep(m.asInt(m.select(isTiny, m.mul(kept, m.float(2 ** 23)), kept)));
  const e = m.keep(m.shiftRight(m.intSub(bits, m.int(SQRT_HALF_BITS)), 23));
  const t = m.keep(m.sub(m.asFloat(m.intSub(bits, m.shiftLeft(e, 23))), m.float(1)));
  const t2 = m.keep(m.mul(t, t));
  const t4 = m.keep(m.mul(t2, t2));
  const pair = (k: 0 | 2 | 4 | 6) => m.add(m.mul(m.float(LOG2[k + 1]!), t), m.float(LOG2[k]));
  const p03 = m.add(m.mul(pair(2), t2), pair(0));
  const p47 = m.add(m.mul(pair(6), t2), pair(4));
  const p48 = m.add(m.mul(m.float(LOG2[8]), t4), p47);
  const p = m.add(m.mul(p48, t4), p03);
  const exponent = m.intToFloat(m.intAdd(e, m.and(isTiny, m.int(-23))));
  const result = m.add(exponent, m.mul(t, p));
  // Special arguments: +∞ gives itself, 0 gives −∞, negative values and NaN give NaN.
  const isPositive = m.isLess(m.float(0), kept);
  const zeroOrNone = m.select(m.isEqual(kept, m.float(0)), m.float(-Infinity), m.float(Number.NaN));
  const positive = m.select(m.isLess(kept, m.float(Infinity)), result, kept);
  return m.select(isPositive, positive, zeroOrNone);
}

/** π/2 in three parts. The first two have 10 bits, so their products with |k| < 2^14 are exact. */
const HALF_PI = [1.5703125, 0.00048351287841796875, 3.1391647326017846e-7] as const;
const TWO_OVER_PI = 2 / Math.PI;
const SIN = [-0.16666655242443085, 0.00833216030150652, -0.00019515250460244715] as const;
const COS = [0.04166664555668831, -0.001388736767694354, 0.000024438415493932553] as const;

/** Returns sin x. */
export function sinSteps<T>(m: ArithmeticSteps<T>, x: T): T {
  return sineOfQuadrant(m, x, 0);
}

/** Returns cos x. */
export function cosSteps<T>(m: ArithmeticSteps<T>, x: T): T {
  return sineOfQuadrant(m, x, 1);
}

/** Returns sin(x + quarterTurns × π/2), with x = k π/2 + r, |r| ≤ π/4. Infinite x gives NaN. */
function sineOfQuadrant<T>(m: ArithmeticSteps<T>, x: T, quarterTurns: 0 | 1): T {
  const kept = m.keep(x);
  const shifted = m.keep(m.add(m.mul(kept, m.float(TWO_OVER_PI)), m.float(ROUNDING)));
  const k = m.keep(m.sub(shifted, m.float(ROUNDING)));
  const high = m.sub(kept, m.mul(k, m.float(HALF_PI[0])));
  const middle = m.sub(high, m.mul(k, m.float(HALF_PI[1])));
  const low = m.sub(middle, m.mul(k, m.float(HALF_PI[2])));
  // Huge arguments may have any remainder. The bound, slightly above π/4, keeps the results within
  // ±1.
  const r = m.keep(m.min(m.max(low, m.float(-0.79)), m.float(0.79)));
  const r2 = m.keep(m.mul(r, r));
  const r4 = m.keep(m.mul(r2, r2));
  const polynomial = (c: readonly [number, number, number]) =>
    m.add(m.mul(m.float(c[2]), r4), m.add(m.mul(m.float(c[1]), r2), m.float(c[0])));
  const sine = m.add(m.mul(m.mul(polynomial(SIN), r2), r), r);
  const cosine = m.add(m.mul(polynomial(COS), r4), m.sub(m.float(1), m.mul(m.float(0.5), r2)));
  const quadrant = m.keep(m.intAdd(m.asInt(shifted), m.int(quarterTurns)));
  const isSine = m.isIntEqual(m.and(quadrant, m.int(1)), m.int(0));
  const magnitude = m.keep(m.select(isSine, sine, cosine));
  const isUpper = m.isIntEqual(m.and(quadrant, m.int(2)), m.int(0));
  return m.select(isUpper, magnitude, m.neg(magnitude));
}
