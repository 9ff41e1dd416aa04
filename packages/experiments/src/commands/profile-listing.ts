/** Text that `tessera profile` prints. */
import type { IssueCounts, ProgramSummary, ShaderProfile } from '@tessera/frame';
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
  const figures = (counts: IssueCounts) => figuresOf(counts, issued);
  const stages = programs.flatMap(({ program, draws, stages }) =>
    stages.map((of) => [
      `${program} ${of.stage}`,
      String(draws.length),
      String(of.instructions),
      ...figures(of),
    ]),
  );
  const head = ['program', 'draws', 'instructions', ...FIGURES];
  const parts = [
    `warps issued ${format(issued)} instructions (shaderCore.warpInstructions)\n`,
    formatColumns([head, ...stages]),
    listLines(profiles, lineCount, figures),
    ...(showsIsa ? profiles.map((profile) => listInstructions(profile, figures)) : []),
  ];
  return parts.join('\n');
}

const FIGURES = ['issued', 'share', 'cycles', 'lanes'];

/** Returns issued instructions, their share and issue cycles, and lanes per instruction. */
function figuresOf({ issued, issueCycles, lanes }: IssueCounts, all: number): string[] {
  const share = all === 0 ? 0 : (100 * issued) / all;
  const each = issued === 0 ? '–' : (lanes / issued).toFixed(1);
  return [format(issued), `${share.toFixed(1)}%`, format(issueCycles), each];
}

function format(count: number): string {
  return count.toLocaleString('en');
}

type Figures = (counts: IssueCounts) => string[];

function listLines(
  profiles: readonly ShaderProfile[],
  lineCount: number,
  figures: Figures,
): string {
  const lines = profiles.flatMap((profile) =>
    profile.stages.flatMap(({ stage, lines }) =>
      lines.map((counts) => ({ ...counts, stage, program: profile.program, profile })),
    ),
  );
  const costliest = lines.toSorted((a, b) => b.issued - a.issued).slice(0, lineCount);
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
  return formatColumns([['line', ...FIGURES, 'source'], ...rows]) + rest;
}

function listInstructions({ program, stages }: ShaderProfile, figures: Figures): string {
  return stages
    .map(({ stage, instructions }) => {
      const rows = instructions.map(({ line, text, ...counts }) => [
        String(line ?? '–'),
        ...figures(counts),
        text,
      ]);
      const head = ['line', ...FIGURES, `instruction of program ${program}, ${stage}`];
      return formatColumns([head, ...rows]);
    })
    .join('\n');
}
