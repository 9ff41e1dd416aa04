/**
 * Estimates of frames from the cycles of each phase and bin by itself, which is what services
 * report with `coupling: none`. Nothing here needs a machine, so it also runs in browsers.
 */

import { IsolatedWork } from './chiplet-work.ts';
import { CrosslinkTransfers } from './frame-link.ts';
import { type FrameMeasurement, isRecorded } from './frame-measurement.ts';
import { FrameSimulation, type SimulationTiming } from './frame-simulation.ts';
import type { SimulatedFrames, SimulationOptions } from './simulated-frames.ts';

/** Link without cost, for frames without cycle timing. */
const FREE_LINK = {
  topology: 'full',
  bytesPerCycle: Number.POSITIVE_INFINITY,
  latencyCycles: 0,
} as const;

/** Timing of phases and bins by themselves, and of the crosslink. */
export const ISOLATED_TIMING: SimulationTiming = {
  makeLink: (_frames, isTimed, { chipletCount, interconnect }) =>
    new CrosslinkTransfers(isTimed ? interconnect : FREE_LINK, chipletCount),
  makeWork: (_frames, isTimed, _options, events) => new IsolatedWork(events, isTimed),
};

/**
 * Simulates frames without records in their order. All are available from the start.
 *
 * @throws {RenderError} REQUEST_INVALID for a topology that only the packet network has.
 */
export function estimateFrames(
  frames: readonly FrameMeasurement[],
  options: SimulationOptions,
): SimulatedFrames {
  if (frames.some(isRecorded)) throw new Error('estimate: recorded frames need machines');
  const simulation = new FrameSimulation(frames, options, ISOLATED_TIMING);
  for (const _cycle of simulation.run());
  return simulation.result;
}
