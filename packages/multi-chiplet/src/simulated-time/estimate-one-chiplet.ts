/** Estimate of a frame on a GPU of one chiplet; browsers load it too. */
import { DEFAULT_INTERCONNECT } from '../interconnect/interconnect-spec.ts';
import { estimateFrames } from './estimate-frames.ts';
import { copyCyclesOf, type FrameMeasurement, serialCycles } from './frame-measurement.ts';

/** GPU of one chiplet without overlap, and the assignment of its bins. */
export const ONE_CHIPLET = {
  chipletCount: 1,
  isVisibilityChipletRendering: true,
  policy: 'static-blocks',
  interconnect: DEFAULT_INTERCONNECT,
  overlap: 'none',
  framesInFlight: 1,
} as const;

/**
 * Returns the cycles of a frame on one chiplet.
 *
 * @param frame Frame with cycles, not with records.
 */
export function estimateOnOneChiplet(frame: FrameMeasurement): number {
  // Nothing overlaps, except for the resolve of a bin with the next bin.
  const isResolved = frame.passes.some(({ copyWork }) => copyWork.resolve !== undefined);
  return isResolved
    ? estimateFrames([frame], ONE_CHIPLET).frames[0]!.endCycle
    : serialCycles(frame).cycles + copyCyclesOf(frame);
}
