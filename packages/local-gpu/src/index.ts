/** One simulated multi-chiplet GPU in this process. */
export { FrameInParts, type PartObserver } from './frame-in-parts.ts';
export {
  type FrameOptions,
  LocalGpu,
  type SampledSequenceOptions,
  type SequenceOptions,
} from './local-gpu.ts';
export type { LocalGpuOptions, RenderOptions } from './local-gpu-options.ts';
export type { FrameProbe } from './probe/frame-probe.ts';
export { SAMPLE_RANGES } from './sampling/sample-sequence.ts';
export type { FigureEstimate, SampledSequenceReport } from './sampling/sampled-report.ts';
export { type TriedBound, tryBounds } from './try-bounds.ts';
