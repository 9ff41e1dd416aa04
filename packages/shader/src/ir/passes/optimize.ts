/** The order of the passes. */
import type { IrProgram } from '../ir.ts';
import { compact } from './compact.ts';
import { convertIfs } from './convert-ifs.ts';
import { removeDeadCode } from './dead-code.ts';
import { formMads } from './form-mads.ts';
import { hoistInvariants } from './hoist-invariants.ts';
import { propagate } from './propagate.ts';
import { scalarizeArrays } from './scalarize-arrays.ts';
import { structureExits } from './structure-exits.ts';
import { unrollLoops } from './unroll-loops.ts';

/** A rewriting of the whole program that keeps all outputs bit for bit. */
export type IrPass = (program: IrProgram) => IrProgram;

/** First in each round: what is known is used, what is not needed goes. */
const CLEANING_PASSES: readonly IrPass[] = [propagate, structureExits, removeDeadCode];

/**
 * Passes that open new ways for the cleaning ones. Each returns the program it was given when it found
 * nothing to do, and then there is no further round.
 */
const OPENING_PASSES: readonly IrPass[] = [unrollLoops, scalarizeArrays, convertIfs];

/** Once, at the end. */
const FINAL_PASSES: readonly IrPass[] = [
  hoistInvariants,
  propagate,
  removeDeadCode,
  formMads,
  removeDeadCode,
  compact,
];

/** Most rounds; nested loops and calls need one for each level or two. */
const MAX_ROUNDS = 6;

/**
 * The optimised form of `program`. No pass reassociates or contracts, so each output that is computed
 * has the same 32 bits as without, whatever else the program computes (NaN payloads apart).
 *
 * @param afterPass Called with each intermediate program; tests validate there.
 */
export function optimize(
  program: IrProgram,
  afterPass: (program: IrProgram, pass: IrPass) => void = () => {},
): IrProgram {
  let current = program;
  const run = (passes: readonly IrPass[]): void => {
    for (const pass of passes) {
      current = pass(current);
      afterPass(current, pass);
    }
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    run(CLEANING_PASSES);
    const cleaned = current;
    for (const pass of OPENING_PASSES) {
      const before = current;
      run([pass]);
      if (current !== before) run(CLEANING_PASSES);
    }
    if (current === cleaned) break;
  }
  run(FINAL_PASSES);
  return current;
}
