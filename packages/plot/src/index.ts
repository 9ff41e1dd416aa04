/** Plots as SVG. */
export { type LinePlot, plotLines } from './line-plot.ts';
export { type PanelPlot, plotPanels } from './panel-plot.ts';
export type { PlotPoint, PlotSeries } from './svg-parts.ts';
export { spacingOf } from './x-spacing.ts';
