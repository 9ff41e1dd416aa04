/** Looks into a rendered frame: heat maps, histories of pixels, draws. */
export { FrameProbe, type FrameProbeOptions } from './frame-probe.ts';
export {
  HEAT_METRICS,
  type HeatMap,
  type HeatMapRequest,
  type HeatMetric,
  type HeatMetricName,
} from './heat-map.ts';
export type {
  DrawCost,
  PixelHistoryOfFrame,
  ProbedDraw,
  ProbedPixelEvent,
} from './probe-results.ts';
