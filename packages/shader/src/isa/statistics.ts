/** Static figures of a program, as in a compiler report. */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions, type Operand, PARTS_PER_WORD } from './instruction.ts';
import { instructionInfo, LATENCY_CLASSES, type LatencyClass } from './instructions.ts';

/** Counts over the code as written: an instruction in a loop counts once. */
export interface IsaStatistics {
  readonly instructionCount: number;
  readonly instructionsByClass: Readonly<Record<LatencyClass, number>>;
  /** Size of the code; a lookup with many coordinates takes more than one 16-byte word. */
  readonly codeBytes: number;
  /** Number of 32-bit registers per lane. */
  readonly registerCount: number;
  /** Number of words of private arrays per lane. */
  readonly arrayWords: number;
  /** Number of lookups, without size queries. */
  readonly textureReads: number;
  /** Number of distinct words of the constant bank that instructions name directly. */
  readonly constantWords: number;
  readonly literalCount: number;
  /** Number of loops; `loopDepth` is the depth of their nesting. */
  readonly loopCount: number;
  readonly loopDepth: number;
}

/** Results by program, cached because programs are immutable and many draws share one. */
const summaries = new WeakMap<IsaProgram, IsaStatistics>();

/** Returns the figures of `program`, computed once per program. */
export function summarizeProgram(program: IsaProgram): IsaStatistics {
  const known = summaries.get(program);
  if (known !== undefined) return known;
  const summary = countParts(program);
  summaries.set(program, summary);
  return summary;
}

function countParts(program: IsaProgram): IsaStatistics {
  const instructions = decodeInstructions(program.code, program.literals);
  const byClass = Object.fromEntries(
    Object.keys(LATENCY_CLASSES).map((name) => [name, 0]),
  ) as Record<LatencyClass, number>; // the keys are those of the table
  const constants = new Set<number>();
  const addConstant = (operand: Operand) => {
    if (operand.kind === 'constant') constants.add(operand.index);
  };
  let textureReads = 0;
  let loopCount = 0;
  let loopDepth = 0;
  let depth = 0;
  for (const { mnemonic, sources } of instructions) {
    byClass[instructionInfo(mnemonic).latencyClass]++;
    sources.forEach(addConstant);
    if (mnemonic === 'tex') textureReads++;
    if (mnemonic === 'loop') {
      loopCount++;
      loopDepth = Math.max(loopDepth, ++depth);
    }
    if (mnemonic === 'endloop') depth--;
  }
  return {
    instructionCount: instructions.length,
    instructionsByClass: byClass,
    codeBytes: (program.code.length / PARTS_PER_WORD) * 16,
    registerCount: program.registerCount,
    arrayWords: program.arrayWords,
    textureReads,
    constantWords: constants.size,
    literalCount: program.literals.length,
    loopCount,
    loopDepth,
  };
}
