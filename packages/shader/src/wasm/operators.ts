/**
 * Operators by shape: `i32.add(a, b)`, `f32x4.mul(a, b)`, `v128.load(pointer, { offset: 16 })`.
 * Names are those of the WebAssembly text format in camel case (`i32x4.trunc_sat_f32x4_s` is
 * `i32x4.truncSatF32x4S`). Operands have the order of the text format.
 */

import {
  f32Const,
  f32x4Const,
  f64Const,
  f64x2Const,
  i8x16Const,
  i16x8Const,
  i32Const,
  i32x4Const,
  i64Const,
  i64x2Const,
  v128Const,
} from './constants.ts';
import { createOperators } from './create-operators.ts';
import { F32_OPS, F64_OPS, I32_OPS, I64_OPS, MEMORY_OPS } from './scalar-ops.ts';
import {
  F32X4_OPS,
  F64X2_OPS,
  I8X16_OPS,
  I16X8_OPS,
  I32X4_OPS,
  I64X2_OPS,
  V128_OPS,
} from './vector-ops.ts';

/** Operators on 32-bit integers and on the truth values of comparisons. */
export const i32 = Object.freeze({ ...createOperators('i32', I32_OPS), const: i32Const });
/** Operators on 64-bit integers. */
export const i64 = Object.freeze({ ...createOperators('i64', I64_OPS), const: i64Const });
/** Operators on 32-bit floating-point numbers. */
export const f32 = Object.freeze({ ...createOperators('f32', F32_OPS), const: f32Const });
/** Operators on 64-bit floating-point numbers. */
export const f64 = Object.freeze({ ...createOperators('f64', F64_OPS), const: f64Const });
/** Operators of the memory as a whole. */
export const memory = Object.freeze(createOperators('memory', MEMORY_OPS));
/** Operators of vectors regardless of their shape: memory access, bits. */
export const v128 = Object.freeze({ ...createOperators('v128', V128_OPS), const: v128Const });
/** Operators on 16 lanes of 8 bits. */
export const i8x16 = Object.freeze({ ...createOperators('i8x16', I8X16_OPS), const: i8x16Const });
/** Operators on 8 lanes of 16 bits. */
export const i16x8 = Object.freeze({ ...createOperators('i16x8', I16X8_OPS), const: i16x8Const });
/** Operators on 4 lanes of 32 bits. */
export const i32x4 = Object.freeze({ ...createOperators('i32x4', I32X4_OPS), const: i32x4Const });
/** Operators on 2 lanes of 64 bits. */
export const i64x2 = Object.freeze({ ...createOperators('i64x2', I64X2_OPS), const: i64x2Const });
/** Operators on 4 lanes of f32. */
export const f32x4 = Object.freeze({ ...createOperators('f32x4', F32X4_OPS), const: f32x4Const });
/** Operators on 2 lanes of f64. */
export const f64x2 = Object.freeze({ ...createOperators('f64x2', F64X2_OPS), const: f64x2Const });
