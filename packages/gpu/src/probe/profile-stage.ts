/** Costs of the instructions and source lines of a program, from the tallies of its warps. */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { IsaProgram, IssueCounts, ProgramStage, StageProfile } from '@tessera/frame';
import { findInstructionSites, findLogSites } from '@tessera/shader/codegen';
import {
  decodeInstructions,
  formatInstruction,
  GENERATED_LINE,
  instructionInfo,
  sourceLinesOf,
} from '@tessera/shader/isa';
import { WarpTally } from '../run-log/warp-tally.ts';
import { operationTimingsOf } from '../timing/operation-timings.ts';

/**
 * Returns the counts of each instruction, summed over tallies.
 *
 * @param spec Specification with the issue cycles of instructions.
 */
export function countInstructions(
  program: IsaProgram,
  tallies: readonly WarpTally[],
  spec: ChipletSpec,
): IssueCounts[] {
  const total = new WarpTally(findLogSites(program));
  for (const tally of tallies) total.addAll(tally);
  const sites = findInstructionSites(program);
  const timings = operationTimingsOf(spec);
  return decodeInstructions(program.code, program.literals).map(({ mnemonic }, position) => {
    const site = sites[position]!;
    const issued = total.warpsOf(site);
    const { issueCycles } = timings[instructionInfo(mnemonic).latencyClass];
    return { issued, issueCycles: issued * issueCycles, lanes: total.lanesOf(site) };
  });
}

/** Returns the sum of counts. */
export function sumCounts(counts: readonly IssueCounts[]): IssueCounts {
  return {
    issued: counts.reduce((sum, { issued }) => sum + issued, 0),
    issueCycles: counts.reduce((sum, { issueCycles }) => sum + issueCycles, 0),
    lanes: counts.reduce((sum, { lanes }) => sum + lanes, 0),
  };
}

/** Returns the code of a program that was compiled in this process, with its costs. */
export function profileStage(
  stage: ProgramStage,
  program: IsaProgram,
  tallies: readonly WarpTally[],
  spec: ChipletSpec,
): StageProfile {
  const counts = countInstructions(program, tallies, spec);
  const lines = sourceLinesOf(program);
  if (lines === null) throw new Error('profile: the program has no source lines');
  const instructions = decodeInstructions(program.code, program.literals).map(
    (instruction, position) => ({
      text: formatInstruction(instruction),
      line: lines[position] === GENERATED_LINE ? null : lines[position]!,
      ...counts[position]!,
    }),
  );
  const byLine = new Map<number | null, IssueCounts[]>();
  for (const instruction of instructions) {
    const { line } = instruction;
    const ofLine = byLine.get(line) ?? [];
    ofLine.push(instruction);
    byLine.set(line, ofLine);
  }
  return {
    stage,
    ...sumCounts(counts),
    instructions,
    lines: [...byLine]
      .sort(([a], [b]) => (a ?? Infinity) - (b ?? Infinity))
      .map(([line, ofLine]) => ({ line, ...sumCounts(ofLine) })),
  };
}
