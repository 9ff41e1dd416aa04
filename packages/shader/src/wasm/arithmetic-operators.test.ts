import { describe, expect, it } from 'vitest';
import { FLOAT_REFERENCE, integerReference } from '../testing/reference-arithmetic.ts';
import { compileExpression, type Lanes } from '../testing/run-expression.ts';
import { createOperators } from './create-operators.ts';
import type { Expr } from './expr.ts';
import type { OpRow } from './op-row.ts';
import { F32_OPS, F64_OPS, I32_OPS, I64_OPS } from './scalar-ops.ts';
import { F32X4_OPS, F64X2_OPS, I8X16_OPS, I16X8_OPS, I32X4_OPS, I64X2_OPS } from './vector-ops.ts';

type Table = Readonly<Record<string, OpRow>>;

const INTEGER_SHAPES: [string, Table, number, number][] = [
  ['i32', I32_OPS, 32, 1],
  ['i64', I64_OPS, 64, 1],
  ['i8x16', I8X16_OPS, 8, 16],
  ['i16x8', I16X8_OPS, 16, 8],
  ['i32x4', I32X4_OPS, 32, 4],
  ['i64x2', I64X2_OPS, 64, 2],
];

const FLOAT_SHAPES: [string, Table, Float32ArrayConstructor | Float64ArrayConstructor, number][] = [
  ['f32', F32_OPS, Float32Array, 1],
  ['f64', F64_OPS, Float64Array, 1],
  ['f32x4', F32X4_OPS, Float32Array, 4],
  ['f64x2', F64X2_OPS, Float64Array, 2],
];

const FLOAT_SAMPLES = [
  0,
  -0,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  3,
  -7.25,
  1e-40,
  0.1,
  16_777_217,
  1e30,
  -1e30,
  Infinity,
  -Infinity,
  NaN,
];

/** Returns all pairs of `samples`. */
function pairsOf<T>(samples: readonly T[]): [T, T][] {
  return samples.flatMap((a) => samples.map((b): [T, T] => [a, b]));
}

function operatorsOf(group: string, table: Table): Record<string, (...operands: Expr[]) => Expr> {
  // Only rows whose operands are all expressions are used here.
  return createOperators(group, table) as unknown as Record<string, (...operands: Expr[]) => Expr>;
}

function packLanes(lanes: readonly bigint[], bits: number): Lanes {
  if (bits === 64) return BigUint64Array.from(lanes);
  const Lane = bits === 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
  return Lane.from(lanes.map(Number));
}

function unpackLanes(bytes: Uint8Array, bits: number, laneCount: number): bigint[] {
  const { buffer } = bytes;
  if (bits === 64) return [...new BigUint64Array(buffer, 0, laneCount)];
  const Lane = bits === 8 ? Uint8Array : bits === 16 ? Uint16Array : Uint32Array;
  return [...new Lane(buffer as ArrayBuffer, 0, laneCount)].map(BigInt);
}

describe.each(INTEGER_SHAPES)('%s arithmetic', (group, table, bits, laneCount) => {
  const reference = integerReference(bits);
  const operators = operatorsOf(group, table);
  const width = BigInt(bits);
  const signBit = 2n ** (width - 1n);
  const samples = [0n, 1n, 2n, 5n, 100n, signBit - 1n, signBit, signBit + 1n, 2n * signBit - 1n];
  const names = Object.keys(table).filter((name) => name in reference);

  it.each(names)(`${group}.%s agrees with JavaScript`, (name) => {
    const { operands } = table[name];
    const run = compileExpression(operands, operators[name]);
    const isVector = laneCount > 1;
    const hasSharedCount = isVector && operands[1] === 'i32';
    for (const [a, b] of pairsOf(samples)) {
      const isDivision = name.startsWith('div') || name.startsWith('rem');
      const overflows = name.endsWith('S') && a === signBit && b === 2n * signBit - 1n;
      if (isDivision && (b === 0n || overflows)) continue;
      // Lane i holds a + i, so that lanes differ.
      const lanes = Array.from({ length: laneCount }, (_, lane) =>
        BigInt.asUintN(bits, a + BigInt(lane)),
      );
      const right = hasSharedCount ? [b & 0xffffn] : lanes.map(() => b);
      const result = run(packLanes(lanes, bits), packLanes(right, hasSharedCount ? 32 : bits));
      const expected = lanes.map((lane) => {
        const value = reference[name](lane, hasSharedCount ? right[0] : b);
        const trueValue = isVector ? 2n * signBit - 1n : 1n;
        return typeof value === 'boolean' ? (value ? trueValue : 0n) : BigInt.asUintN(bits, value);
      });
      expect(unpackLanes(result, bits, laneCount), `${a}, ${b}`).toEqual(expected);
    }
  });
});

describe.each(FLOAT_SHAPES)('%s arithmetic', (group, table, Lane, laneCount) => {
  const operators = operatorsOf(group, table);
  const names = Object.keys(table).filter((name) => name in FLOAT_REFERENCE);

  it.each(names)(`${group}.%s agrees with JavaScript`, (name) => {
    const run = compileExpression(table[name].operands, operators[name]);
    for (const [a, b] of pairsOf(FLOAT_SAMPLES)) {
      const left = Lane.from(Array.from({ length: laneCount }, (_, lane) => a * (1 + lane)));
      const right = Lane.from(new Array(laneCount).fill(b));
      const { buffer } = run(left, right);
      for (let lane = 0; lane < laneCount; lane++) {
        const expected = FLOAT_REFERENCE[name](left[lane], right[lane]);
        const where = `lane ${lane} of ${name}(${a}, ${b})`;
        if (typeof expected !== 'boolean') {
          const found = new Lane(buffer as ArrayBuffer)[lane];
          expect(found, where).toBe(Lane.of(expected)[0]);
        } else if (laneCount === 1) {
          expect(new Uint32Array(buffer)[0], where).toBe(Number(expected));
        } else {
          const bits = new Int32Array(buffer)[(lane * Lane.BYTES_PER_ELEMENT) / 4];
          expect(bits, where).toBe(expected ? -1 : 0);
        }
      }
    }
  });
});
