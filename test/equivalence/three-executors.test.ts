/**
 * Runs random programs on the three executors: the TypeScript interpreter, the kernel, the SIMD
 * interpreter.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bitsOfFloat } from '../../packages/shader/src/ir/scalar-operators.ts';
import { disassemble } from '../../packages/shader/src/isa/disassemble.ts';
import { selectInstructions } from '../../packages/shader/src/isa/select-instructions.ts';
import {
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  vertexInputCount,
} from '../../packages/shader/src/isa/stage-memory.ts';
import {
  type ExecutorRuns,
  runFragmentProgram,
  runVertexProgram,
  type StageRun,
} from '../../packages/shader/src/testing/compare-executors.ts';
import { makeRandomIr } from '../../packages/shader/src/testing/random-ir.ts';

/** Number of programs, which take about 20 s of CPU time. */
const PROGRAMS = 10_000;
const SEED = 5;
const INPUT_COUNT = 4;
const PRIMITIVE_COUNT = 2;
const CONSTANTS = Int32Array.of(0, 1, -1, bitsOfFloat(0.5), 3, bitsOfFloat(-2.25));

const cases = fc.record({
  choices: fc.array(fc.nat({ max: 1 << 16 }), { minLength: 8, maxLength: 200, size: 'max' }),
  stage: fc.constantFrom('vertex', 'fragment'),
  // Mostly one group, occasionally a second warp.
  groupCount: fc.constantFrom(1, 1, 1, 1, 1, 2, 2, 9),
  words: fc.array(
    fc.oneof(
      fc.integer({ min: -4, max: 6 }),
      fc.integer(),
      fc.integer({ min: -32, max: 32 }).map((eighths) => bitsOfFloat(eighths / 8)),
    ),
    { minLength: 4, maxLength: 16 },
  ),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function run({ choices, stage, groupCount, words }: Case): { text: string; runs: ExecutorRuns } {
  const ir = makeRandomIr(choices, {
    stage,
    inputCount: INPUT_COUNT,
    constantWords: CONSTANTS.length,
    usesDerivatives: stage === 'fragment',
  });
  const program = selectInstructions(ir);
  const text = disassemble(program);
  const word = (index: number) => words[index % words.length]!;
  if (stage === 'vertex') {
    const inputs = Int32Array.from(
      { length: groupCount * vertexInputCount(program) * 4 },
      // Shifts the words from period to period, so that groups differ.
      (_, at) => word(at + Math.floor(at / words.length)),
    );
    return { text, runs: runVertexProgram(program, inputs, groupCount, { constants: CONSTANTS }) };
  }
  const strideWords = primitiveStrideBytes(program) / 4;
  const primitives = Int32Array.from({ length: PRIMITIVE_COUNT * strideWords }, (_, at) => {
    const place = at % strideWords;
    // The plane of 1 / w stays positive.
    return place === PRIMITIVE_RECORD.inverseW / 4 ? bitsOfFloat(1) : word(at);
  });
  const quads = Int32Array.from(
    Array.from({ length: groupCount }, (_, quad) => {
      return [quad * 2, (quad % 3) * 2, 0b1111, quad % PRIMITIVE_COUNT];
    }).flat(),
  );
  const runs = runFragmentProgram(program, { quads, primitives }, { constants: CONSTANTS });
  return { text, runs };
}

function isEqual(a: StageRun, b: StageRun): boolean {
  const hasEqualWords = (left: Int32Array, right: Int32Array) =>
    left.length === right.length && left.every((word, index) => word === right[index]);
  return (
    a.status === b.status && hasEqualWords(a.outputs, b.outputs) && hasEqualWords(a.quads, b.quads)
  );
}

describe('random programs', () => {
  it(`${PROGRAMS} of them are equal bit for bit on the three executors`, () => {
    fc.assert(
      fc.property(cases, (randomCase) => {
        const { text, runs } = run(randomCase);
        const { interpreter, kernel, simdInterpreter } = runs;
        if (isEqual(kernel, interpreter) && isEqual(simdInterpreter, interpreter)) return;
        expect(runs, text).toEqual({
          interpreter,
          kernel: interpreter,
          simdInterpreter: interpreter,
        });
      }),
      { numRuns: PROGRAMS, seed: SEED },
    );
  }, 600_000);
});
