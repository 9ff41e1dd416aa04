/**
 * Lines of a study's plots: a figure over the number of chiplets or a swept hardware parameter,
 * with a line per combination of the other swept values. Only the points of shown lines are kept.
 */
import { RenderError } from '@tessera/frame';
import { ENERGY_COLUMNS, type StudyRequest, type StudyRow } from '@tessera/study';
import { nextTurn } from '../process/event-loop-turn.ts';
import { linePartsOf } from './line-parts.ts';

/** Figures that are plotted. */
export const STUDY_PLOTS = {
  speedUp: { title: 'Speed-up over one chiplet', yLabel: 'speed-up' },
  cycles: { title: 'Simulated cycles of a frame', yLabel: 'cycles' },
  efficiency: { title: 'Speed-up ÷ chiplets', yLabel: 'efficiency' },
  imbalance: { title: 'Largest share of the bins ÷ mean share', yLabel: 'imbalance' },
  linkBytes: { title: 'Bytes over the link', yLabel: 'bytes' },
  energyTypicalPj: { title: 'Energy of a frame, typical', yLabel: 'picojoules' },
  powerTypicalMw: { title: 'Average power, typical', yLabel: 'milliwatts' },
  energyDelayTypicalPjS: { title: 'Energy × delay, typical', yLabel: 'picojoule seconds' },
} as const satisfies Partial<Record<keyof StudyRow, { title: string; yLabel: string }>>;
/** Name of a plot. */
export type StudyPlotName = keyof typeof STUDY_PLOTS;

/** Returns the plots that a study has: those of energy only if its rows have energies. */
export function plotsOf({ energy }: Pick<StudyRequest, 'energy'>): StudyPlotName[] {
  const names = Object.keys(STUDY_PLOTS) as StudyPlotName[];
  return names.filter((name) => energy !== undefined || !Object.hasOwn(ENERGY_COLUMNS, name));
}

/** Upper bound on distinguishable lines. */
export const MAX_LINES = 21;
/** Name of the horizontal axis that shows the number of chiplets. */
export const CHIPLETS_AXIS = 'chiplets';

/** Line of a plot. */
export interface StudyLine {
  readonly name: string;
  /** Points by position on the horizontal axis. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Lines of a plot. */
export interface StudySeries {
  readonly figure: StudyPlotName;
  /** Horizontal axis: chiplets, or a swept hardware parameter. */
  readonly over: string;
  /**
   * Whether points are geometric means over the frames, because a line for each frame would be more
   * than {@link MAX_LINES}.
   */
  readonly isMean: boolean;
  /** Number of lines with those that are left out. */
  readonly lineCount: number;
  readonly lines: readonly StudyLine[];
}

/** Values at one position of a line. */
interface Sum {
  readonly first: number;
  count: number;
  logs: number;
}

interface OpenLine {
  readonly row: StudyRow;
  readonly sums: Map<number, Sum>;
}

/**
 * Reads rows list by list, with a turn of the event loop in between.
 *
 * @throws {RenderError} REQUEST_INVALID if the study does not sweep numbers of `over`, or has no
 *   energies.
 */
export async function collectSeries(
  request: StudyRequest,
  { figure, over }: { readonly figure: StudyPlotName; readonly over: string },
  lists: Iterable<readonly StudyRow[]> | AsyncIterable<readonly StudyRow[]>,
): Promise<StudySeries> {
  requireFigure(request, figure);
  requireAxis(request, over);
  const { keyOf, nameOf, isMean } = linePartsOf(request, over, MAX_LINES);
  /** Lines by key; null for a line that is not shown. */
  const lines = new Map<string, OpenLine | null>();
  const scenes = new Map<string, string>();
  for await (const rows of lists) {
    for (const row of rows) {
      scenes.set(row.frame, row.scene);
      const key = keyOf(row);
      let line = lines.get(key);
      if (line === undefined) {
        line = lines.size < MAX_LINES ? { row, sums: new Map() } : null;
        lines.set(key, line);
      }
      const x = over === CHIPLETS_AXIS ? row.chiplets : Number(row.settings?.[over]);
      if (line !== null) add(line.sums, x, row[figure]!); // The study has the figure.
    }
    await nextTurn();
  }
  const shown = [...lines.values()].filter((line) => line !== null);
  return {
    figure,
    over,
    isMean,
    lineCount: lines.size,
    lines: shown.map(({ row, sums }) => ({ name: nameOf(row, scenes), points: pointsOf(sums) })),
  };
}

/** @throws {RenderError} REQUEST_INVALID. */
function requireFigure(request: StudyRequest, figure: StudyPlotName): void {
  const figures = plotsOf(request);
  if (figures.includes(figure)) return;
  const message = `figure: '${figure}' is not one of ${figures.join(', ')}, because the study was posted without energy`;
  throw new RenderError('REQUEST_INVALID', message);
}

/** @throws {RenderError} REQUEST_INVALID. */
function requireAxis({ sweep }: StudyRequest, over: string): void {
  const numeric = Object.entries(sweep).filter(([, [value]]) => typeof value === 'number');
  const axes = [CHIPLETS_AXIS, ...numeric.map(([name]) => name)];
  if (axes.includes(over)) return;
  throw new RenderError('REQUEST_INVALID', `over: '${over}' is not one of ${axes.join(', ')}`);
}

function add(sums: Map<number, Sum>, x: number, value: number): void {
  const sum = sums.get(x);
  if (sum === undefined) sums.set(x, { first: value, count: 1, logs: Math.log(value) });
  else {
    sum.count++;
    sum.logs += Math.log(value);
  }
}

/** Returns the means by position. The mean of values of which one is 0 is 0. */
function pointsOf(sums: ReadonlyMap<number, Sum>): StudyLine['points'] {
  return [...sums]
    .map(([x, { first, count, logs }]) => ({ x, y: count === 1 ? first : Math.exp(logs / count) }))
    .sort((a, b) => a.x - b.x);
}
