/** Order of the passes. */
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

/**
 * Rewrites a whole program. All outputs stay the same bit for bit, except after `gatherConstants`.
 */
export type IrPass = (program: IrProgram) => IrProgram;

/** Passes that start each round: they propagate known values and remove dead code. */
const CLEANING_PASSES: readonly IrPass[] = [propagate, structureExits, removeDeadCode];

/**
 * Passes that create work for the cleaning ones. Each returns the program it received if it found
 * nothing to do. If all of them do so, there is no further round.
 */
const OPENING_PASSES: readonly IrPass[] = [unrollLoops, scalarizeArrays, convertIfs];

/** Passes that run once at the end, after the hoisting of invariants. */
const FINAL_PASSES: readonly IrPass[] = [formMads, removeDeadCode, compact];

/** Maximum number of rounds. Nested loops and calls need about one round for each level or two. */
const MAX_ROUNDS = 6;

/**
 * Returns the optimized form of `program`. No pass reassociates or contracts a vertex shader or one
 * with an invariant output. Each of its outputs keeps its 32 bits, whatever else the program
 * computes, apart from NaN payloads. In other fragment shaders, constants in products are
 * multiplied first.
 *
 * @param afterPass Called with each intermediate program; tests validate there.
 */
export function optimize(program: IrProgram, afterPass: AfterPass = () => {}): IrProgram {
  const runner = new PassRunner(program, afterPass);
  runner.run(CLEANING_PASSES);
  return finish(runner);
}

/** Optimizes a program that was optimized before some of its outputs were removed. */
export function optimizeAgain(program: IrProgram, afterPass: AfterPass = () => {}): IrProgram {
  const runner = new PassRunner(program, afterPass);
  runner.run([removeDeadCode]);
  return finish(runner);
}

/** Runs everything after the first cleaning. */
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
  /** Whether products keep their order. Those of vertex shaders determine positions. */
  readonly isOrdered: boolean;
  readonly #afterPass: AfterPass;

  constructor(program: IrProgram, afterPass: AfterPass) {
    this.current = program;
    this.isOrdered = program.stage === 'vertex' || program.isOrdered === true;
    this.#afterPass = afterPass;
  }

  /** Runs `passes`; returns whether one of them changed the program. */
  run(passes: readonly IrPass[]): boolean {
    const before = this.current;
    for (const pass of passes) {
      this.current = pass(this.current);
      this.#afterPass(this.current, pass);
    }
    return this.current !== before;
  }
}
