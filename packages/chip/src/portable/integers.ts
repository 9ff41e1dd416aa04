/** Arithmetic of integers that is the same with the doubles of TypeScript and the words of WebAssembly. */
import type { f64, i32 } from './number-types.ts';

export function lesser(a: i32, b: i32): i32 {
  return a < b ? a : b;
}

export function greater(a: i32, b: i32): i32 {
  return a > b ? a : b;
}

/** Quotient, rounded down. @param dividend At least 0. @param divisor At least 1. */
export function divide(dividend: i32, divisor: i32): i32 {
  return (dividend / divisor) | 0;
}

/** Quotient, rounded up. @param dividend At least 0, with `divisor` below 2^31. @param divisor At least 1. */
export function divideUp(dividend: i32, divisor: i32): i32 {
  return ((dividend + divisor - 1) / divisor) | 0;
}

/** The power of two that is not less than `count`, at least 2. @param count Up to 2^30. */
export function ceilPowerOfTwo(count: i32): i32 {
  let power = 2;
  while (power < count) power *= 2;
  return power;
}

/** @param power A power of two. */
export function log2(power: i32): i32 {
  let exponent = 0;
  while (1 << exponent < power) exponent++;
  return exponent;
}

/** The number without sign that has the bits of `word`. */
export function unsigned(word: i32): f64 {
  return word < 0 ? (word as f64) + 4294967296 : (word as f64);
}

/** The low 32 bits of the product. */
export function multiply(a: i32, b: i32): i32 {
  return Math.imul(a, b) as i32;
}
