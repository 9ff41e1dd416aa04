/**
 * Integer arithmetic that gives the same results with the doubles of TypeScript and the words of
 * WebAssembly.
 */
import type { f64, i32 } from './number-types.ts';

/** Returns the smaller of two integers. */
export function lesser(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

/** Returns the larger of two integers. */
export function greater(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

/**
 * Returns the quotient, rounded down.
 *
 * @param dividend Dividend, at least 0.
 * @param divisor Divisor, at least 1.
 */
export function divide(dividend: i32, divisor: i32): i32 {
  return (dividend / divisor) | 0;
}

/**
 * Returns the quotient, rounded up.
 *
 * @param dividend Dividend, at least 0. The sum of dividend and divisor must be below 2^31.
 * @param divisor Divisor, at least 1.
 */
export function divideUp(dividend: i32, divisor: i32): i32 {
  return ((dividend + divisor - 1) / divisor) | 0;
}

/**
 * Returns the smallest power of two that is at least `count`, and at least 2.
 *
 * @param count Number up to 2^30.
 */
export function ceilPowerOfTwo(count: i32): i32 {
  let power = 2;
  while (power < count) power *= 2;
  return power;
}

/** Returns the exponent of a power of two. */
export function log2(power: i32): i32 {
  let exponent = 0;
  while (1 << exponent < power) exponent++;
  return exponent;
}

/** Returns the unsigned integer that has the same bits as `word`. */
export function unsigned(word: i32): f64 {
  return word < 0 ? (word as f64) + 4294967296 : (word as f64);
}

/** Returns the low 32 bits of the product. */
export function multiply(a: i32, b: i32): i32 {
  return Math.imul(a, b) as i32;
}
