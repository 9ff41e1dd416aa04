/**
 * Lines of the source text that instructions come from. They are beside the programs, which do not
 * depend on them. An instruction has the line of the expression or statement that it serves:
 *
 * - An inlined function keeps the lines of its body, and a macro has the line of its use.
 * - A value that several lines compute is computed once, for the first of them. A multiplication
 *   and an addition that become one instruction have the line of the addition.
 * - The ends of a condition or loop have the line of its start.
 * - Outputs are written at the end of `main`, and variables that may be read first are set to 0 at
 *   its start. No line asks for these instructions.
 */
import type { IsaProgram } from '@tessera/frame';
import type { Instruction } from './instruction.ts';

/** Line of an instruction that no line asks for. */
export const GENERATED_LINE = 0;

const linesByProgram = new WeakMap<IsaProgram, Int32Array>();

/** Keeps the lines of the instructions of a program that was compiled from GLSL. */
export function keepSourceLines(program: IsaProgram, instructions: readonly Instruction[]): void {
  const lines = Int32Array.from(instructions, ({ line }) => line ?? GENERATED_LINE);
  linesByProgram.set(program, lines);
}

/**
 * Returns the line of each instruction, from 1, or GENERATED_LINE; `null` for a program that was
 * not compiled from GLSL in this process.
 */
export function sourceLinesOf(program: IsaProgram): Int32Array | null {
  return linesByProgram.get(program) ?? null;
}
