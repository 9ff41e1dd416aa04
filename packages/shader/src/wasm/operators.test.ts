import { describe, expect, it } from 'vitest';
import { FLOAT_REFERENCE, integerReference } from '../testing/reference-arithmetic.ts';
import {
  compileExpression,
  type Lanes,
  MEMORY_PATTERN,
  PATTERN_AT,
  SCRATCH_AT,
  toBytes,
} from '../testing/run-expression.ts';
import type { Expr } from './expr.ts';
import {
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
  valueAfter,
} from './index.ts';
import type { OpRow } from './op-row.ts';
import * as scalarOps from './scalar-ops.ts';
import * as vectorOps from './vector-ops.ts';

/** Operator, operands, result; with `build` if the operator has immediates. */
type Case = [string, Lanes[], Lanes, ((...operands: Expr[]) => Expr)?];

const OPERATORS: Record<string, object> = {
  i32,
  i64,
  f32,
  f64,
  memory,
  v128,
  i8x16,
  i16x8,
  i32x4,
  i64x2,
  f32x4,
  f64x2,
};
const TABLES: Record<string, Readonly<Record<string, OpRow>>> = {
  i32: scalarOps.I32_OPS,
  i64: scalarOps.I64_OPS,
  f32: scalarOps.F32_OPS,
  f64: scalarOps.F64_OPS,
  memory: scalarOps.MEMORY_OPS,
  v128: vectorOps.V128_OPS,
  i8x16: vectorOps.I8X16_OPS,
  i16x8: vectorOps.I16X8_OPS,
  i32x4: vectorOps.I32X4_OPS,
  i64x2: vectorOps.I64X2_OPS,
  f32x4: vectorOps.F32X4_OPS,
  f64x2: vectorOps.F64X2_OPS,
};

const i8s = (...lanes: number[]) => Int8Array.from(lanes);
const u8s = (...lanes: number[]) => Uint8Array.from(lanes);
const i16s = (...lanes: number[]) => Int16Array.from(lanes);
const i32s = (...lanes: number[]) => Int32Array.from(lanes);
const u32s = (...lanes: number[]) => Uint32Array.from(lanes);
const i64s = (...lanes: bigint[]) => BigInt64Array.from(lanes);
const f32s = (...lanes: number[]) => Float32Array.from(lanes);
const f64s = (...lanes: number[]) => Float64Array.from(lanes);

const BYTES = u8s(0, 1, 2, 3, 4, 5, 6, 127, 128, 129, 200, 250, 251, 253, 254, 255);
const SHORTS = i16s(0, 1, -1, 300, -300, 32_767, -32_768, 200);
const WORDS = i32s(1, -1, 70_000, -70_000);
const LONGS = i64s(-(2n ** 63n), 2n ** 63n - 1n);

const CONVERSIONS: Case[] = [
  ['i32.wrapI64', [i64s(0x1_8000_0001n)], u32s(0x8000_0001)],
  ['i32.truncF32S', [f32s(-3.7)], i32s(-3)],
  ['i32.truncF32U', [f32s(3e9)], u32s(3e9)],
  ['i32.truncF64S', [f64s(-3.7)], i32s(-3)],
  ['i32.truncF64U', [f64s(4_294_967_295.5)], u32s(4_294_967_295)],
  ['i32.truncSatF32S', [f32s(-1e20)], i32s(-(2 ** 31))],
  ['i32.truncSatF32U', [f32s(3e9)], u32s(3e9)],
  ['i32.truncSatF64S', [f64s(1e20)], i32s(2 ** 31 - 1)],
  ['i32.truncSatF64U', [f64s(1e20)], u32s(2 ** 32 - 1)],
  ['i32.reinterpretF32', [f32s(1)], u32s(0x3f80_0000)],
  ['i64.extendI32S', [i32s(-5)], i64s(-5n)],
  ['i64.extendI32U', [i32s(-5)], i64s(2n ** 32n - 5n)],
  ['i64.truncF32S', [f32s(-3e9)], i64s(-3_000_000_000n)],
  ['i64.truncF32U', [f32s(2 ** 63)], i64s(-(2n ** 63n))],
  ['i64.truncF64S', [f64s(-3e9)], i64s(-3_000_000_000n)],
  ['i64.truncF64U', [f64s(2 ** 63)], i64s(-(2n ** 63n))],
  ['i64.truncSatF32S', [f32s(2 ** 63)], i64s(2n ** 63n - 1n)],
  ['i64.truncSatF32U', [f32s(2 ** 63)], i64s(-(2n ** 63n))],
  ['i64.truncSatF64S', [f64s(0.1 - 2 ** 40)], i64s(1n - 2n ** 40n)],
  ['i64.truncSatF64U', [f64s(-1)], i64s(0n)],
  ['i64.reinterpretF64', [f64s(1)], i64s(0x3ff0_0000_0000_0000n)],
  ['f32.convertI32S', [i32s(-16_777_217)], f32s(-16_777_216)],
  ['f32.convertI32U', [i32s(-1)], f32s(2 ** 32)],
  ['f32.convertI64S', [i64s(-1n)], f32s(-1)],
  ['f32.convertI64U', [i64s(-1n)], f32s(2 ** 64)],
  ['f32.demoteF64', [f64s(0.1)], f32s(0.1)],
  ['f32.reinterpretI32', [u32s(0x4049_0fdb)], f32s(Math.PI)],
  ['f64.convertI32S', [i32s(-7)], f64s(-7)],
  ['f64.convertI32U', [i32s(-7)], f64s(2 ** 32 - 7)],
  ['f64.convertI64S', [i64s(-7n)], f64s(-7)],
  ['f64.convertI64U', [i64s(-1n)], f64s(2 ** 64)],
  ['f64.promoteF32', [f32s(0.1)], f64s(Math.fround(0.1))],
  ['f64.reinterpretI64', [i64s(0x4000_0000_0000_0000n)], f64s(2)],
  ['i32x4.truncSatF32x4S', [f32s(-1.9, 3e9, NaN, -3e9)], i32s(-1, 2 ** 31 - 1, 0, -(2 ** 31))],
  ['i32x4.truncSatF32x4U', [f32s(-1.9, 3e9, NaN, 5e9)], u32s(0, 3e9, 0, 2 ** 32 - 1)],
  ['i32x4.truncSatF64x2SZero', [f64s(-1.9, 3e9)], i32s(-1, 2 ** 31 - 1, 0, 0)],
  ['i32x4.truncSatF64x2UZero', [f64s(-1.9, 3e9)], u32s(0, 3e9, 0, 0)],
  ['f32x4.convertI32x4S', [WORDS], f32s(1, -1, 70_000, -70_000)],
  ['f32x4.convertI32x4U', [i32s(1, -1, 7, 8)], f32s(1, 2 ** 32, 7, 8)],
  ['f32x4.demoteF64x2Zero', [f64s(0.1, -4)], f32s(0.1, -4, 0, 0)],
  ['f64x2.convertLowI32x4S', [WORDS], f64s(1, -1)],
  ['f64x2.convertLowI32x4U', [WORDS], f64s(1, 2 ** 32 - 1)],
  ['f64x2.promoteLowF32x4', [f32s(0.1, 2, 3, 4)], f64s(Math.fround(0.1), 2)],
  [
    'i8x16.narrowI16x8S',
    [SHORTS, SHORTS],
    i8s(...[...SHORTS, ...SHORTS].map((x) => Math.min(127, Math.max(-128, x)))),
  ],
  [
    'i8x16.narrowI16x8U',
    [SHORTS, SHORTS],
    u8s(...[...SHORTS, ...SHORTS].map((x) => Math.min(255, Math.max(0, x)))),
  ],
  ['i16x8.narrowI32x4S', [WORDS, i32s(2, 3, 4, 5)], i16s(1, -1, 32_767, -32_768, 2, 3, 4, 5)],
  ['i16x8.narrowI32x4U', [WORDS, i32s(2, 3, 4, 5)], i16s(1, 0, -1, 0, 2, 3, 4, 5)],
];

const WIDENING: Case[] = [
  ...(['Low', 'High'] as const).flatMap((half): Case[] => {
    const pick = <T>(lanes: ArrayLike<T>): T[] => {
      const all = Array.from(lanes);
      return half === 'Low' ? all.slice(0, all.length / 2) : all.slice(all.length / 2);
    };
    const bytes = pick(BYTES);
    const signedBytes = pick(new Int8Array(BYTES.buffer));
    const shorts = pick(SHORTS);
    const unsignedShorts = pick(new Uint16Array(SHORTS.buffer));
    const words = pick(WORDS);
    const unsignedWords = pick(new Uint32Array(WORDS.buffer));
    const squares = (lanes: number[]) => lanes.map((lane) => lane * lane);
    const long = (lane: number) => BigInt(lane);
    const longSquares = (lanes: number[]) => lanes.map((lane) => long(lane) * long(lane));
    return [
      [`i16x8.extend${half}I8x16S`, [BYTES], i16s(...signedBytes)],
      [`i16x8.extend${half}I8x16U`, [BYTES], i16s(...bytes)],
      [`i32x4.extend${half}I16x8S`, [SHORTS], i32s(...shorts)],
      [`i32x4.extend${half}I16x8U`, [SHORTS], i32s(...unsignedShorts)],
      [`i64x2.extend${half}I32x4S`, [WORDS], i64s(...words.map(long))],
      [`i64x2.extend${half}I32x4U`, [WORDS], i64s(...unsignedWords.map(long))],
      [`i16x8.extmul${half}I8x16S`, [BYTES, BYTES], i16s(...squares(signedBytes))],
      [`i16x8.extmul${half}I8x16U`, [BYTES, BYTES], i16s(...squares(bytes))],
      [`i32x4.extmul${half}I16x8S`, [SHORTS, SHORTS], i32s(...squares(shorts))],
      [`i32x4.extmul${half}I16x8U`, [SHORTS, SHORTS], u32s(...squares(unsignedShorts))],
      [`i64x2.extmul${half}I32x4S`, [WORDS, WORDS], i64s(...longSquares(words))],
      [`i64x2.extmul${half}I32x4U`, [WORDS, WORDS], i64s(...longSquares(unsignedWords))],
    ];
  }),
  ['i16x8.extaddPairwiseI8x16S', [BYTES], i16s(1, 5, 9, 133, -255, -62, -8, -3)],
  ['i16x8.extaddPairwiseI8x16U', [BYTES], i16s(1, 5, 9, 133, 257, 450, 504, 509)],
  ['i32x4.extaddPairwiseI16x8S', [SHORTS], i32s(1, 299, 32_467, -32_568)],
  ['i32x4.extaddPairwiseI16x8U', [SHORTS], i32s(1, 65_835, 98_003, 32_968)],
  ['i32x4.dotI16x8S', [SHORTS, SHORTS], i32s(1, 90_001, 90_000 + 32_767 ** 2, 2 ** 30 + 40_000)],
];

const LANES: Case[] = [
  ['i8x16.splat', [i32s(0x1ff)], u8s(...new Array(16).fill(255))],
  ['i16x8.splat', [i32s(-2)], i16s(...new Array(8).fill(-2))],
  ['i32x4.splat', [i32s(-2)], i32s(-2, -2, -2, -2)],
  ['i64x2.splat', [i64s(-2n)], i64s(-2n, -2n)],
  ['f32x4.splat', [f32s(0.1)], f32s(0.1, 0.1, 0.1, 0.1)],
  ['f64x2.splat', [f64s(0.1)], f64s(0.1, 0.1)],
  ['i8x16.extractLaneS', [BYTES], i32s(-2), (a) => i8x16.extractLaneS(a, 14)],
  ['i8x16.extractLaneU', [BYTES], i32s(254), (a) => i8x16.extractLaneU(a, 14)],
  ['i16x8.extractLaneS', [SHORTS], i32s(-300), (a) => i16x8.extractLaneS(a, 4)],
  ['i16x8.extractLaneU', [SHORTS], i32s(65_236), (a) => i16x8.extractLaneU(a, 4)],
  ['i32x4.extractLane', [WORDS], i32s(-70_000), (a) => i32x4.extractLane(a, 3)],
  ['i64x2.extractLane', [LONGS], i64s(2n ** 63n - 1n), (a) => i64x2.extractLane(a, 1)],
  ['f32x4.extractLane', [f32s(1, 2, 3, 4)], f32s(3), (a) => f32x4.extractLane(a, 2)],
  ['f64x2.extractLane', [f64s(1, 2)], f64s(2), (a) => f64x2.extractLane(a, 1)],
  ['i8x16.replaceLane', [BYTES, i32s(77)], BYTES.with(9, 77), (a, b) => i8x16.replaceLane(a, 9, b)],
  [
    'i16x8.replaceLane',
    [SHORTS, i32s(77)],
    SHORTS.with(7, 77),
    (a, b) => i16x8.replaceLane(a, 7, b),
  ],
  ['i32x4.replaceLane', [WORDS, i32s(77)], WORDS.with(2, 77), (a, b) => i32x4.replaceLane(a, 2, b)],
  [
    'i64x2.replaceLane',
    [LONGS, i64s(77n)],
    LONGS.with(1, 77n),
    (a, b) => i64x2.replaceLane(a, 1, b),
  ],
  [
    'f32x4.replaceLane',
    [f32s(1, 2, 3, 4), f32s(9)],
    f32s(1, 9, 3, 4),
    (a, b) => f32x4.replaceLane(a, 1, b),
  ],
  ['f64x2.replaceLane', [f64s(1, 2), f64s(9)], f64s(9, 2), (a, b) => f64x2.replaceLane(a, 0, b)],
  ['i8x16.allTrue', [BYTES], i32s(0)],
  ['i16x8.allTrue', [i16s(1, 2, 3, 4, 5, 6, 7, 256)], i32s(1)],
  ['i32x4.allTrue', [i32s(0x100, 0, 1, 1)], i32s(0)],
  ['i64x2.allTrue', [i32s(1, 0, 0, 1)], i32s(1)],
  ['i8x16.bitmask', [BYTES], i32s(0xff00)],
  ['i16x8.bitmask', [SHORTS], i32s(0b0101_0100)],
  ['i32x4.bitmask', [WORDS], i32s(0b1010)],
  ['i64x2.bitmask', [LONGS], i32s(1)],
  [
    'i8x16.swizzle',
    [BYTES, BYTES.map((_, lane) => 17 - lane)],
    u8s(0, 0, ...BYTES.slice(2).reverse()),
  ],
  [
    'i8x16.shuffle',
    [BYTES, BYTES.map((x) => x ^ 1)],
    BYTES.map((x, lane) => (lane % 2 ? x ^ 1 : x)),
    (a, b) =>
      i8x16.shuffle(
        a,
        b,
        BYTES.map((_, lane) => (lane % 2 ? 16 + lane : lane)),
      ),
  ],
  ['v128.not', [u32s(0, 1, 2, 3)], i32s(-1, -2, -3, -4)],
  ['v128.and', [u32s(12, 12, 12, 12), u32s(10, 3, 15, 0)], u32s(8, 0, 12, 0)],
  ['v128.andnot', [u32s(12, 12, 12, 12), u32s(10, 3, 15, 0)], u32s(4, 12, 0, 12)],
  ['v128.or', [u32s(12, 12, 12, 12), u32s(10, 3, 15, 0)], u32s(14, 15, 15, 12)],
  ['v128.xor', [u32s(12, 12, 12, 12), u32s(10, 3, 15, 0)], u32s(6, 15, 3, 12)],
  ['v128.bitselect', [u32s(1, 2, 3, 4), u32s(5, 6, 7, 8), i32s(-1, 0, 1, 12)], u32s(1, 6, 7, 4)],
  ['v128.anyTrue', [u32s(0, 0, 4, 0)], i32s(1)],
];

/** Returns `accessBits` bits of the pattern from `byteIndex`, little-endian. */
function loadedLane(byteIndex: number, accessBits: number, isSigned: boolean): bigint {
  let value = 0n;
  for (let index = accessBits / 8 - 1; index >= 0; index--) {
    value = (value << 8n) | BigInt(MEMORY_PATTERN[byteIndex + index]);
  }
  return isSigned ? BigInt.asIntN(accessBits, value) : value;
}

const wordOf = (accessBits: number, sign = 'U') =>
  i32s(Number(BigInt.asIntN(32, loadedLane(2, accessBits, sign === 'S'))));
const longOf = (accessBits: number, sign = 'U') => i64s(loadedLane(2, accessBits, sign === 'S'));
const PATTERN = i32.const(PATTERN_AT);
const SCRATCH = i32.const(SCRATCH_AT);
const AT_2 = { offset: 2, align: 1 };
const pattern = (from: number, byteCount: number) => MEMORY_PATTERN.slice(from, from + byteCount);
const repeated = (bytes: Uint8Array) =>
  Uint8Array.from({ length: 16 }, (_, index) => bytes[index % bytes.length]);
const withPattern = (vector: Uint8Array, at: number, byteCount: number) => {
  const changed = vector.slice();
  changed.set(pattern(2, byteCount), at);
  return changed;
};
const padded = (bytes: Uint8Array) =>
  Uint8Array.from({ length: 16 }, (_, index) => bytes[index] ?? 0);

const MEMORY: Case[] = [
  ['i32.load', [], wordOf(32), () => i32.load(PATTERN, AT_2)],
  ['i32.load8S', [], wordOf(8, 'S'), () => i32.load8S(PATTERN, AT_2)],
  ['i32.load8U', [], wordOf(8), () => i32.load8U(PATTERN, AT_2)],
  ['i32.load16S', [], wordOf(16, 'S'), () => i32.load16S(PATTERN, AT_2)],
  ['i32.load16U', [], wordOf(16), () => i32.load16U(PATTERN, AT_2)],
  ['i64.load', [], longOf(64, 'S'), () => i64.load(PATTERN, AT_2)],
  ['i64.load8S', [], longOf(8, 'S'), () => i64.load8S(PATTERN, AT_2)],
  ['i64.load8U', [], longOf(8), () => i64.load8U(PATTERN, AT_2)],
  ['i64.load16S', [], longOf(16, 'S'), () => i64.load16S(PATTERN, AT_2)],
  ['i64.load16U', [], longOf(16), () => i64.load16U(PATTERN, AT_2)],
  ['i64.load32S', [], longOf(32, 'S'), () => i64.load32S(PATTERN, AT_2)],
  ['i64.load32U', [], longOf(32), () => i64.load32U(PATTERN, AT_2)],
  ['f32.load', [], pattern(4, 4), () => f32.load(PATTERN, { offset: 4 })],
  ['f64.load', [], pattern(1, 8), () => f64.load(PATTERN, { offset: 1, align: 2 })],
  ['v128.load', [], MEMORY_PATTERN, () => v128.load(PATTERN)],
  [
    'v128.load8x8S',
    [],
    i16s(...new Int8Array(pattern(2, 8).buffer)),
    () => v128.load8x8S(PATTERN, AT_2),
  ],
  ['v128.load8x8U', [], i16s(...pattern(2, 8)), () => v128.load8x8U(PATTERN, AT_2)],
  [
    'v128.load16x4S',
    [],
    i32s(...new Int16Array(pattern(2, 8).buffer)),
    () => v128.load16x4S(PATTERN, AT_2),
  ],
  [
    'v128.load16x4U',
    [],
    i32s(...new Uint16Array(pattern(2, 8).buffer)),
    () => v128.load16x4U(PATTERN, AT_2),
  ],
  [
    'v128.load32x2S',
    [],
    i64s(...[...new Int32Array(pattern(2, 8).buffer)].map(BigInt)),
    () => v128.load32x2S(PATTERN, AT_2),
  ],
  [
    'v128.load32x2U',
    [],
    i64s(...[...new Uint32Array(pattern(2, 8).buffer)].map(BigInt)),
    () => v128.load32x2U(PATTERN, AT_2),
  ],
  ['v128.load8Splat', [], repeated(pattern(2, 1)), () => v128.load8Splat(PATTERN, AT_2)],
  ['v128.load16Splat', [], repeated(pattern(2, 2)), () => v128.load16Splat(PATTERN, AT_2)],
  ['v128.load32Splat', [], repeated(pattern(2, 4)), () => v128.load32Splat(PATTERN, AT_2)],
  ['v128.load64Splat', [], repeated(pattern(2, 8)), () => v128.load64Splat(PATTERN, AT_2)],
  ['v128.load32Zero', [], padded(pattern(2, 4)), () => v128.load32Zero(PATTERN, AT_2)],
  ['v128.load64Zero', [], padded(pattern(2, 8)), () => v128.load64Zero(PATTERN, AT_2)],
  [
    'v128.load8Lane',
    [BYTES],
    withPattern(BYTES, 13, 1),
    (a) => v128.load8Lane(PATTERN, a, 13, AT_2),
  ],
  [
    'v128.load16Lane',
    [BYTES],
    withPattern(BYTES, 10, 2),
    (a) => v128.load16Lane(PATTERN, a, 5, AT_2),
  ],
  [
    'v128.load32Lane',
    [BYTES],
    withPattern(BYTES, 12, 4),
    (a) => v128.load32Lane(PATTERN, a, 3, AT_2),
  ],
  [
    'v128.load64Lane',
    [BYTES],
    withPattern(BYTES, 8, 8),
    (a) => v128.load64Lane(PATTERN, a, 1, AT_2),
  ],
  ...(
    [
      ['i32.store', WORDS.slice(1, 2), 4, (a) => i32.store(SCRATCH, a, AT_2)],
      ['i32.store8', WORDS.slice(1, 2), 1, (a) => i32.store8(SCRATCH, a, AT_2)],
      ['i32.store16', WORDS.slice(1, 2), 2, (a) => i32.store16(SCRATCH, a, AT_2)],
      ['i64.store', LONGS.slice(1), 8, (a) => i64.store(SCRATCH, a, AT_2)],
      ['i64.store8', LONGS.slice(1), 1, (a) => i64.store8(SCRATCH, a, AT_2)],
      ['i64.store16', LONGS.slice(1), 2, (a) => i64.store16(SCRATCH, a, AT_2)],
      ['i64.store32', LONGS.slice(1), 4, (a) => i64.store32(SCRATCH, a, AT_2)],
      ['f32.store', f32s(0.1), 4, (a) => f32.store(SCRATCH, a, AT_2)],
      ['f64.store', f64s(0.1), 8, (a) => f64.store(SCRATCH, a, AT_2)],
    ] satisfies [string, Lanes, number, (a: Expr) => ReturnType<typeof i32.store>][]
  ).map(
    ([name, value, byteCount, build]): Case => [
      name,
      [value],
      padded(Uint8Array.from([0, 0, ...toBytes(value).slice(0, byteCount)])),
      (a) => valueAfter(build(a), v128.load(SCRATCH)),
    ],
  ),
  [
    'v128.store',
    [BYTES],
    BYTES,
    (a) => valueAfter(v128.store(SCRATCH, a, AT_2), v128.load(SCRATCH, AT_2)),
  ],
  [
    'v128.store8Lane',
    [BYTES],
    padded(BYTES.slice(11, 12)),
    (a) => valueAfter(v128.store8Lane(SCRATCH, a, 11), v128.load(SCRATCH)),
  ],
  [
    'v128.store16Lane',
    [BYTES],
    padded(BYTES.slice(12, 14)),
    (a) => valueAfter(v128.store16Lane(SCRATCH, a, 6), v128.load(SCRATCH)),
  ],
  [
    'v128.store32Lane',
    [BYTES],
    padded(BYTES.slice(12, 16)),
    (a) => valueAfter(v128.store32Lane(SCRATCH, a, 3), v128.load(SCRATCH)),
  ],
  [
    'v128.store64Lane',
    [BYTES],
    padded(BYTES.slice(8, 16)),
    (a) => valueAfter(v128.store64Lane(SCRATCH, a, 1), v128.load(SCRATCH)),
  ],
  ['memory.size', [], i32s(1)],
  ['memory.grow', [i32s(1)], i32s(1)],
  [
    'memory.copy',
    [],
    padded(pattern(3, 5)),
    () =>
      valueAfter(memory.copy(SCRATCH, i32.const(PATTERN_AT + 3), i32.const(5)), v128.load(SCRATCH)),
  ],
  [
    'memory.fill',
    [],
    padded(u8s(7, 7, 7)),
    () => valueAfter(memory.fill(SCRATCH, i32.const(0x107), i32.const(3)), v128.load(SCRATCH)),
  ],
];

const CASES = [...CONVERSIONS, ...WIDENING, ...LANES, ...MEMORY];

describe('operators', () => {
  it.each(CASES)('%s returns its result', (name, operands, expected, build) => {
    const [group, key] = name.split('.');
    const { operands: operandTypes } = TABLES[group][key];
    // Cases without `build` name operators whose operands are all expressions.
    const operator = OPERATORS[group][key as never] as (...operands: Expr[]) => Expr;
    // A case with `build` lists only the last operands: `build` adds the pointer.
    const valueTypes = operandTypes.slice(operandTypes.length - operands.length);
    const run = compileExpression(valueTypes, build ?? operator);
    const found = run(...operands).slice(0, expected.byteLength);
    expect([...found]).toEqual([...toBytes(expected)]);
  });

  it('are all executed, here or in arithmetic-operators.test.ts', () => {
    const arithmetic = { ...integerReference(32), ...FLOAT_REFERENCE };
    const executed = new Set(CASES.map(([name]) => name));
    const missing = Object.entries(TABLES).flatMap(([group, table]) =>
      Object.keys(table)
        .filter((key) => group === 'v128' || !(key in arithmetic))
        .map((key) => `${group}.${key}`)
        .filter((name) => !executed.has(name)),
    );
    expect(missing).toEqual([]);
  });
});
