/** Observation of fragments and warps: counts by pixel, draw and instruction; pixel histories. */
export { LINE_BYTES } from '@tessera/chip/records';
export type { FragmentObserver } from '../modes/fragment-probe.ts';
export { WarpTallies } from '../run-log/warp-tallies.ts';
export type { WarpTally } from '../run-log/warp-tally.ts';
export { WarpPlaces } from '../timing/warp-places.ts';
export { DrawTotals } from './draw-totals.ts';
export { PixelCounts } from './pixel-counts.ts';
export { PixelRecorder } from './pixel-recorder.ts';
export { countStage, profileStage } from './profile-stage.ts';
export { pixelsOfTraces } from './traced-lines.ts';
