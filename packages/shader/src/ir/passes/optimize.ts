/** The order of the passes. */
import type { IrProgram } from '../ir.ts';
import { compact } from './compact.ts';
import { convertIfs } from './convert-ifs.ts';
import { removeDeadCode } from './dead-code.ts';
import { formMads } from './form-mads.ts';
import { gatherConstants } from './gather-constants.ts';
import { hoistInvariants } from './hoist-invariants.ts';
import { propagate } from './propagate.ts';
import { scalarizeArrays } from './scalarize-arrays.ts';
import { structureExits } from './structure-exits.ts';
import { unrollLoops } from './unroll-loops.ts';

/** A rewriting of the whole program that keeps all outputs bit for bit, but for `gatherConstants`. */
export type IrPass = (program: IrProgram) => IrProgram;

/** First in each round: what is known is used, what is not needed goes. */
const CLEANING_PASSES: readonly IrPass[] = [propagate, structureExits, removeDeadCode];

/**
 * Passes that open new ways for the cleaning ones. Each returns the program it was given when it found
 * nothing to do, and then there is no further round.
 */
const OPENING_PASSES: readonly IrPass[] = [unrollLoops, scalarizeArrays, convertIfs];

/** Once, at the end, behind the hoisting of invariants. */
const FINAL_PASSES: readonly IrPass[] = [formMads, removeDeadCode, compact];

/** Most rounds; nested loops and calls need one for each level or two. */
const MAX_ROUNDS = 6;

/**
 * The optimised form of `program`. No pass reassociates or contracts a vertex shader or one with an invariant output,
 * so each output that is computed has the same 32 bits as without, whatever else the program computes (NaN payloads
 * apart). In other fragment shaders constants of products are multiplied first.
 *
 * @param afterPass Called with each intermediate program; tests validate there.
 */
export function optimize(program: IrProgram, afterPass: AfterPass = () => {}): IrProgram {
  const runner = new PassRunner(program, afterPass);
  runner.run(CLEANING_PASSES);
  return finish(runner);
}

/** As {@link optimize}, for a program that is optimised but for outputs that were taken out of it. */
export function optimizeAgain(program: IrProgram, afterPass: AfterPass = () => {}): IrProgram {
  const runner = new PassRunner(program, afterPass);
  runner.run([removeDeadCode]);
  return finish(runner);
}

/** All that follows the first cleaning. */
function finish(runner: PassRunner): IrProgram {
  for (let round = 1; round < MAX_ROUNDS; round++) {
    let hasOpened = false;
    for (const pass of OPENING_PASSES) {
      if (!runner.run([pass])) continue;
      hasOpened = true;
      runner.run(CLEANING_PASSES);
    }
    if (!hasOpened) break;
  }
  if (!runner.isOrdered && runner.run([gatherConstants])) runner.run([propagate, removeDeadCode]);
  if (runner.run([hoistInvariants])) runner.run([propagate, removeDeadCode]);
  runner.run(FINAL_PASSES);
  return runner.current;
}

type AfterPass = (program: IrProgram, pass: IrPass) => void;

class PassRunner {
  current: IrProgram;
  /** Whether products stay as they are: those of vertex shaders decide positions. */
  readonly isOrdered: boolean;
  readonly #afterPass: AfterPass;

  constructor(program: IrProgram, afterPass: AfterPass) {
    this.current = program;
    this.isOrdered = program.stage === 'vertex' || program.isOrdered === true;
    this.#afterPass = afterPass;
  }

  /** Runs `passes`; returns whether one gave another program. */
  run(passes: readonly IrPass[]): boolean {
    const before = this.current;
    for (const pass of passes) {
      this.current = pass(this.current);
      this.#afterPass(this.current, pass);
    }
    return this.current !== before;
  }
}
