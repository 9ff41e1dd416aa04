/** Costs of the instructions and source lines of a program, from the tallies of its warps. */
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type IsaProgram,
  type IssueCounts,
  LINE_WAITS,
  type LineWaits,
  LOOKUP_WAIT_NAMES,
  type ProgramStage,
  type StageCounts,
  type StageProfile,
  WARP_WAITS,
} from '@tessera/frame';
import { findInstructionPlaces, findLogSites } from '@tessera/shader/codegen';
import {
  decodeInstructions,
  formatInstruction,
  GENERATED_LINE,
  instructionInfo,
  sourceLinesOf,
} from '@tessera/shader/isa';
import { WarpTally } from '../run-log/warp-tally.ts';
import { operationTimingsOf } from '../timing/operation-timings.ts';

/** Program whose costs are counted. */
export interface CountedProgram {
  readonly stage: ProgramStage;
  readonly program: IsaProgram;
  readonly tallies: readonly WarpTally[];
  /** Specification with the times of instructions. */
  readonly spec: ChipletSpec;
  /** Whether the tallies have the cycles of warps. */
  readonly hasWaits: boolean;
}

/** Returns the counts of a stage and of each of its instructions, summed over tallies. */
export function countStage({ stage, program, tallies, spec, hasWaits }: CountedProgram): {
  readonly total: StageCounts;
  readonly counts: readonly IssueCounts[];
} {
  const all = new WarpTally(findLogSites(program));
  for (const tally of tallies) all.addAll(tally);
  const timings = operationTimingsOf(spec);
  const places = findInstructionPlaces(program, timings);
  const counts = decodeInstructions(program.code, program.literals).map(
    ({ mnemonic }, position): IssueCounts => {
      const { site, lookup, stallCycles } = places[position]!;
      const issued = all.warpsOf(site);
      const { issueCycles } = timings[instructionInfo(mnemonic).latencyClass];
      const ofLookup = LOOKUP_WAIT_NAMES.map((kind) => [
        kind,
        lookup < 0 ? 0 : all.lookupCyclesOf(lookup, kind),
      ]);
      const waits = {
        operands: issued * stallCycles,
        ...Object.fromEntries(ofLookup),
      } as LineWaits;
      return {
        issued,
        issueCycles: issued * issueCycles,
        lanes: all.lanesOf(site),
        lookups: lookup < 0 ? 0 : all.warpsOf(lookup),
        ...(hasWaits ? { waits } : {}),
      };
    },
  );
  const kinds = WARP_WAITS.map((kind) => [kind, all.waitCyclesOf(kind)]);
  const warpCycles = Object.fromEntries(kinds) as NonNullable<StageCounts['warpCycles']>;
  const total = { stage, ...sumCounts(counts), ...(hasWaits ? { warpCycles } : {}) };
  return { total, counts };
}

/** Returns the sum of counts. */
function sumCounts(counts: readonly IssueCounts[]): IssueCounts {
  const sumOf = (countOf: (of: IssueCounts) => number) =>
    counts.reduce((sum, each) => sum + countOf(each), 0);
  const waits = LINE_WAITS.map((kind) => [kind, sumOf((each) => each.waits?.[kind] ?? 0)]);
  return {
    issued: sumOf(({ issued }) => issued),
    issueCycles: sumOf(({ issueCycles }) => issueCycles),
    lanes: sumOf(({ lanes }) => lanes),
    lookups: sumOf(({ lookups }) => lookups),
    ...(counts[0]?.waits === undefined ? {} : { waits: Object.fromEntries(waits) as LineWaits }),
  };
}

/** Returns the code of a program that was compiled in this process, with its costs. */
export function profileStage(counted: CountedProgram): StageProfile {
  const { program } = counted;
  const { total, counts } = countStage(counted);
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
    ...total,
    instructions,
    lines: [...byLine]
      .sort(([a], [b]) => (a ?? Infinity) - (b ?? Infinity))
      .map(([line, ofLine]) => ({ line, ...sumCounts(ofLine) })),
  };
}
