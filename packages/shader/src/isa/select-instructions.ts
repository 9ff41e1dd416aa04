/** Instruction selection: from the compiler's IR to a program of the shader cores. */
import type { IsaProgram } from '@tessera/frame';
import type { IrProgram } from '../ir/ir.ts';
import { allocateRegisters } from './allocate-registers.ts';
import { coalesceMoves } from './coalesce-moves.ts';
import { createIsaProgram } from './create-program.ts';
import { linearize } from './linearize.ts';

/**
 * The program of a stage. Removing what has no effect is the business of the IR passes; here every
 * operator becomes one instruction.
 *
 * @throws {RenderError} SHADER_COMPILE_FAILED if the private arrays need more words than there are.
 */
export function selectInstructions(ir: IrProgram): IsaProgram {
  const virtual = coalesceMoves(linearize(ir));
  return createIsaProgram(ir.stage, allocateRegisters(virtual));
}
