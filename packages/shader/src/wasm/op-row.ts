/**
 * Rows of the operator tables: opcode, operand types, result type and the shape of the immediates.
 * Opcodes are those of the WebAssembly core specification 2.0, section 5.4.
 */

import type { Expr, Stmt } from './expr.ts';
import type { ValueType } from './value-type.ts';

/** Address of a memory access relative to its pointer, alignment and memory. */
export interface MemoryPlace {
  /** Offset added to the pointer in bytes: an integer from 0 to 2^32 − 1. Default 0. */
  readonly offset?: number;
  /**
   * Promised alignment in bytes: a power of two up to the size of the access, which is the default.
   * It is only a hint. A misaligned pointer gives the same result.
   */
  readonly align?: number;
  /** Number of the memory in the order in which the module imports them. Default 0. */
  readonly memoryIndex?: number;
}

/** Function type for each kind of operator. */
export interface OperatorByKind {
  nullary: () => Expr;
  unary: (value: Expr) => Expr;
  binary: (left: Expr, right: Expr) => Expr;
  ternary: (first: Expr, second: Expr, third: Expr) => Expr;
  copy: (destination: Expr, source: Expr, byteCount: Expr) => Stmt;
  fill: (destination: Expr, byteValue: Expr, byteCount: Expr) => Stmt;
  load: (pointer: Expr, place?: MemoryPlace) => Expr;
  store: (pointer: Expr, value: Expr, place?: MemoryPlace) => Stmt;
  loadLane: (pointer: Expr, vector: Expr, lane: number, place?: MemoryPlace) => Expr;
  storeLane: (pointer: Expr, vector: Expr, lane: number, place?: MemoryPlace) => Stmt;
  extractLane: (vector: Expr, lane: number) => Expr;
  replaceLane: (vector: Expr, lane: number, value: Expr) => Expr;
  /** Selects bytes; `lanes[i]` is 0 to 15 for a byte of `left`, 16 to 31 for a byte of `right`. */
  shuffle: (left: Expr, right: Expr, lanes: ArrayLike<number>) => Expr;
}

/** Kind of an operator. */
export type OperatorKind = keyof OperatorByKind;

/** Properties of one operator. */
export interface OpRow<Kind extends OperatorKind = OperatorKind> {
  readonly kind: Kind;
  /** First byte of a two-part opcode (0xfc or 0xfd), or 0. */
  readonly prefix: number;
  readonly code: number;
  readonly operands: readonly ValueType[];
  readonly result: ValueType | 'none';
  /** Size of a memory access in bytes; 0 for other operators. */
  readonly accessBytes: number;
  /** Number of lanes that a lane index selects from; 0 for other operators. */
  readonly laneCount: number;
  /** Number of memory indices (all 0) that follow the opcode. */
  readonly memoryIndexCount: number;
}

const MISC_PREFIX = 0xfc;
const SIMD_PREFIX = 0xfd;

function row<Kind extends OperatorKind>(
  kind: Kind,
  prefix: number,
  code: number,
  operands: readonly ValueType[],
  result: ValueType | 'none',
  immediates: Partial<Pick<OpRow, 'accessBytes' | 'laneCount' | 'memoryIndexCount'>> = {},
): OpRow<Kind> {
  const { accessBytes = 0, laneCount = 0, memoryIndexCount = 0 } = immediates;
  return { kind, prefix, code, operands, result, accessBytes, laneCount, memoryIndexCount };
}

/** Returns the row of `operand` → `result`, without immediates. */
export function unary(code: number, operand: ValueType, result: ValueType): OpRow<'unary'> {
  return row('unary', 0, code, [operand], result);
}

/** Returns the row of `operand` × `operand` → `result`, without immediates. */
export function binary(code: number, operand: ValueType, result: ValueType): OpRow<'binary'> {
  return row('binary', 0, code, [operand, operand], result);
}

/** Returns the row of a saturating float-to-integer conversion. */
export function truncSat(code: number, operand: ValueType, result: ValueType): OpRow<'unary'> {
  return row('unary', MISC_PREFIX, code, [operand], result);
}

/** Returns the row of a scalar load of `accessBytes` bytes. */
export function load(code: number, result: ValueType, accessBytes: number): OpRow<'load'> {
  return row('load', 0, code, ['i32'], result, { accessBytes });
}

/** Returns the row of a scalar store of `accessBytes` bytes. */
export function store(code: number, value: ValueType, accessBytes: number): OpRow<'store'> {
  return row('store', 0, code, ['i32', value], 'none', { accessBytes });
}

/** Returns the row of `memory.size`. */
export function memorySize(code: number): OpRow<'nullary'> {
  return row('nullary', 0, code, [], 'i32', { memoryIndexCount: 1 });
}

/** Returns the row of `memory.grow`. */
export function memoryGrow(code: number): OpRow<'unary'> {
  return row('unary', 0, code, ['i32'], 'i32', { memoryIndexCount: 1 });
}

/** Returns the row of `memory.copy`. */
export function memoryCopy(code: number): OpRow<'copy'> {
  return row('copy', MISC_PREFIX, code, ['i32', 'i32', 'i32'], 'none', { memoryIndexCount: 2 });
}

/** Returns the row of `memory.fill`. */
export function memoryFill(code: number): OpRow<'fill'> {
  return row('fill', MISC_PREFIX, code, ['i32', 'i32', 'i32'], 'none', { memoryIndexCount: 1 });
}

/** Returns the row of v128 → v128, or to another type. */
export function vectorUnary(code: number, result: ValueType = 'v128'): OpRow<'unary'> {
  return row('unary', SIMD_PREFIX, code, ['v128'], result);
}

/** Returns the row of v128 × v128 → v128. */
export function vectorBinary(code: number): OpRow<'binary'> {
  return row('binary', SIMD_PREFIX, code, ['v128', 'v128'], 'v128');
}

/** Returns the row of v128 × v128 × v128 → v128. */
export function vectorTernary(code: number): OpRow<'ternary'> {
  return row('ternary', SIMD_PREFIX, code, ['v128', 'v128', 'v128'], 'v128');
}

/**
 * Returns the row of v128 × i32 → v128: the same shift in all lanes, modulo the width of a lane.
 */
export function vectorShift(code: number): OpRow<'binary'> {
  return row('binary', SIMD_PREFIX, code, ['v128', 'i32'], 'v128');
}

/** Returns the row of an operator that copies a scalar to all lanes. */
export function splat(code: number, operand: ValueType): OpRow<'unary'> {
  return row('unary', SIMD_PREFIX, code, [operand], 'v128');
}

/** Returns the row of an operator that extracts one lane as a scalar. */
export function extractLane(
  code: number,
  result: ValueType,
  laneCount: number,
): OpRow<'extractLane'> {
  return row('extractLane', SIMD_PREFIX, code, ['v128'], result, { laneCount });
}

/** Returns the row of an operator that replaces one lane by a scalar. */
export function replaceLane(
  code: number,
  value: ValueType,
  laneCount: number,
): OpRow<'replaceLane'> {
  return row('replaceLane', SIMD_PREFIX, code, ['v128', value], 'v128', { laneCount });
}

/** Returns the row of an operator that selects 16 bytes out of two vectors. */
export function shuffle(code: number): OpRow<'shuffle'> {
  return row('shuffle', SIMD_PREFIX, code, ['v128', 'v128'], 'v128', { laneCount: 32 });
}

/** Returns the row of a load into a vector. */
export function vectorLoad(code: number, accessBytes: number): OpRow<'load'> {
  return row('load', SIMD_PREFIX, code, ['i32'], 'v128', { accessBytes });
}

/** Returns the row of a store of a whole vector. */
export function vectorStore(code: number): OpRow<'store'> {
  return row('store', SIMD_PREFIX, code, ['i32', 'v128'], 'none', { accessBytes: 16 });
}

/** Returns the row of a load into one lane of a vector. */
export function loadLane(code: number, accessBytes: number): OpRow<'loadLane'> {
  const laneCount = 16 / accessBytes;
  return row('loadLane', SIMD_PREFIX, code, ['i32', 'v128'], 'v128', { accessBytes, laneCount });
}

/** Returns the row of a store of one lane of a vector. */
export function storeLane(code: number, accessBytes: number): OpRow<'storeLane'> {
  const laneCount = 16 / accessBytes;
  return row('storeLane', SIMD_PREFIX, code, ['i32', 'v128'], 'none', { accessBytes, laneCount });
}
