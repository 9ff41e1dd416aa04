/** Plots as SVG. */
export { type LinePlot, type PlotSeries, plotLines } from './line-plot.ts';
