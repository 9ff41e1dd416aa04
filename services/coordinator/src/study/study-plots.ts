/** The plots of a study: a figure over the number of chiplets, a line for each of what else was swept. */
import { type PlotSeries, plotLines } from '@tessera/multi-chiplet/line-plot';
import type { StudyRequest, StudyRow } from './study-request.ts';

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

/** Draws one of the plots. @param rows At least one. */
export function plotStudy(
  name: StudyPlotName,
  request: StudyRequest,
  rows: readonly StudyRow[],
): string {
  const { title, yLabel } = STUDY_PLOTS[name];
  const lines = new Map<string, { x: number; y: number }[]>();
  for (const row of rows) {
    const line = lineOf(request, row);
    lines.set(line, [...(lines.get(line) ?? []), { x: row.chiplets, y: row[name] }]);
  }
  const shown = [...lines].slice(0, MAX_LINES);
  const series: PlotSeries[] = shown.map(([line, points]) => ({
    name: line,
    points: points.sort((a, b) => a.x - b.x),
  }));
  if (name === 'speedup') series.push(idealLine(rows));
  const left = lines.size - shown.length;
  const rest = left > 0 ? ` (first ${MAX_LINES} of ${lines.size} lines)` : '';
  return plotLines({ title: `${title}${rest}`, xLabel: 'chiplets', yLabel, series });
}

function idealLine(rows: readonly StudyRow[]): PlotSeries {
  const counts = [...new Set(rows.map(({ chiplets }) => chiplets))].sort((a, b) => a - b);
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
