import { describe, expect, it } from 'vitest';
import { IR_OPERATORS, type IrType } from '../ir/ir.ts';
import {
  bitsOfFloat,
  evaluateScalarOperator,
  floatOfBits,
  SCALAR_OPERATORS,
  type ScalarOperator,
} from '../ir/scalar-operators.ts';
import { assemble } from '../isa/assemble.ts';
import { runVertexProgram } from '../testing/compare-executors.ts';

const FLOAT_EDGES = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  0.49999997,
  -0.3,
  2 ** -126,
  -(2 ** -126),
  2 ** -149,
  -(2 ** -149),
  1e-40,
  8388607.5,
  8388609,
  16777216,
  2147483520,
  2147483648,
  -2147483648,
  4294967040,
  4294967296,
  3.4028234663852886e38,
  -3.4028234663852886e38,
  Infinity,
  -Infinity,
  Number.NaN,
  127.99999,
  128,
  -126.5,
  -149.5,
  -150,
  Math.PI,
  Math.PI / 2,
  19999.5,
  -19999.5,
  1e9,
].map((value) => bitsOfFloat(Math.fround(value)));
const INT_EDGES = [
  0, 1, -1, 2, -2, 3, 7, -7, 31, 32, 33, 255, 65535, 65536, 0x7fffffff, -0x80000000, -0x7fffffff,
  16777217, 0x40490fdb, 0x7fc00001,
];
const BOOL_EDGES = [0, -1];

/** Linear congruential generator with the same numbers in every run. */
function* randomWords(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    const high = state >>> 16;
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    yield (high << 16) | (state >>> 16) | 0;
  }
}

function randomArgument(type: IrType, random: number): number {
  if (type === 'bool') return -(random & 1);
  if (type === 'i32') return random;
  // Every other float has an ordinary exponent, because random bits seldom do.
  return bitsOfFloat(random % 2 === 0 ? (random >> 8) / 65536 : floatOfBits(random));
}

/** Returns all pairs of edge cases, then random tuples; their number is a multiple of four. */
function makeArguments(types: readonly IrType[]): number[][] {
  const random = randomWords(1);
  const edges = types.map((type) =>
    type === 'f32' ? FLOAT_EDGES : type === 'i32' ? INT_EDGES : BOOL_EDGES,
  );
  const tuples: number[][] = [];
  const firstEdges = edges[0]!;
  const secondEdges = edges[1] ?? [0];
  for (const first of firstEdges) {
    for (const second of secondEdges) {
      const third = edges[2] ?? [0];
      tuples.push([first, second, third[tuples.length % third.length]!].slice(0, types.length));
    }
  }
  while (tuples.length % 4 !== 0 || tuples.length < 2000) {
    tuples.push(types.map((type) => randomArgument(type, random.next().value)));
  }
  return tuples;
}

function programFor(op: ScalarOperator): string {
  const { operands, result } = IR_OPERATORS[op];
  const inputs = operands.map((_, position) => `input r${position}, ${position}, smooth`);
  const sources = operands.map((_, position) => `r${position}`);
  const output = result === 'f32' ? 'outf' : 'outi';
  return ['.stage vertex', ...inputs, `${op} r0, ${sources.join(', ')}`, `${output} 0, r0`].join(
    '\n',
  );
}

const OPERATORS = Object.keys(SCALAR_OPERATORS) as ScalarOperator[];

describe('operators', () => {
  it.each(OPERATORS)('%s is equal in the reference and on the three executors', (op) => {
    const { operands, result } = IR_OPERATORS[op];
    const tuples = makeArguments(operands);
    const groupCount = tuples.length / 4;
    const inputs = new Int32Array(tuples.length * operands.length);
    for (const [index, tuple] of tuples.entries()) {
      const group = Math.floor(index / 4);
      for (const [position, bits] of tuple.entries()) {
        inputs[(group * operands.length + position) * 4 + (index % 4)] = bits;
      }
    }
    const runs = runVertexProgram(assemble(programFor(op)), inputs, groupCount);
    const executors = [runs.interpreter, runs.kernel, runs.simdInterpreter];
    const expected = tuples.map((tuple) => {
      const values = tuple.map((bits, position) =>
        operands[position] === 'f32' ? floatOfBits(bits) : bits,
      );
      const value = evaluateScalarOperator(op, values);
      return result === 'f32' ? bitsOfFloat(value) : value;
    });
    const wrong = tuples.flatMap((tuple, index) => {
      const found = executors.map(({ outputs }) => outputs[index]!);
      if (found.every((bits) => bits === expected[index])) return [];
      return [
        `${op}(${tuple.map(hex).join(', ')}): ${[expected[index]!, ...found].map(hex).join(' / ')}`,
      ];
    });
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0');
}
