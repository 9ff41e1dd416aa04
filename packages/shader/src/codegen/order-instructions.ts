/**
 * The order in which a program without control flow is executed: the instruction with the longest way to an
 * output goes first.
 *
 * A processor looks some 500 operations ahead, fewer than a group takes, and its operations wait for each
 * other in chains. In this order what is off the longest chain stands between its links, so that the end of
 * one group and the start of the next are in view together: Blinn-Phong with a texture shades a fifth
 * faster, whatever order its author wrote.
 */
import type { IsaProgram } from '@tessera/frame';
import { allocateRegisters } from '../isa/allocate-registers.ts';
import { decodeInstructions, type Instruction, type Operand } from '../isa/instruction.ts';
import { instructionInfo, type Mnemonic } from '../isa/instructions.ts';

/** Cycles from the operands to the result of generated code, on processors of today, if not {@link USUAL_CYCLES}. */
const CYCLES: Partial<Record<Mnemonic, number>> = {
  input: 14,
  builtin: 8,
  uniform: 20,
  tex: 130,
  texsize: 20,
  // Equal, so that writes of one slot keep their order.
  outf: 8,
  outi: 8,
  fmad: 8,
  fdiv: 11,
  fsqrt: 12,
  frsq: 23,
  flog2: 60,
  fexp2: 50,
  fsin: 60,
  fcos: 60,
  idiv: 30,
  irem: 40,
  udiv: 30,
  urem: 40,
  ishl: 12,
  ishr: 12,
  ushr: 12,
};
const USUAL_CYCLES = 4;

/** Longer programs stay as they are: too many values would wait for their use at once. */
const MAX_INSTRUCTIONS = 512;

export interface OrderedCode {
  readonly code: readonly Instruction[];
  readonly registerCount: number;
}

/** The code of `program` in its new order over other registers; as it is if it has control flow or arrays. */
export function orderInstructions(program: IsaProgram): OrderedCode {
  const given = decodeInstructions(program.code, program.literals);
  const unchanged = { code: given, registerCount: program.registerCount };
  if (given.length > MAX_INSTRUCTIONS || !given.every(isFreeToMove)) return unchanged;
  const values = nameValues(given);
  if (values === null) return unchanged;
  const { instructions, definitions } = values;

  // From the end: what an instruction reads must be there earlier by the cycles that it takes.
  const cyclesToEnd = new Array<number>(instructions.length).fill(0);
  for (let position = instructions.length - 1; position >= 0; position--) {
    const { mnemonic, sources } = instructions[position]!;
    cyclesToEnd[position]! += CYCLES[mnemonic] ?? USUAL_CYCLES;
    for (const source of sources) {
      if (source.kind !== 'register') continue;
      const definition = definitions[source.index]!;
      cyclesToEnd[definition] = Math.max(cyclesToEnd[definition]!, cyclesToEnd[position]!);
    }
  }
  // A definition has a longer way than its uses, so it stays in front of them.
  const order = Array.from(instructions.keys()).sort((a, b) => cyclesToEnd[b]! - cyclesToEnd[a]!);
  const code = allocateRegisters({
    instructions: order.map((position) => instructions[position]!),
    firstVariableRegister: definitions.length,
  });
  const ends = code.map(({ mnemonic, result }) => result + instructionInfo(mnemonic).resultCount);
  return { code, registerCount: Math.max(0, ...ends) };
}

/** Whether only registers tie `instruction` to the others. */
function isFreeToMove({ mnemonic }: Instruction): boolean {
  const { latencyClass } = instructionInfo(mnemonic);
  return latencyClass !== 'control' && latencyClass !== 'arrayAccess';
}

/** `code` with a register of its own for each result; null if one is read before it is written. */
function nameValues(code: readonly Instruction[]) {
  const valueByRegister: (number | undefined)[] = [];
  /** By value, the position of the instruction that makes it. */
  const definitions: number[] = [];
  const instructions: Instruction[] = [];
  for (const [position, { mnemonic, immediates, sources, result }] of code.entries()) {
    const renamed: Operand[] = [];
    for (const source of sources) {
      if (source.kind !== 'register') {
        renamed.push(source);
        continue;
      }
      const index = valueByRegister[source.index];
      if (index === undefined) return null;
      renamed.push({ kind: 'register', index });
    }
    const first = result < 0 ? result : definitions.length;
    for (let part = 0; part < instructionInfo(mnemonic).resultCount; part++) {
      valueByRegister[result + part] = definitions.length;
      definitions.push(position);
    }
    instructions.push({ mnemonic, immediates, sources: renamed, result: first });
  }
  return { instructions, definitions };
}
