/** Panels side by side with the same axes and the same lines, as SVG. */
import {
  gridLine,
  label,
  legendEntry,
  type PlotSeries,
  roundTicks,
  scaleBetween,
  seriesLine,
  shortNumber,
  svgDocument,
  uprightLabel,
} from './svg-parts.ts';

/** Contents of a plot of panels. */
export interface PanelPlot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** Names on the x axis, from left to right. A point's x is the index of its name. */
  readonly xNames: readonly string[];
  /** Panels from left to right. All have series of the same names in the same order. */
  readonly panels: readonly { readonly title: string; readonly series: readonly PlotSeries[] }[];
}

const PANEL_PX = 250;
const GAP_PX = 60;
const LEFT_PX = 64;
const TOP_PX = 64;
const BOTTOM_PX = 300;
const LEGEND_ENTRY_PX = 150;
const HEIGHT_PX = 400;
const DIVISIONS = 6;

/** Draws the panels, with the vertical axis at the first one and the legend below. */
export function plotPanels({ title, xLabel, yLabel, xNames, panels }: PanelPlot): string {
  const ys = panels.flatMap(({ series }) =>
    series.flatMap((line) => line.points.map(({ y }) => y)),
  );
  const ticks = roundTicks(Math.max(...ys), DIVISIONS);
  const yOf = scaleBetween(0, ticks.at(-1)!, BOTTOM_PX, TOP_PX);
  const widthPx = LEFT_PX + panels.length * (PANEL_PX + GAP_PX);
  const drawn = panels.flatMap((panel, index) => {
    const left = LEFT_PX + index * (PANEL_PX + GAP_PX);
    const right = left + PANEL_PX;
    const xOf = scaleBetween(0, xNames.length - 1, left, right);
    return [
      label((left + right) / 2, TOP_PX - 12, panel.title, 'middle'),
      ...ticks.map((y) => gridLine(yOf(y), left, right)),
      ...xNames.map((name, i) => label(xOf(i), BOTTOM_PX + 20, name, 'middle')),
      ...panel.series.flatMap((line, i) => seriesLine(line, i, xOf, yOf)),
    ];
  });
  return svgDocument(title, widthPx, HEIGHT_PX, [
    label(widthPx / 2, 24, title, 'middle', ' font-size="16"'),
    ...ticks.map((y) => label(LEFT_PX - 8, yOf(y) + 4, shortNumber(y), 'end')),
    uprightLabel(18, (TOP_PX + BOTTOM_PX) / 2, yLabel),
    ...drawn,
    label(widthPx / 2, BOTTOM_PX + 44, xLabel, 'middle'),
    ...(panels[0]?.series ?? []).flatMap((line, i) =>
      legendEntry(line, i, LEFT_PX + i * LEGEND_ENTRY_PX, HEIGHT_PX - 24),
    ),
  ]);
}
