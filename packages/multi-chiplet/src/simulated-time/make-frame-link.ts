/** The way in which a simulation times its transfers. */
import { sharedPlacement } from '../placement/parse-placement.ts';
import type { EventQueue } from './event-queue.ts';
import { CrosslinkTransfers, type FrameLink } from './frame-link.ts';
import { type FrameMeasurement, isRecorded } from './frame-measurement.ts';
import { NetworkTransfers } from './network-link.ts';
import type { SimulationOptions } from './simulated-frames.ts';

/** Link without cost, for frames without cycle timing. */
const FREE_LINK = {
  topology: 'full',
  bytesPerCycle: Number.POSITIVE_INFINITY,
  latencyCycles: 0,
} as const;

/**
 * Returns the packet network for recorded frames, and otherwise the crosslink. If machines share
 * their memories, they advance the network together with themselves.
 */
export function makeFrameLink(
  frames: readonly FrameMeasurement[],
  isTimed: boolean,
  { chipletCount, interconnect, placement }: SimulationOptions,
  events: EventQueue,
): FrameLink {
  if (!frames.some(isRecorded))
    return new CrosslinkTransfers(isTimed ? interconnect : FREE_LINK, chipletCount);
  const carriesMessages = sharedPlacement(placement, chipletCount) !== null;
  return new NetworkTransfers({ interconnect, chipletCount, events, carriesMessages });
}
