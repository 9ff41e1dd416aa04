/** Costs of the instructions and source lines of a program, from the tallies of its warps. */
import type { IsaProgram, IssueCounts, ProgramStage, StageProfile } from '@tessera/frame';
import { findInstructionSites } from '@tessera/shader/codegen';
import {
  decodeInstructions,
  formatInstruction,
  GENERATED_LINE,
  sourceLinesOf,
} from '@tessera/shader/isa';
import type { WarpTally } from '../run-log/warp-tally.ts';

/** Returns the counts of each instruction, summed over tallies. */
export function countInstructions(
  program: IsaProgram,
  tallies: readonly WarpTally[],
): IssueCounts[] {
  return Array.from(findInstructionSites(program), (site) => ({
    issued: tallies.reduce((sum, tally) => sum + tally.warpsOf(site), 0),
    lanes: tallies.reduce((sum, tally) => sum + tally.lanesOf(site), 0),
  }));
}

/** Returns the sum of counts. */
export function sumCounts(counts: readonly IssueCounts[]): IssueCounts {
  return {
    issued: counts.reduce((sum, { issued }) => sum + issued, 0),
    lanes: counts.reduce((sum, { lanes }) => sum + lanes, 0),
  };
}

/** Returns the code of a program that was compiled in this process, with its costs. */
export function profileStage(
  stage: ProgramStage,
  program: IsaProgram,
  tallies: readonly WarpTally[],
): StageProfile {
  const counts = countInstructions(program, tallies);
  const lines = sourceLinesOf(program);
  if (lines === null) throw new Error('profile: the program has no source lines');
  const instructions = decodeInstructions(program.code, program.literals).map(
    (instruction, position) => ({
      text: formatInstruction(instruction),
      line: lines[position] === GENERATED_LINE ? null : lines[position]!,
      ...counts[position]!,
    }),
  );
  const linesFound = [...new Set(instructions.map(({ line }) => line))];
  return {
    stage,
    ...sumCounts(counts),
    instructions,
    lines: linesFound
      .sort((a, b) => (a ?? Infinity) - (b ?? Infinity))
      .map((line) => ({
        line,
        ...sumCounts(instructions.filter((instruction) => instruction.line === line)),
      })),
  };
}
