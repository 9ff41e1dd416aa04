/** Looks into a rendered frame: heat maps, histories of pixels, draws. */
export { FrameProbe, type FrameProbeOptions, type ProbedPixel } from './frame-probe.ts';
export type { HeatMapRequest } from './heat-map.ts';
