/**
 * Plots of a study: a figure over the number of chiplets, with one line per combination of the
 * other swept values.
 */
import { type PlotSeries, plotLines, spacingOf } from '@tessera/plot';
import type { StudyRequest, StudyRow } from '@tessera/study';
import { nextTurn } from '../process/event-loop-turn.ts';

/** Figures that are plotted. */
export const STUDY_PLOTS = {
  speedUp: { title: 'Speed-up over one chiplet', yLabel: 'speed-up' },
  cycles: { title: 'Simulated cycles of a frame', yLabel: 'cycles' },
  efficiency: { title: 'Speed-up ÷ chiplets', yLabel: 'efficiency' },
  imbalance: { title: 'Largest share of the bins ÷ mean share', yLabel: 'imbalance' },
} as const satisfies Partial<Record<keyof StudyRow, { title: string; yLabel: string }>>;
/** Name of a plot. */
export type StudyPlotName = keyof typeof STUDY_PLOTS;

/** Upper bound on distinguishable lines. */
const MAX_LINES = 21;

/**
 * Draws a plot. Reads rows list by list, with a turn of the event loop in between, and keeps only
 * the points of lines that are shown.
 *
 * @returns SVG, or null if there are no rows.
 */
export async function plotStudy(
  name: StudyPlotName,
  request: StudyRequest,
  lists: Iterable<readonly StudyRow[]> | AsyncIterable<readonly StudyRow[]>,
): Promise<string | null> {
  const { title, yLabel } = STUDY_PLOTS[name];
  /** Points of each line; null for a line that is not shown. */
  const lines = new Map<string, { x: number; y: number }[] | null>();
  const counts = new Set<number>();
  for await (const rows of lists) {
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
  if (name === 'speedUp') series.push(idealLine([...counts].sort((a, b) => a - b)));
  const rest = left > 0 ? ` (first ${MAX_LINES} of ${lines.size} lines)` : '';
  const xSpacing = spacingOf(counts);
  return plotLines({ title: `${title}${rest}`, xLabel: 'chiplets', yLabel, series, xSpacing });
}

/** @param counts Numbers of chiplets in ascending order. */
function idealLine(counts: readonly number[]): PlotSeries {
  return { name: 'ideal', isReference: true, points: counts.map((n) => ({ x: n, y: n })) };
}

/**
 * Returns the name of a row's line: the swept values other than the number of chiplets, without
 * those that never vary.
 */
function lineOf(request: StudyRequest, row: StudyRow): string {
  const parts = [
    ...(request.frames.length > 1 ? [row.frame.slice(0, 8)] : []),
    row.policy,
    ...(request.bases.length > 1 || Object.keys(request.sweep).length > 0 ? [row.spec] : []),
    ...(request.bins.length > 1 ? [`${row.bins} bins`] : []),
    ...(request.visibility.length > 1 ? [row.visibility] : []),
  ];
  return parts.join(', ');
}
