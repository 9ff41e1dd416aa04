/**
 * The arithmetic of the shader machine: each IR operator as a function on JavaScript numbers.
 *
 * This is the definition. Floats are numbers that single precision can represent, each step rounded
 * by `Math.fround`; integers are int32; truth values are 0 or −1. Division and square root in
 * double precision, rounded once to single, are correctly rounded because 53 ≥ 2 × 24 + 2. NaN has
 * no payload here. Executors may differ in NaN bits and make them canonical where they become
 * visible.
 */
import type { IrOperator } from './ir.ts';
import {
  type ArithmeticSteps,
  cosSteps,
  exp2Steps,
  log2Steps,
  sinSteps,
} from './transcendentals.ts';

const { fround } = Math;

/** Bits of every NaN that leaves a shader. */
export const CANONICAL_NAN_BITS = 0x7fc00000;

const floatView = new Float32Array(1);
const intView = new Int32Array(floatView.buffer);

/**
 * Returns the 32 bits of a single-precision value as int32; {@link CANONICAL_NAN_BITS} for a NaN.
 */
export function bitsOfFloat(value: number): number {
  if (Number.isNaN(value)) return CANONICAL_NAN_BITS;
  floatView[0] = value;
  return intView[0]!;
}

/** Returns the single-precision value of 32 bits. */
export function floatOfBits(bits: number): number {
  intView[0] = bits;
  return floatView[0]!;
}

const truth = (condition: boolean): number => (condition ? -1 : 0);

/**
 * Returns b < a ? b : a. `Math.min` differs: it orders −0 before 0 and returns NaN if either
 * operand is NaN.
 */
function partialMin(a: number, b: number): number {
  if (b < a) return b;
  return a;
}

/** Returns a < b ? b : a. */
function partialMax(a: number, b: number): number {
  if (a < b) return b;
  return a;
}

/** Rounds to the nearest integer, ties to even; keeps the sign of zero. */
function roundToEven(a: number): number {
  const below = Math.floor(a);
  const fraction = a - below;
  if (fraction < 0.5) return below === 0 && a < 0 ? -0 : below;
  if (fraction > 0.5) return below === -1 ? -0 : below + 1;
  if (Number.isNaN(fraction)) return a; // NaN, or infinity minus infinity
  const even = below % 2 === 0 ? below : below + 1;
  return even === 0 && a < 0 ? -0 : even;
}

function truncateToSigned(a: number): number {
  if (Number.isNaN(a)) return 0;
  return Math.min(Math.max(Math.trunc(a), -0x80000000), 0x7fffffff) | 0;
}

function truncateToUnsigned(a: number): number {
  if (Number.isNaN(a)) return 0;
  return Math.min(Math.max(Math.trunc(a), 0), 0xffffffff) | 0;
}

const scalarSteps: ArithmeticSteps<number> = {
  float: fround,
  int: (value) => value | 0,
  add: (a, b) => fround(a + b),
  sub: (a, b) => fround(a - b),
  mul: (a, b) => fround(a * b),
  min: partialMin,
  max: partialMax,
  neg: (a) => -a,
  isLess: (a, b) => truth(a < b),
  isEqual: (a, b) => truth(a === b),
  select: (condition, a, b) => (condition !== 0 ? a : b),
  asInt: bitsOfFloat,
  asFloat: floatOfBits,
  intAdd: (a, b) => (a + b) | 0,
  intSub: (a, b) => (a - b) | 0,
  and: (a, b) => a & b,
  isIntEqual: (a, b) => truth(a === b),
  shiftLeft: (a, amount) => a << amount,
  shiftRight: (a, amount) => a >> amount,
  intToFloat: fround,
  keep: (a) => a,
};

/** Operator that needs no other lane: all except the derivatives. */
export type ScalarOperator = Exclude<IrOperator, 'fddx' | 'fddy'>;

/** Value of each operator. Arguments and results have the types in `IR_OPERATORS`. */
export const SCALAR_OPERATORS = {
  fadd: (a, b) => fround(a + b),
  fsub: (a, b) => fround(a - b),
  fmul: (a, b) => fround(a * b),
  fdiv: (a, b) => fround(a / b),
  fmad: (a, b, c) => fround(fround(a * b) + c),
  fneg: (a) => -a,
  fabs: (a) => Math.abs(a),
  ffloor: (a) => Math.floor(a),
  fceil: (a) => Math.ceil(a),
  ftrunc: (a) => Math.trunc(a),
  fnearest: roundToEven,
  fsqrt: (a) => fround(Math.sqrt(a)),
  fmin: partialMin,
  fmax: partialMax,
  frsq: (a) => fround(1 / fround(Math.sqrt(a))),
  fexp2: (a) => exp2Steps(scalarSteps, a),
  flog2: (a) => log2Steps(scalarSteps, a),
  fsin: (a) => sinSteps(scalarSteps, a),
  fcos: (a) => cosSteps(scalarSteps, a),
  feq: (a, b) => truth(a === b),
  fne: (a, b) => truth(a !== b),
  flt: (a, b) => truth(a < b),
  fle: (a, b) => truth(a <= b),
  iadd: (a, b) => (a + b) | 0,
  isub: (a, b) => (a - b) | 0,
  imul: (a, b) => Math.imul(a, b),
  idiv: (a, b) => (b === 0 ? -1 : (a / b) | 0),
  // JavaScript's a % b may be −0.
  irem: (a, b) => (b === 0 ? a : (a % b) | 0),
  udiv: (a, b) => (b === 0 ? -1 : ((a >>> 0) / (b >>> 0)) | 0),
  urem: (a, b) => (b === 0 ? a : ((a >>> 0) % (b >>> 0)) | 0),
  ineg: (a) => -a | 0,
  imin: (a, b) => Math.min(a, b),
  imax: (a, b) => Math.max(a, b),
  umin: (a, b) => (a >>> 0 < b >>> 0 ? a : b),
  umax: (a, b) => (a >>> 0 > b >>> 0 ? a : b),
  iand: (a, b) => a & b,
  ior: (a, b) => a | b,
  ixor: (a, b) => a ^ b,
  inot: (a) => ~a,
  ishl: (a, b) => a << (b & 31),
  ishr: (a, b) => a >> (b & 31),
  ushr: (a, b) => (a >>> (b & 31)) | 0,
  ieq: (a, b) => truth(a === b),
  ine: (a, b) => truth(a !== b),
  ilt: (a, b) => truth(a < b),
  ile: (a, b) => truth(a <= b),
  ult: (a, b) => truth(a >>> 0 < b >>> 0),
  ule: (a, b) => truth(a >>> 0 <= b >>> 0),
  f2i: truncateToSigned,
  f2u: truncateToUnsigned,
  i2f: (a) => fround(a),
  u2f: (a) => fround(a >>> 0),
  f32AsI32: bitsOfFloat,
  i32AsF32: floatOfBits,
  boolAsI32: (a) => a,
  i32AsBool: (a) => truth(a !== 0),
  band: (a, b) => a & b,
  bor: (a, b) => a | b,
  bxor: (a, b) => a ^ b,
  bnot: (a) => ~a,
  selectF: (condition, a, b) => (condition !== 0 ? a : b),
  selectI: (condition, a, b) => (condition !== 0 ? a : b),
  selectB: (condition, a, b) => (condition !== 0 ? a : b),
} as const satisfies Record<ScalarOperator, (a: number, b: number, c: number) => number>;

/** Returns the value of `op`, for callers that know the operator only at run time. */
export function evaluateScalarOperator(op: ScalarOperator, operands: readonly number[]): number {
  const operator: (...values: number[]) => number = SCALAR_OPERATORS[op];
  return operator(...operands);
}
