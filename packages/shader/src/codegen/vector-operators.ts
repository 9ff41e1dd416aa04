/**
 * Operators on vectors of four lanes, with the same steps as `ir/scalar-operators.ts`, which
 * defines them. All are plain IEEE instructions, so the results are equal bit for bit except for
 * NaN.
 */
import { bitsOfFloat, CANONICAL_NAN_BITS, type ScalarOperator } from '../ir/scalar-operators.ts';
import {
  type ArithmeticSteps,
  cosSteps,
  exp2Steps,
  log2Steps,
  sinSteps,
} from '../ir/transcendentals.ts';
import { type Expr, f32x4, f64x2, i8x16, i32, i32x4, v128 } from '../wasm/index.ts';

/** Facilities of the enclosing function that the code of an operator needs. */
export interface VectorCode {
  /** Computes a value once for several uses; returns an expression that reads it again. */
  keep(value: Expr): Expr;
  /** Returns the 32-bit word `bits` in all lanes. */
  splat(bits: number): Expr;
}

/** Returns `value`, rounded to single precision, in all lanes. */
export function splatFloat(code: VectorCode, value: number): Expr {
  return code.splat(bitsOfFloat(Math.fround(value)));
}

/** Returns `value` with every NaN replaced by the canonical one. */
export function canonicalizeNaN(code: VectorCode, value: Expr): Expr {
  const kept = code.keep(value);
  return v128.bitselect(kept, code.splat(CANONICAL_NAN_BITS), f32x4.eq(kept, kept));
}

/** Vector with all bits clear; costs no load. */
export const ZERO = v128.const([0, 0, 0, 0]);
/** Vector with all bits set; costs no load. */
export const ALL_ONES = v128.const([-1, -1, -1, -1]);

function vectorSteps(code: VectorCode): ArithmeticSteps<Expr> {
  return {
    float: (value) => splatFloat(code, value),
    int: code.splat,
    add: f32x4.add,
    sub: f32x4.sub,
    mul: f32x4.mul,
    min: f32x4.pmin,
    max: f32x4.pmax,
    neg: f32x4.neg,
    isLess: f32x4.lt,
    isEqual: f32x4.eq,
    select: (condition, a, b) => v128.bitselect(a, b, condition),
    asInt: (a) => a,
    asFloat: (a) => a,
    intAdd: i32x4.add,
    intSub: i32x4.sub,
    and: v128.and,
    isIntEqual: i32x4.eq,
    shiftLeft: (a, amount) => i32x4.shl(a, i32.const(amount)),
    shiftRight: (a, amount) => i32x4.shrS(a, i32.const(amount)),
    intToFloat: f32x4.convertI32x4S,
    keep: code.keep,
  };
}

/** Emits the code of an operator. Operands must be cheap to repeat (a local, a constant). */
type EmitOperator = (code: VectorCode, a: Expr, b: Expr, c: Expr) => Expr;

const unary =
  (emit: (a: Expr) => Expr): EmitOperator =>
  (_code, a) =>
    emit(a);
const binary =
  (emit: (a: Expr, b: Expr) => Expr): EmitOperator =>
  (_code, a, b) =>
    emit(a, b);
const bitwiseSelect: EmitOperator = (_code, condition, a, b) => v128.bitselect(a, b, condition);
const same: EmitOperator = (_code, a) => a;

/**
 * Quotients of 32-bit integers, computed with doubles. A quotient a / b that is not an integer
 * differs from the next one by at least 1 / |b| > 2^-32. Below 2^32 a double rounds by at most
 * 2^-21 of that, so the rounded quotient truncates to the exact one.
 */
function quotient(
  a: Expr,
  b: Expr,
  convertLow: (a: Expr) => Expr,
  truncate: (a: Expr) => Expr,
): Expr {
  const high = (value: Expr) => i8x16.shuffle(value, value, HIGH_HALF_FIRST);
  const low = truncate(f64x2.div(convertLow(a), convertLow(b)));
  const top = truncate(f64x2.div(convertLow(high(a)), convertLow(high(b))));
  return i8x16.shuffle(low, top, LOW_HALVES);
}

const HIGH_HALF_FIRST = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7] as const;
const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23] as const;

const isZero = (a: Expr): Expr => i32x4.eq(a, ZERO);

function signedQuotient(a: Expr, b: Expr): Expr {
  const q = quotient(a, b, f64x2.convertLowI32x4S, i32x4.truncSatF64x2SZero);
  // −2^31 / −1 would saturate; the wrapped result is the negation.
  const wrapped = v128.bitselect(i32x4.neg(a), q, i32x4.eq(b, ALL_ONES));
  return v128.or(wrapped, isZero(b));
}

function unsignedQuotient(a: Expr, b: Expr): Expr {
  const q = quotient(a, b, f64x2.convertLowI32x4U, i32x4.truncSatF64x2UZero);
  return v128.or(q, isZero(b));
}

/**
 * Emits a remainder. It is also correct for b = 0, because the product of any quotient with b is 0.
 */
const remainder = (quotientOf: (a: Expr, b: Expr) => Expr): EmitOperator =>
  binary((a, b) => i32x4.sub(a, i32x4.mul(quotientOf(a, b), b)));

/**
 * Emits a shift of each lane by its own amount, because SIMD instructions shift all lanes by the
 * same amount.
 */
const shift =
  (emit: (value: Expr, amount: Expr) => Expr): EmitOperator =>
  (code, a, b) => {
    let result: Expr = a;
    for (let lane = 0; lane < 4; lane++) {
      const value = emit(i32x4.extractLane(a, lane), i32x4.extractLane(b, lane));
      result = i32x4.replaceLane(result, lane, value);
    }
    return code.keep(result);
  };

/** Code of each operator. */
export const VECTOR_OPERATORS: Readonly<Record<ScalarOperator | 'fddx' | 'fddy', EmitOperator>> = {
  fadd: binary(f32x4.add),
  fsub: binary(f32x4.sub),
  fmul: binary(f32x4.mul),
  fdiv: binary(f32x4.div),
  fmad: (_code, a, b, c) => f32x4.add(f32x4.mul(a, b), c),
  fneg: unary(f32x4.neg),
  fabs: unary(f32x4.abs),
  ffloor: unary(f32x4.floor),
  fceil: unary(f32x4.ceil),
  ftrunc: unary(f32x4.trunc),
  fnearest: unary(f32x4.nearest),
  fsqrt: unary(f32x4.sqrt),
  fmin: binary(f32x4.pmin),
  fmax: binary(f32x4.pmax),
  frsq: (code, a) => f32x4.div(splatFloat(code, 1), f32x4.sqrt(a)),
  fexp2: (code, a) => exp2Steps(vectorSteps(code), a),
  flog2: (code, a) => log2Steps(vectorSteps(code), a),
  fsin: (code, a) => sinSteps(vectorSteps(code), a),
  fcos: (code, a) => cosSteps(vectorSteps(code), a),
  feq: binary(f32x4.eq),
  fne: binary(f32x4.ne),
  flt: binary(f32x4.lt),
  fle: binary(f32x4.le),
  iadd: binary(i32x4.add),
  isub: binary(i32x4.sub),
  imul: binary(i32x4.mul),
  idiv: binary(signedQuotient),
  irem: remainder(signedQuotient),
  udiv: binary(unsignedQuotient),
  urem: remainder(unsignedQuotient),
  ineg: unary(i32x4.neg),
  imin: binary(i32x4.minS),
  imax: binary(i32x4.maxS),
  umin: binary(i32x4.minU),
  umax: binary(i32x4.maxU),
  iand: binary(v128.and),
  ior: binary(v128.or),
  ixor: binary(v128.xor),
  inot: unary(v128.not),
  ishl: shift(i32.shl),
  ishr: shift(i32.shrS),
  ushr: shift(i32.shrU),
  ieq: binary(i32x4.eq),
  ine: binary(i32x4.ne),
  ilt: binary(i32x4.ltS),
  ile: binary(i32x4.leS),
  ult: binary(i32x4.ltU),
  ule: binary(i32x4.leU),
  f2i: unary(i32x4.truncSatF32x4S),
  f2u: unary(i32x4.truncSatF32x4U),
  i2f: unary(f32x4.convertI32x4S),
  u2f: unary(f32x4.convertI32x4U),
  f32AsI32: canonicalizeNaN,
  i32AsF32: same,
  boolAsI32: same,
  i32AsBool: unary((a) => i32x4.ne(a, ZERO)),
  band: binary(v128.and),
  bor: binary(v128.or),
  bxor: binary(v128.xor),
  bnot: unary(v128.not),
  selectF: bitwiseSelect,
  selectI: bitwiseSelect,
  selectB: bitwiseSelect,
  // Rows of a quad are lanes 0 1 (upper) and 2 3; columns are 0 2 (left) and 1 3.
  fddx: unary((a) => f32x4.sub(takeLanes(a, [1, 1, 3, 3]), takeLanes(a, [0, 0, 2, 2]))),
  fddy: unary((a) => f32x4.sub(takeLanes(a, [0, 1, 0, 1]), takeLanes(a, [2, 3, 2, 3]))),
};

function takeLanes(value: Expr, lanes: readonly number[]): Expr {
  const bytes = lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => lane * 4 + byte));
  return i8x16.shuffle(value, value, bytes);
}
