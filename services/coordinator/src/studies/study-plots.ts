/** The plots of a study: a figure over the number of chiplets, a line for each of what else was swept. */
import { type PlotSeries, plotLines } from '@tessera/plot';
import type { StudyRequest, StudyRow } from '../compute/study-request.ts';
import { nextTurn } from '../process/event-loop-turn.ts';

/** Figures that are plotted. */
export const STUDY_PLOTS = {
  speedup: { title: 'Speed-up over one chiplet', yLabel: 'times as fast' },
  cycles: { title: 'Simulated cycles of a frame', yLabel: 'cycles' },
  efficiency: { title: 'Speed-up ÷ chiplets', yLabel: 'efficiency' },
  imbalance: { title: 'Longest share of the bins ÷ mean share', yLabel: 'imbalance' },
} as const satisfies Partial<Record<keyof StudyRow, { title: string; yLabel: string }>>;
export type StudyPlotName = keyof typeof STUDY_PLOTS;

/** Most lines that can be told apart. */
const MAX_LINES = 21;

/**
 * Draws one of the plots. Rows are read list by list, with a turn of the event loop in between, and only the points of
 * the lines that are shown are kept.
 *
 * @returns Null without a row.
 */
export async function plotStudy(
  name: StudyPlotName,
  request: StudyRequest,
  lists: Iterable<readonly StudyRow[]>,
): Promise<string | null> {
  const { title, yLabel } = STUDY_PLOTS[name];
  /** Null for a line beyond those that are shown. */
  const lines = new Map<string, { x: number; y: number }[] | null>();
  const counts = new Set<number>();
  for (const rows of lists) {
    for (const row of rows) {
      counts.add(row.chiplets);
      const line = lineOf(request, row);
      if (!lines.has(line)) lines.set(line, lines.size < MAX_LINES ? [] : null);
      lines.get(line)?.push({ x: row.chiplets, y: row[name] });
    }
    await nextTurn();
  }
  if (lines.size === 0) return null;
  const series: PlotSeries[] = [];
  for (const [line, points] of lines) {
    if (points !== null) series.push({ name: line, points: points.sort((a, b) => a.x - b.x) });
  }
  const left = lines.size - series.length;
  if (name === 'speedup') series.push(idealLine([...counts].sort((a, b) => a - b)));
  const rest = left > 0 ? ` (first ${MAX_LINES} of ${lines.size} lines)` : '';
  return plotLines({ title: `${title}${rest}`, xLabel: 'chiplets', yLabel, series });
}

/** @param counts Numbers of chiplets, ascending. */
function idealLine(counts: readonly number[]): PlotSeries {
  return { name: 'ideal', isReference: true, points: counts.map((n) => ({ x: n, y: n })) };
}

/** A name of what was swept beside the chiplets; what is the same everywhere is left out. */
function lineOf(request: StudyRequest, row: StudyRow): string {
  const parts = [
    ...(request.frames.length > 1 ? [row.frame.slice(0, 8)] : []),
    row.policy,
    ...(request.specs.length > 1 ? [row.spec] : []),
    ...(request.bins.length > 1 ? [`${row.bins} bins`] : []),
    ...(request.visibility.length > 1 ? [row.visibility] : []),
  ];
  return parts.join(', ');
}
