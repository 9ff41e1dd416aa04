/** Plots of a study as SVG: a figure over the number of chiplets. */
import { type PlotSeries, plotLines, spacingOf } from '@tessera/plot';
import type { StudyRequest, StudyRow } from '@tessera/study';
import { CHIPLETS_AXIS, collectSeries, STUDY_PLOTS, type StudyPlotName } from './study-series.ts';

/** Draws a plot. Returns SVG, or null if there are no rows. */
export async function plotStudy(
  figure: StudyPlotName,
  request: StudyRequest,
  lists: Iterable<readonly StudyRow[]> | AsyncIterable<readonly StudyRow[]>,
): Promise<string | null> {
  const collected = await collectSeries(request, { figure, over: CHIPLETS_AXIS }, lists);
  const { lines, lineCount, isMean } = collected;
  if (lines.length === 0) return null;
  const counts = new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const series: PlotSeries[] = [...lines];
  if (figure === 'speedUp') series.push(idealLine([...counts].sort((a, b) => a - b)));
  const notes = [
    ...(isMean ? ['geometric means over the frames'] : []),
    ...(lineCount > lines.length ? [`first ${lines.length} of ${lineCount} lines`] : []),
  ];
  const { title, yLabel } = STUDY_PLOTS[figure];
  return plotLines({
    title: notes.length === 0 ? title : `${title} (${notes.join(', ')})`,
    xLabel: 'chiplets',
    yLabel,
    series,
    xSpacing: spacingOf(counts),
  });
}

/** @param counts Numbers of chiplets in ascending order. */
function idealLine(counts: readonly number[]): PlotSeries {
  return { name: 'ideal', isReference: true, points: counts.map((n) => ({ x: n, y: n })) };
}
