/** Constant expressions, scalar and vector. */

import type { BodyEncoder } from './body-encoder.ts';
import type { Expr } from './expr.ts';

const I32_CONST = 0x41;
const I64_CONST = 0x42;
const F32_CONST = 0x43;
const F64_CONST = 0x44;
const SIMD_PREFIX = 0xfd;
const V128_CONST = 0x0c;

class I32ConstNode implements Expr {
  readonly type = 'i32';
  readonly op = 'i32.const';
  readonly #value: number;

  constructor(value: number) {
    this.#value = value;
  }

  encode({ bytes }: BodyEncoder): void {
    bytes.writeByte(I32_CONST);
    bytes.writeS32(this.#value);
  }
}

/**
 * Returns an i32 constant.
 *
 * @param value Integer from −2^31 to 2^32 − 1; from 2^31 it stands for its bit pattern.
 */
export function i32Const(value: number): Expr {
  if (!Number.isInteger(value) || value < -(2 ** 31) || value >= 2 ** 32) {
    throw new Error(`i32.const: ${value} is not an integer from -2^31 to 2^32 - 1`);
  }
  return new I32ConstNode(value | 0);
}

/**
 * Returns an i64 constant.
 *
 * @param value Integer from −2^63 to 2^64 − 1; a number must be a safe integer.
 */
export function i64Const(value: bigint | number): Expr {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error(`i64.const: ${value} is not a safe integer; pass a bigint`);
  }
  const wide = BigInt(value);
  if (wide < -(2n ** 63n) || wide >= 2n ** 64n) {
    throw new Error(`i64.const: ${wide} is not an integer from -2^63 to 2^64 - 1`);
  }
  return {
    type: 'i64',
    op: 'i64.const',
    encode({ bytes }) {
      bytes.writeByte(I64_CONST);
      bytes.writeS64(wide);
    },
  };
}

/**
 * Returns an f32 constant: `value` rounded to nearest. For a NaN with a payload, reinterpret an
 * i32.
 */
export function f32Const(value: number): Expr {
  return {
    type: 'f32',
    op: 'f32.const',
    encode({ bytes }) {
      bytes.writeByte(F32_CONST);
      bytes.writeF32(value);
    },
  };
}

/** Returns an f64 constant. */
export function f64Const(value: number): Expr {
  return {
    type: 'f64',
    op: 'f64.const',
    encode({ bytes }) {
      bytes.writeByte(F64_CONST);
      bytes.writeF64(value);
    },
  };
}

/** Returns a v128 of four 32-bit words, lane 0 first, each an integer from −2^31 to 2^32 − 1. */
export function v128Const(words: ArrayLike<number>): Expr {
  return laneConst('v128.const', words, 4, Uint32Array, -(2 ** 31), 2 ** 32 - 1);
}

/** Returns a v128 of 16 bytes, each an integer from −128 to 255. */
export function i8x16Const(lanes: ArrayLike<number>): Expr {
  return laneConst('i8x16.const', lanes, 16, Uint8Array, -128, 255);
}

/** Returns a v128 of eight 16-bit lanes, each an integer from −32768 to 65535. */
export function i16x8Const(lanes: ArrayLike<number>): Expr {
  return laneConst('i16x8.const', lanes, 8, Uint16Array, -32768, 65535);
}

/** Returns a v128 of four 32-bit lanes, each an integer from −2^31 to 2^32 − 1. */
export function i32x4Const(lanes: ArrayLike<number>): Expr {
  return laneConst('i32x4.const', lanes, 4, Uint32Array, -(2 ** 31), 2 ** 32 - 1);
}

/** Returns a v128 of four f32 lanes. */
export function f32x4Const(lanes: ArrayLike<number>): Expr {
  checkLaneCount('f32x4.const', lanes, 4);
  return vectorConst('f32x4.const', Float32Array.from(lanes));
}

/** Returns a v128 of two f64 lanes. */
export function f64x2Const(lanes: ArrayLike<number>): Expr {
  checkLaneCount('f64x2.const', lanes, 2);
  return vectorConst('f64x2.const', Float64Array.from(lanes));
}

/** Returns a v128 of two 64-bit lanes, each an integer from −2^63 to 2^64 − 1. */
export function i64x2Const(lanes: readonly bigint[]): Expr {
  checkLaneCount('i64x2.const', lanes, 2);
  return vectorConst('i64x2.const', BigUint64Array.from(lanes));
}

function laneConst(
  op: string,
  lanes: ArrayLike<number>,
  laneCount: number,
  Lanes: Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor,
  min: number,
  max: number,
): Expr {
  checkLaneCount(op, lanes, laneCount);
  for (let index = 0; index < laneCount; index++) {
    const lane = lanes[index];
    if (!Number.isInteger(lane) || lane < min || lane > max) {
      throw new Error(`${op}: lane ${index} is ${lane}, expected an integer from ${min} to ${max}`);
    }
  }
  return vectorConst(op, Lanes.from(lanes));
}

function checkLaneCount(op: string, lanes: ArrayLike<unknown>, laneCount: number): void {
  if (lanes.length !== laneCount) {
    throw new Error(`${op}: ${lanes.length} lanes, expected ${laneCount}`);
  }
}

/**
 * Returns a v128 constant. Typed arrays have the byte order of the binary format because all
 * platforms of V8 that run this are little-endian.
 */
function vectorConst(op: string, lanes: ArrayBufferView<ArrayBuffer>): Expr {
  const laneBytes = new Uint8Array(lanes.buffer);
  return {
    type: 'v128',
    op,
    encode({ bytes }) {
      bytes.writeByte(SIMD_PREFIX);
      bytes.writeByte(V128_CONST);
      bytes.writeBytes(laneBytes);
    },
  };
}
