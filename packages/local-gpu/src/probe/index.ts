/** Looks into a rendered frame: heat maps, histories of pixels, draws, costs of shaders. */
export { FrameProbe, type FrameProbeOptions, type ProbedPixel } from './frame-probe.ts';
export type { HeatMapRequest } from './heat-map.ts';
export type { ProfileRequest } from './shader-profiler.ts';
