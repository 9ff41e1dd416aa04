import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fragmentInputs, vertexInputs } from '../interpreter/stage-inputs.ts';
import type { IrProgram } from '../ir/ir.ts';
import { bitsOfFloat } from '../ir/scalar-operators.ts';
import { assemble } from '../isa/assemble.ts';
import { disassemble } from '../isa/disassemble.ts';
import { isSampleShaded } from '../isa/sample-shading.ts';
import { selectInstructions } from '../isa/select-instructions.ts';
import {
  AT_SAMPLE,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  QUAD_RECORD,
  SAMPLE_MASK_SHIFT,
  SAMPLE_NUMBER_SHIFT,
  vertexInputCount,
} from '../isa/stage-memory.ts';
import {
  type ExecutorRuns,
  runFragmentProgram,
  runVertexProgram,
} from '../testing/compare-executors.ts';
import { evaluateIr } from '../testing/evaluate-ir.ts';
import { makeRandomIr, type RandomIrLimits } from '../testing/random-ir.ts';

const CONSTANT_WORDS = 6;
const INPUT_COUNT = 6;
const GROUP_COUNT = 11;
const RUNS = 150;

const choices = fc.array(fc.nat({ max: 1 << 16 }), { minLength: 20, maxLength: 300 });

/** Returns words that are meaningful as floats, integers and truth values alike. */
function word(seed: number): number {
  const mixed = Math.imul(seed + 1, 0x9e3779b1);
  switch ((mixed >>> 8) % 4) {
    case 0:
      return (mixed >>> 16) % 7;
    case 1:
      return bitsOfFloat(((mixed >>> 12) % 64) / 8 - 4);
    case 2:
      return -((mixed >>> 20) % 3);
    default:
      return bitsOfFloat((mixed >>> 16) / 256);
  }
}

const constants = Int32Array.from({ length: CONSTANT_WORDS }, (_, index) => word(index * 3));

function runVertices(ir: IrProgram) {
  const program = selectInstructions(ir);
  const inputs = Int32Array.from({ length: GROUP_COUNT * vertexInputCount(program) * 4 }, (_, at) =>
    word(at),
  );
  const runs = runVertexProgram(program, inputs, GROUP_COUNT, { constants });
  const memory = new DataView(inputs.buffer);
  const groupBytes = vertexInputCount(program) * 16;
  const inputsOfGroup = (group: number) => vertexInputs(program, memory, group * groupBytes);
  return { program, runs, inputsOfGroup };
}

/** Returns the mask of a covered quad: with one sample per pixel, with several, or at one. */
function quadMask(quad: number, isAtSamples: boolean): number {
  if (quad % 4 === 0) return 0b1111;
  const sample = quad % 4;
  if (!isAtSamples) return 0b1111 | (0xfa5c << SAMPLE_MASK_SHIFT);
  const lanes = 0b1111 << (SAMPLE_MASK_SHIFT + 4 * sample);
  return 0b1111 | AT_SAMPLE | (sample << SAMPLE_NUMBER_SHIFT) | lanes;
}

function runFragments(ir: IrProgram) {
  const program = selectInstructions(ir);
  const strideWords = primitiveStrideBytes(program) / 4;
  const primitives = Int32Array.from({ length: 3 * strideWords }, (_, at) => {
    const place = at % strideWords;
    if (place === PRIMITIVE_RECORD.flags / 4) return at % 2;
    // The plane of 1 / w stays positive; the others cross zero within the quads.
    if (place === PRIMITIVE_RECORD.inverseW / 4) return bitsOfFloat(1);
    return bitsOfFloat(((Math.imul(at, 7919) % 32) - 15) / (at % 4 === 0 ? 2 : 64));
  });
  const isAtSamples = isSampleShaded(program);
  const quads = Int32Array.from(
    Array.from({ length: GROUP_COUNT }, (_, quad) => [
      ...[quad * 2, (quad % 3) * 2, quadMask(quad, isAtSamples), quad % 3],
    ]).flat(),
  );
  const runs = runFragmentProgram(program, { quads, primitives }, { constants });
  const memoryWords = new Int32Array(quads.length + primitives.length);
  memoryWords.set(quads);
  memoryWords.set(primitives, quads.length);
  const memory = new DataView(memoryWords.buffer);
  const inputsOfGroup = (quad: number) =>
    fragmentInputs(program, memory, quad * QUAD_RECORD.bytes, quads.length * 4);
  return { program, runs, inputsOfGroup };
}

function expectEqualRuns({ interpreter, kernel, simdInterpreter }: ExecutorRuns): void {
  for (const other of [kernel, simdInterpreter]) {
    expect(other.status).toBe(interpreter.status);
    expect([...other.outputs]).toEqual([...interpreter.outputs]);
    expect([...other.quads]).toEqual([...interpreter.quads]);
  }
}

/** Compares the interpreter with the meaning of the IR, per invocation. */
function expectMeaning(ir: IrProgram, ran: ReturnType<typeof runVertices>): void {
  const { program, runs, inputsOfGroup } = ran;
  const expected: number[] = [];
  for (let group = 0; group < GROUP_COUNT; group++) {
    const inputs = inputsOfGroup(group);
    const lanes = [0, 1, 2, 3].map((lane) =>
      evaluateIr(ir, {
        input: (slot) => inputs.input(slot, slot % 2 === 1, lane),
        builtin: (name) => inputs.builtin(name, lane),
        constant: (index) => constants[index]!,
      }),
    );
    for (const slot of program.outputSlots) {
      expected.push(...lanes.map(({ outputs }) => outputs.get(slot) ?? 0));
    }
    if (program.stage === 'fragment') {
      const kept = lanes.reduce(
        (mask, lane, at) => (lane.isDiscarded ? mask : mask | (1 << at)),
        0,
      );
      expect(runs.interpreter.quads[group * 4 + 2]! & 15).toBe(kept);
    }
  }
  expect([...runs.interpreter.outputs]).toEqual(expected);
}

const limits = (stage: 'vertex' | 'fragment', usesDerivatives: boolean): RandomIrLimits => ({
  stage,
  inputCount: INPUT_COUNT,
  constantWords: CONSTANT_WORDS,
  usesDerivatives,
});

describe('random programs', () => {
  it('mean the same as IR, in the interpreter and as a kernel (vertices)', () => {
    fc.assert(
      fc.property(choices, (list) => {
        const ir = makeRandomIr(list, limits('vertex', false));
        const ran = runVertices(ir);
        expectMeaning(ir, ran);
        expectEqualRuns(ran.runs);
      }),
      { numRuns: RUNS, seed: 1 },
    );
  });

  it('mean the same as IR, in the interpreter and as a kernel (fragments)', () => {
    fc.assert(
      fc.property(choices, (list) => {
        const ir = makeRandomIr(list, limits('fragment', false));
        const ran = runFragments(ir);
        expectMeaning(ir, ran);
        expectEqualRuns(ran.runs);
      }),
      { numRuns: RUNS, seed: 2 },
    );
  });

  it('with derivatives are equal in the interpreter and as a kernel', () => {
    fc.assert(
      fc.property(choices, (list) => {
        expectEqualRuns(runFragments(makeRandomIr(list, limits('fragment', true))).runs);
      }),
      { numRuns: RUNS, seed: 3 },
    );
  });

  it('survive disassembly and assembly', () => {
    fc.assert(
      fc.property(choices, (list) => {
        const program = selectInstructions(makeRandomIr(list, limits('fragment', true)));
        const again = assemble(disassemble(program));
        expect(again).toEqual(program);
      }),
      { numRuns: RUNS, seed: 4 },
    );
  });
});
