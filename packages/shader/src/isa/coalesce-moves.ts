/**
 * Removes moves of variables if the copy is unnecessary:
 *
 *     mov t, V … use t        becomes   … use V      if V is not written while t is in use
 *     t = a op b … mov V, t   becomes   V = a op b   if nothing between touches V
 *                                                    and t has no other use
 */
import { findPositions, lastUse } from './code-positions.ts';
import type { Instruction, Operand } from './instruction.ts';
import { instructionInfo } from './instructions.ts';
import type { VirtualCode } from './linearize.ts';

/** Returns the code without unnecessary moves. */
export function coalesceMoves(code: VirtualCode): VirtualCode {
  return code.instructions.some(({ mnemonic }) => mnemonic === 'mov')
    ? retargetWrites(forwardReads(code))
    : code;
}

/** Replaces copies of variables by the variables. */
function forwardReads({ instructions, firstVariableRegister }: VirtualCode): VirtualCode {
  const { accesses, loops } = findPositions(instructions);
  const replacement = new Map<number, Operand>();
  const kept: Instruction[] = [];
  for (const [position, instruction] of instructions.entries()) {
    const sources = instruction.sources.map((source) =>
      source.kind === 'register' ? (replacement.get(source.index) ?? source) : source,
    );
    const [source] = sources;
    const isCopyOfVariable =
      instruction.mnemonic === 'mov' &&
      instruction.result < firstVariableRegister &&
      source?.kind === 'register' &&
      source.index >= firstVariableRegister;
    if (isCopyOfVariable) {
      const end = lastUse(position, accesses[instruction.result]!, loops);
      const writes = accesses[source.index]!.writes;
      // A write at `end` belongs to the instruction that reads the copy last and that reads before
      // it writes.
      if (!writes.some((write) => write > position && write < end)) {
        replacement.set(instruction.result, source);
        continue;
      }
    }
    kept.push({ ...instruction, sources });
  }
  return { instructions: kept, firstVariableRegister };
}

/** Makes an operation write the variable that its result is moved to. */
function retargetWrites({ instructions, firstVariableRegister }: VirtualCode): VirtualCode {
  const { accesses } = findPositions(instructions);
  const result = [...instructions];
  const removed = new Set<number>();
  for (const [position, { mnemonic, sources, result: variable }] of instructions.entries()) {
    const [source] = sources;
    if (mnemonic !== 'mov' || variable < firstVariableRegister) continue;
    if (source?.kind !== 'register' || source.index >= firstVariableRegister) continue;
    const { reads, writes } = accesses[source.index]!;
    const definition = writes[0]!;
    if (reads.length !== 1) continue;
    if (instructionInfo(instructions[definition]!.mnemonic).resultCount !== 1) continue;
    if (!isUndisturbed(instructions, definition, position, variable)) continue;
    result[definition] = { ...result[definition]!, result: variable };
    removed.add(position);
  }
  return {
    instructions: result.filter((_, position) => !removed.has(position)),
    firstVariableRegister,
  };
}

/**
 * Whether no instruction between `definition` and `move` reads or writes `variable` or branches.
 */
function isUndisturbed(
  instructions: readonly Instruction[],
  definition: number,
  move: number,
  variable: number,
): boolean {
  for (let position = definition + 1; position < move; position++) {
    const { mnemonic, result, sources } = instructions[position]!;
    const info = instructionInfo(mnemonic);
    if (info.latencyClass === 'control' || result === variable) return false;
    if (sources.some((source) => source.kind === 'register' && source.index === variable)) {
      return false;
    }
  }
  return true;
}
