/**
 * Register allocation by linear scan (Poletto and Sarkar, TOPLAS 1999) over structured code.
 *
 * A virtual register is live from its first write to its last use, or to the end of a loop that
 * uses it and begins after that write. Lanes that wait elsewhere are safe because writes are
 * masked. The machine cannot spill: a program takes as many registers as it has values live at
 * once. More registers mean fewer warps in flight.
 */
import {
  type CodePositions,
  findPositions,
  lastUse,
  type RegisterAccesses,
} from './code-positions.ts';
import type { Instruction, Operand } from './instruction.ts';
import { instructionInfo } from './instructions.ts';
import type { VirtualCode } from './linearize.ts';

const ZERO: Operand = { kind: 'literal', bits: 0 };

/** Returns the code over machine registers, with initial zeros for the variables that need them. */
export function allocateRegisters(code: VirtualCode): Instruction[] {
  const { instructions, accesses, loops } = initializeVariables(code);
  const machineRegister: (number | undefined)[] = new Array(accesses.length);
  /** Last position at which the register is occupied, by machine register; −1 if it never was. */
  const takenUntil: number[] = [];
  const isFree = (register: number, position: number) =>
    // Sources are read before the result is written, so one position can end one use of a register
    // and start another.
    (takenUntil[register] ?? -1) <= position;

  const place = (first: number, count: number, position: number) => {
    let base = 0;
    for (let run = 0; run < count; ) {
      if (isFree(base + run, position)) run++;
      else {
        base += run + 1;
        run = 0;
      }
    }
    for (let part = 0; part < count; part++) {
      const register = base + part;
      machineRegister[first + part] = register;
      while (takenUntil.length <= register) takenUntil.push(-1);
      // An unused result still occupies its register at the position of the write.
      const end = lastUse(position, accesses[first + part]!, loops);
      takenUntil[register] = Math.max(end, position + 1);
    }
  };

  const rename = (source: Operand): Operand => {
    if (source.kind !== 'register') return source;
    const index = machineRegister[source.index];
    if (index === undefined)
      throw new Error(`isa: register ${source.index} is read before it is written`);
    return { kind: 'register', index };
  };

  return instructions.map((instruction, position) => {
    const sources = instruction.sources.map(rename);
    const { mnemonic, immediates, result, line } = instruction;
    if (result < 0) return { mnemonic, result, immediates, sources, line };
    if (machineRegister[result] === undefined) {
      place(result, instructionInfo(mnemonic).resultCount, position);
    }
    return { mnemonic, result: machineRegister[result]!, immediates, sources, line };
  });
}

interface PlacedCode extends CodePositions {
  readonly instructions: readonly Instruction[];
}

/**
 * Inserts `mov V, 0` at the start for each variable whose first write does not precede all its
 * reads.
 */
function initializeVariables({ instructions, firstVariableRegister }: VirtualCode): PlacedCode {
  const positions = findPositions(instructions);
  const { accesses, registers, bodyOf, bodies } = positions;
  const startsWithWrite = ({ reads, writes }: RegisterAccesses): boolean => {
    const write = writes[0];
    if (write === undefined) return false;
    const body = bodies[bodyOf[write]!]!;
    return (
      reads.every((read) => read > write && read <= body.end) &&
      writes.every((other) => other <= body.end)
    );
  };
  const initializers: Instruction[] = [];
  for (const register of registers) {
    if (register < firstVariableRegister || startsWithWrite(accesses[register]!)) continue;
    initializers.push({ mnemonic: 'mov', result: register, immediates: [], sources: [ZERO] });
  }
  if (initializers.length === 0) return { instructions, ...positions };
  const all = [...initializers, ...instructions];
  return { instructions: all, ...findPositions(all) };
}
