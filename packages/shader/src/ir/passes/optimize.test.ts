import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confineValues } from '../../testing/confine-values.ts';
import { evaluateIr } from '../../testing/evaluate-ir.ts';
import { makeRandomIr } from '../../testing/random-ir.ts';
import type { IrProgram } from '../ir.ts';
import { printIr } from '../print-ir.ts';
import { bitsOfFloat } from '../scalar-operators.ts';
import { validateIr } from '../validate-ir.ts';
import { optimize } from './optimize.ts';
import { slicePosition } from './position-slice.ts';

const choices = fc.array(fc.nat({ max: 1 << 16 }), { minLength: 20, maxLength: 400 });

const INPUTS = [
  [1.5, 3, -2.25, -1, 0, 7],
  [-0.0, 0, 1e-40, 2, 3e38, -5],
  [Number.NaN, 1, Number.POSITIVE_INFINITY, 4, 0.75, 2],
] as const;
const CONSTANTS = [0x3f800000, 3, -1, 0, 0x7f800000, -0x80000000];

/**
 * Returns outputs by slot for each of a few invocations; slots that are not written are missing.
 */
function run(ir: IrProgram): string[] {
  return INPUTS.map((inputs) => {
    const { outputs, isDiscarded } = evaluateIr(ir, {
      input: (slot) => (slot % 2 === 0 ? bitsOfFloat(Math.fround(inputs[slot]!)) : inputs[slot]!),
      builtin: (name) => (name.startsWith('frag') ? bitsOfFloat(0.5) : 1),
      constant: (word) => CONSTANTS[word]!,
    });
    return JSON.stringify([[...outputs].sort(([a], [b]) => a - b), isDiscarded]);
  });
}

function randomProgram(list: readonly number[], stage: 'vertex' | 'fragment'): IrProgram {
  const limits = { stage, inputCount: 6, constantWords: 6, usesDerivatives: false };
  return confineValues(makeRandomIr(list, limits));
}

describe('optimize', () => {
  it.each(['vertex', 'fragment'] as const)('keeps all outputs of random %s programs', (stage) => {
    fc.assert(
      fc.property(choices, (list) => {
        const program = randomProgram(list, stage);
        validateIr(program);
        const expected = run(program);
        optimize(program, (after, pass) => {
          validateIr(after);
          expect(run(after), `after ${pass.name}\n${printIr(after)}`).toEqual(expected);
        });
      }),
      { numRuns: 400, seed: 7 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(choices, (list) => {
        const once = optimize(randomProgram(list, 'vertex'));
        expect(run(optimize(once))).toEqual(run(once));
      }),
      { numRuns: 100, seed: 8 },
    );
  });
});

describe('slicePosition', () => {
  it('keeps the position of random programs bit for bit', () => {
    fc.assert(
      fc.property(choices, (list) => {
        const program = optimize(randomProgram(list, 'vertex'));
        const isKept = (text: string): string => {
          const [outputs] = JSON.parse(text) as [[number, number][], boolean];
          return JSON.stringify(outputs.filter(([slot]) => slot <= 4));
        };
        const slice = slicePosition(program);
        validateIr(slice);
        expect(run(slice).map(isKept)).toEqual(run(program).map(isKept));
      }),
      { numRuns: 200, seed: 9 },
    );
  });
});
