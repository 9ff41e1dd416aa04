/** The way in which a simulation times its transfers. */
import { sharedPlacement } from '../placement/parse-placement.ts';
import { ISOLATED_TIMING } from './estimate-frames.ts';
import type { EventQueue } from './event-queue.ts';
import type { FrameLink } from './frame-link.ts';
import { type FrameMeasurement, isRecorded } from './frame-measurement.ts';
import { NetworkTransfers } from './network-link.ts';
import type { SimulationOptions } from './simulated-frames.ts';

/**
 * Returns the packet network for recorded frames, and otherwise the crosslink. If machines share
 * their memories, they advance the network together with themselves.
 */
export function makeFrameLink(
  frames: readonly FrameMeasurement[],
  isTimed: boolean,
  options: SimulationOptions,
  events: EventQueue,
): FrameLink {
  if (!frames.some(isRecorded)) return ISOLATED_TIMING.makeLink(frames, isTimed, options, events);
  const { chipletCount, interconnect, placement } = options;
  const carriesMessages = sharedPlacement(placement, chipletCount) !== null;
  return new NetworkTransfers({ interconnect, chipletCount, events, carriesMessages });
}
