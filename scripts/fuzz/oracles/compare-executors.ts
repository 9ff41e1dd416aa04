/**
 * Runs a compiled program on the three executors: the WebAssembly kernel, the SIMD interpreter and
 * the TypeScript interpreter. They must agree to the bit (test/equivalence/three-executors.test.ts
 * does the same with random programs).
 */
import type { IsaProgram, ShaderProgram } from '@tessera/frame';
import { bitsOfFloat } from '../../../packages/shader/src/ir/scalar-operators.ts';
import {
  LANES,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  STAGE_STATUS,
  vertexInputCount,
} from '../../../packages/shader/src/isa/stage-memory.ts';
import {
  type ExecutorRuns,
  runFragmentProgram,
  runVertexProgram,
  type StageRun,
} from '../../../packages/shader/src/testing/compare-executors.ts';

/** Instructions of an invocation, of which loops without end use all. */
const INSTRUCTION_BUDGET = 20_000;
/** Upper bounds, so that an input takes milliseconds. */
const MAX_WORDS = { code: 4096, constants: 4096, arrays: 4096 };
const GROUP_COUNT = 2;

/**
 * Compares the executors.
 *
 * @returns Whether the program was run. Programs with textures and large ones are not.
 * @throws {Error} If the executors differ.
 */
export function compareExecutors(program: ShaderProgram): boolean {
  if (program.samplers.length > 0 || program.constantWords > MAX_WORDS.constants) return false;
  const stages = [program.vertex, program.fragment];
  const isSmall = ({ code, arrayWords }: IsaProgram) =>
    code.length <= MAX_WORDS.code && arrayWords <= MAX_WORDS.arrays;
  if (!stages.every(isSmall)) return false;
  const constants = Int32Array.from({ length: program.constantWords }, (_, at) => word(at * 3));
  for (const stage of stages) {
    const runs = runStage(stage, { constants, instructionBudget: INSTRUCTION_BUDGET });
    const { interpreter, kernel, simdInterpreter } = runs;
    for (const [name, run] of Object.entries({ kernel, simdInterpreter })) {
      const difference = findDifference(run, interpreter);
      if (difference === null) continue;
      throw new Error(`executors differ: ${stage.stage} on ${name}: ${difference}`);
    }
  }
  return true;
}

function runStage(
  stage: IsaProgram,
  options: { readonly constants: Int32Array; readonly instructionBudget: number },
): ExecutorRuns {
  if (stage.stage === 'vertex') {
    const length = GROUP_COUNT * vertexInputCount(stage) * LANES;
    const inputs = Int32Array.from({ length }, (_, at) => word(at));
    return runVertexProgram(stage, inputs, GROUP_COUNT, options);
  }
  const strideWords = primitiveStrideBytes(stage) / 4;
  const primitives = Int32Array.from({ length: GROUP_COUNT * strideWords }, (_, at) => {
    const place = at % strideWords;
    // The plane of 1 / w stays positive.
    return place === PRIMITIVE_RECORD.inverseW / 4 ? bitsOfFloat(1) : word(at);
  });
  const quads = Int32Array.from(
    Array.from({ length: GROUP_COUNT }, (_, quad) => [quad * 2, quad * 2, 0b1111, quad]).flat(),
  );
  return runFragmentProgram(stage, { quads, primitives }, options);
}

/** Returns words that are meaningful as floats, integers and truth values alike. */
function word(at: number): number {
  const mixed = Math.imul(at + 1, 0x9e3779b1);
  if (((mixed >>> 8) & 3) === 0) return (mixed >>> 16) % 7;
  return bitsOfFloat(((mixed >>> 12) % 64) / 8 - 4);
}

function findDifference(run: StageRun, expected: StageRun): string | null {
  if (run.status !== expected.status) return `status ${run.status}, not ${expected.status}`;
  // The frame fails then, so what lanes wrote before the end of the budget is never seen.
  if (run.status === STAGE_STATUS.budgetExceeded) return null;
  for (const array of ['outputs', 'quads'] as const) {
    const at = run[array].findIndex((value, index) => value !== expected[array][index]);
    if (at >= 0) return `${array}[${at}] is ${run[array][at]}, not ${expected[array][at]}`;
  }
  return null;
}
