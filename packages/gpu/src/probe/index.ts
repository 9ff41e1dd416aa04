/** Observation of fragments: counts by pixel and draw, histories of pixels. */
export type { DrawCounts, FragmentObserver } from '../modes/fragment-probe.ts';
export { DrawTotals } from './draw-totals.ts';
export type { DepthTest, StencilTest } from './late-tests.ts';
export { PIXEL_COUNTS, type PixelCount, PixelCounts } from './pixel-counts.ts';
export {
  FRAGMENT_OUTCOMES,
  type FragmentOutcome,
  MAX_PIXEL_EVENTS,
  type PixelEvent,
  PixelHistory,
  type PixelHistoryResult,
} from './pixel-history.ts';
export type { TargetPixel } from './target-pixel.ts';
