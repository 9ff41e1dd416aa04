/** Plots as SVG. */
export { type LinePlot, plotLines, spacingOf } from './line-plot.ts';
export { type PanelPlot, plotPanels } from './panel-plot.ts';
export type { PlotPoint, PlotSeries } from './svg-parts.ts';
