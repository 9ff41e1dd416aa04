/** Observation of fragments: counts by pixel and draw, histories of pixels, lines of textures. */
export { LINE_BYTES } from '@tessera/chip/records';
export type { FragmentObserver } from '../modes/fragment-probe.ts';
export { DrawTotals } from './draw-totals.ts';
export { PixelCounts } from './pixel-counts.ts';
export { PixelRecorder } from './pixel-recorder.ts';
export { pixelsOfTraces } from './traced-lines.ts';
