/** Text that `tessera profile` prints. */
import {
  type IssueCounts,
  LINE_WAITS,
  LOOKUP_WAIT_NAMES,
  type ProgramSummary,
  type ShaderProfile,
  WARP_WAITS,
} from '@tessera/frame';
import { formatColumns } from '../terminal/text-columns.ts';

/** Maximum number of characters of a source line that are shown. */
const MAX_SOURCE = 80;
/** Text in place of the source of code that no line asks for. */
const NO_LINE = '(outputs and initial values)';

/** Options of {@link listCosts}. */
export interface ListingOptions {
  /** Number of instructions that warps issued in the frame. */
  readonly issued: number;
  /** Number of the costliest lines that are listed. */
  readonly lineCount: number;
  readonly showsIsa: boolean;
}

/** Returns the costs of all programs, the costliest lines of `profiles`, and their instructions. */
export function listCosts(
  programs: readonly ProgramSummary[],
  profiles: readonly ShaderProfile[],
  { issued, lineCount, showsIsa }: ListingOptions,
): string {
  const all = programs.flatMap((program) => program.stages);
  const hasWaits = all.some(({ waits }) => waits !== undefined);
  const columns = hasWaits ? [...FIGURES, ...WAIT_FIGURES] : FIGURES;
  const figures = (counts: IssueCounts) => figuresOf(counts, issued);
  const stages = programs.flatMap(({ program, draws, stages }) =>
    stages.map((of) => [
      `${program} ${of.stage}`,
      String(draws.length),
      String(of.instructions),
      ...figures(of),
    ]),
  );
  const head = ['program', 'draws', 'instructions', ...columns];
  const parts = [
    `warps issued ${format(issued)} instructions (shaderCore.warpInstructions)\n`,
    formatColumns([head, ...stages]),
    ...(hasWaits ? [listWarpCycles(programs)] : []),
    listLines(profiles, lineCount, columns, figures),
    ...(showsIsa ? profiles.map((profile) => listInstructions(profile, columns, figures)) : []),
  ];
  return parts.join('\n');
}

const FIGURES = ['issued', 'share', 'cycles', 'lanes', 'lookups'];
const WAIT_FIGURES = ['texels', 'operands'];

/**
 * Returns issued instructions, their share and issue cycles, lanes per instruction, texture lookups
 * and, if they are known, the cycles for which warps wait for lookups and for operands.
 */
function figuresOf(counts: IssueCounts, all: number): string[] {
  const { issued, issueCycles, lanes, lookups, waits } = counts;
  const share = all === 0 ? 0 : (100 * issued) / all;
  const each = issued === 0 ? '–' : (lanes / issued).toFixed(1);
  const figures = [format(issued), `${share.toFixed(1)}%`, format(issueCycles), each];
  figures.push(format(lookups));
  if (waits === undefined) return figures;
  const texels = LOOKUP_WAIT_NAMES.reduce((sum, kind) => sum + waits[kind], 0);
  return [...figures, format(texels), format(waits.operands)];
}

/** Returns what warps of each stage do in their slots, by kind of their cycles. */
function listWarpCycles(programs: readonly ProgramSummary[]): string {
  const stages = programs.flatMap(({ program, stages }) =>
    stages.map(({ stage, warpCycles }) => ({ name: `${program} ${stage}`, cycles: warpCycles! })),
  );
  const rows = WARP_WAITS.map((kind) => {
    const cycles = stages.map((stage) => stage.cycles[kind]);
    return { kind, cycles, sum: cycles.reduce((sum, each) => sum + each, 0) };
  }).filter(({ sum }) => sum > 0);
  const total = rows.reduce((all, { sum }) => all + sum, 0);
  return formatColumns([
    ['warp cycles', 'share', ...stages.map(({ name }) => name)],
    ...rows.map(({ kind, cycles, sum }) => [
      kind,
      `${((100 * sum) / total).toFixed(1)}%`,
      ...cycles.map(format),
    ]),
  ]);
}

function format(count: number): string {
  return count.toLocaleString('en');
}

type Figures = (counts: IssueCounts) => string[];

function listLines(
  profiles: readonly ShaderProfile[],
  lineCount: number,
  columns: readonly string[],
  figures: Figures,
): string {
  const lines = profiles.flatMap((profile) =>
    profile.stages.flatMap(({ stage, lines }) =>
      lines.map((counts) => ({ ...counts, stage, program: profile.program, profile })),
    ),
  );
  const costliest = lines.toSorted((a, b) => costOf(b) - costOf(a)).slice(0, lineCount);
  const rows = costliest.map(({ program, stage, line, profile, ...counts }) => {
    const source = stage === 'fragment' ? profile.fragmentSource : profile.vertexSource;
    const text = line === null ? NO_LINE : (source.split(/\r\n?|\n\r?/)[line - 1] ?? '').trim();
    return [
      `${program} ${stage}:${line ?? '–'}`,
      ...figures(counts),
      text.length > MAX_SOURCE ? `${text.slice(0, MAX_SOURCE)}…` : text,
    ];
  });
  const omitted = lines.length - rows.length;
  const rest = omitted > 0 ? `and ${omitted} more lines (--lines)\n` : '';
  return formatColumns([['line', ...columns, 'source'], ...rows]) + rest;
}

/** Returns issued instructions, or the cycles of warps at some code if their waits are known. */
function costOf({ issued, issueCycles, waits }: IssueCounts): number {
  if (waits === undefined) return issued;
  return LINE_WAITS.reduce((sum, kind) => sum + waits[kind], issueCycles);
}

function listInstructions(
  { program, stages }: ShaderProfile,
  columns: readonly string[],
  figures: Figures,
): string {
  return stages
    .map(({ stage, instructions }) => {
      const rows = instructions.map(({ line, text, ...counts }) => [
        String(line ?? '–'),
        ...figures(counts),
        text,
      ]);
      const head = ['line', ...columns, `instruction of program ${program}, ${stage}`];
      return formatColumns([head, ...rows]);
    })
    .join('\n');
}
