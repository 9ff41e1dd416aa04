/** A WebAssembly module encoder, from expression trees to bytes. */

export type { WasmFunction } from './body-encoder.ts';
export { call, callMulti, ret } from './call.ts';
export { f32Const, f64Const, i32Const, i64Const, v128Const } from './constants.ts';
export {
  block,
  br,
  brIf,
  brTable,
  createLabel,
  drop,
  ifThen,
  ifValue,
  type Label,
  type LabelledBody,
  loop,
  select,
  sequence,
  unreachable,
  valueAfter,
  whileLoop,
} from './control.ts';
export type { Body, Expr, Stmt } from './expr.ts';
export type { FunctionBuilder } from './function-builder.ts';
export { get, type Local, set, tee } from './local.ts';
export type { MemoryPlace } from './op-row.ts';
export {
  f32,
  f32x4,
  f64,
  f64x2,
  i8x16,
  i16x8,
  i32,
  i32x4,
  i64,
  i64x2,
  memory,
  v128,
} from './operators.ts';
export type { FunctionSignature, ValueType } from './value-type.ts';
export {
  type FunctionOptions,
  type MemoryLimits,
  WasmModuleBuilder,
} from './wasm-module-builder.ts';
