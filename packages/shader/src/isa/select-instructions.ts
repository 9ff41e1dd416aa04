/** Instruction selection: turns the compiler's IR into a program of the shader cores. */
import type { IsaProgram } from '@tessera/frame';
import type { IrProgram } from '../ir/ir.ts';
import { allocateRegisters } from './allocate-registers.ts';
import { coalesceMoves } from './coalesce-moves.ts';
import { createIsaProgram } from './create-program.ts';
import { linearize } from './linearize.ts';
import { keepSourceLines } from './source-lines.ts';

/**
 * Returns the program of a stage. Every operator becomes one instruction, because the IR passes
 * have already removed code without effect.
 *
 * @throws {RenderError} SHADER_COMPILE_FAILED if the private arrays need more words than there are.
 */
export function selectInstructions(ir: IrProgram): IsaProgram {
  const virtual = coalesceMoves(linearize(ir));
  const instructions = allocateRegisters(virtual);
  const program = createIsaProgram(ir.stage, instructions);
  keepSourceLines(program, instructions);
  return program;
}
