/** Compiles one expression and runs it on values given as bytes. */

import type { Expr } from '../wasm/expr.ts';
import {
  f32,
  f64,
  i32,
  i64,
  ret,
  type Stmt,
  type ValueType,
  v128,
  WasmModuleBuilder,
} from '../wasm/index.ts';

/** Value as the typed array of its lanes; a scalar has one lane. */
export type Lanes =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float32Array
  | Float64Array;

/** Distance between two operands in memory. */
const OPERAND_STRIDE_BYTES = 16;
/** Address of the result. */
const RESULT_AT = 64;
/** Address of {@link MEMORY_PATTERN}, for the operators that load. */
export const PATTERN_AT = 256;
/** Pattern of bytes with and without the sign bit. */
export const MEMORY_PATTERN = Uint8Array.from([
  0x81, 0x72, 0xa3, 0x94, 0x35, 0xc6, 0x87, 0xf8, 0x09, 0x9a, 0x1b, 0xac, 0xdd, 0xee, 0x0f, 0x80,
]);
/** Address of free memory, for the operators that store. */
export const SCRATCH_AT = 512;

const LOADS = { i32, i64, f32, f64, v128 } as const;

/**
 * Compiles `build` to a function from operands to the 16 bytes of the result. A scalar is followed
 * by zeros.
 */
export function compileExpression(
  operandTypes: readonly ValueType[],
  build: (...operands: Expr[]) => Expr,
): (...operands: Lanes[]) => Uint8Array {
  const module = new WasmModuleBuilder();
  module.addMemory({ minPages: 1 }, 'memory');
  const fn = module.addFunction('run', { params: [], results: [], export: 'run' });
  const operands = operandTypes.map((type, index) =>
    LOADS[type].load(i32.const(index * OPERAND_STRIDE_BYTES)),
  );
  fn.emit(storeResult(build(...operands)), ret());
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.encode()));
  const memory = exports.memory as WebAssembly.Memory;
  new Uint8Array(memory.buffer).set(MEMORY_PATTERN, PATTERN_AT);
  const run = exports.run as () => void;
  return (...lanes) => {
    lanes.forEach((operand, index) => {
      new Uint8Array(memory.buffer).set(toBytes(operand), index * OPERAND_STRIDE_BYTES);
    });
    run();
    // A run that grows the memory detaches the previous buffer.
    return new Uint8Array(memory.buffer).slice(RESULT_AT, RESULT_AT + 16);
  };
}

/** Returns the bytes of `lanes`. */
export function toBytes(lanes: Lanes): Uint8Array {
  return new Uint8Array(lanes.buffer, lanes.byteOffset, lanes.byteLength);
}

function storeResult(value: Expr): Stmt {
  return LOADS[value.type].store(i32.const(RESULT_AT), value);
}
