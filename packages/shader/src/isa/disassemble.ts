/**
 * Disassembler. Its text is accepted by `assemble`, which restores the same code.
 *
 *     .stage fragment
 *     input r0, 3, smooth
 *     if r1
 *       fmul r0, r0, 0x3f000000 ; 0.5
 *     endif
 *     outf 0, r0
 *
 * `r4` is a register, `c7` a word of the constant bank, `0x3f800000` the bits of a literal. The
 * order is result, immediates, sources. The literals of the line follow after `;` as floats.
 */
import type { IsaProgram } from '@tessera/frame';
import { floatOfBits } from '../ir/scalar-operators.ts';
import { decodeInstructions, type Instruction, type Operand } from './instruction.ts';
import { instructionInfo } from './instructions.ts';

const OPENERS: readonly string[] = ['if', 'else', 'block', 'loop'];
const CLOSERS: readonly string[] = ['else', 'endif', 'endblock', 'endloop'];

/** Returns the text of `program`, one line per instruction. */
export function disassemble(program: IsaProgram): string {
  const lines = [`.stage ${program.stage}`];
  let indent = 0;
  for (const instruction of decodeInstructions(program.code, program.literals)) {
    const { mnemonic } = instruction;
    if (CLOSERS.includes(mnemonic)) indent--;
    lines.push(`${'  '.repeat(indent)}${formatInstruction(instruction)}`);
    if (OPENERS.includes(mnemonic)) indent++;
  }
  return `${lines.join('\n')}\n`;
}

/** Returns one instruction as a line without indentation. */
export function formatInstruction(instruction: Instruction): string {
  const { mnemonic, result, immediates, sources } = instruction;
  const info = instructionInfo(mnemonic);
  const fields = result >= 0 ? [`r${result}`] : [];
  for (const [position, field] of info.immediates.entries()) {
    const value = immediates[position]!;
    fields.push(field.names?.[value] ?? String(value));
  }
  fields.push(...sources.map(formatOperand));
  const floats = sources.flatMap((source) =>
    source.kind === 'literal' ? [String(floatOfBits(source.bits))] : [],
  );
  const comment = floats.length > 0 ? ` ; ${floats.join(', ')}` : '';
  return `${mnemonic}${fields.length > 0 ? ' ' : ''}${fields.join(', ')}${comment}`;
}

function formatOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'register':
      return `r${operand.index}`;
    case 'constant':
      return `c${operand.index}`;
    case 'literal':
      return `0x${(operand.bits >>> 0).toString(16).padStart(8, '0')}`;
  }
}
