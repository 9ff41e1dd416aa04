/** Lines over numbers as SVG: the plot of a study's results, for browsers and documents. */
import {
  fixed,
  gridLine,
  label,
  legendEntry,
  type PlotPoint,
  type PlotSeries,
  roundTicks,
  scaleBetween,
  seriesLine,
  shortNumber,
  svgDocument,
  uprightLabel,
} from './svg-parts.ts';
import { placeOnAxis, type XSpacing } from './x-spacing.ts';

/** Contents of a plot of lines. */
export interface LinePlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Lines: at least one, with a point. */
  readonly series: readonly PlotSeries[];
  /**
   * Distances on the x axis: those of the values (default), equal from each value to the next, or
   * equal for each doubling.
   */
  readonly xSpacing?: XSpacing;
  /** Points that are ringed and named, such as a figure of a paper. */
  readonly notes?: readonly (PlotPoint & { readonly text: string })[];
}

const WIDTH_PX = 760;
const LEFT_PX = 64;
const RIGHT_PX = 500;
const TOP_PX = 44;
const BOTTOM_PX = 330;
const LEGEND_LINE_PX = 20;
const MARGIN_PX = 60;
/** Number of divisions wanted on the vertical axis. */
const DIVISIONS = 5;

/**
 * Draws the plot.
 *
 * @example plotLines({ title: 'Speed-up', xLabel: 'chiplets', yLabel: '×', series })
 */
export function plotLines(plot: LinePlot): string {
  const { title, xLabel, yLabel, series, notes = [] } = plot;
  const points = [...series.flatMap((line) => line.points), ...notes];
  const xs = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b);
  const ticks = roundTicks(Math.max(...points.map(({ y }) => y)), DIVISIONS);
  const middle = (LEFT_PX + RIGHT_PX) / 2;
  const center = (TOP_PX + BOTTOM_PX) / 2;
  const placeOf = placeOnAxis(plot.xSpacing ?? 'proportional');
  const [first, last] = [placeOf(xs[0]!, xs), placeOf(xs.at(-1)!, xs)];
  const scaleX = scaleBetween(first, last, LEFT_PX, RIGHT_PX);
  const xOf = (x: number) => (first === last ? middle : scaleX(placeOf(x, xs)));
  const yOf = scaleBetween(0, ticks.at(-1)!, BOTTOM_PX, TOP_PX);
  const heightPx = Math.max(BOTTOM_PX, TOP_PX + LEGEND_LINE_PX * series.length) + MARGIN_PX;
  return svgDocument(title, WIDTH_PX, heightPx, [
    label(middle, 24, title, 'middle', ' font-size="16"'),
    ...ticks.map((y) => {
      const name = label(LEFT_PX - 8, yOf(y) + 4, shortNumber(y), 'end');
      return gridLine(yOf(y), LEFT_PX, RIGHT_PX) + name;
    }),
    ...xs.map((x) => label(xOf(x), BOTTOM_PX + 20, shortNumber(x), 'middle')),
    label(middle, BOTTOM_PX + 42, xLabel, 'middle'),
    uprightLabel(18, center, yLabel),
    ...series.flatMap((line, i) => [
      ...seriesLine(line, i, xOf, yOf),
      ...legendEntry(line, i, RIGHT_PX + 20, TOP_PX + 8 + LEGEND_LINE_PX * i),
    ]),
    ...notes.flatMap(({ x, y, text }) => [
      `<circle cx="${fixed(xOf(x))}" cy="${fixed(yOf(y))}" r="8" fill="none" stroke="#000000" stroke-width="2"/>`,
      label(xOf(x), yOf(y) - 14, text, 'middle'),
    ]),
  ]);
}
