/** The way in which a simulation times the work of its chiplets. */
import type { MemorySharing } from '@tessera/frame';
import { sharedPlacement } from '../placement/parse-placement.ts';
import type { ChipletWork } from './chiplet-work.ts';
import { ISOLATED_TIMING } from './estimate-frames.ts';
import type { EventQueue } from './event-queue.ts';
import type { FrameLink } from './frame-link.ts';
import { type FrameMeasurement, isRecorded } from './frame-measurement.ts';
import { MachineRoom } from './machine-room.ts';
import { NetworkTransfers } from './network-link.ts';
import { refuseManyMachines } from './record-limits.ts';
import { SharedMemoryRoom } from './shared-memory-room.ts';
import type { SimulationOptions } from './simulated-frames.ts';
import { TargetHolders } from './target-holders.ts';

/**
 * Returns machines for recorded frames, which share their memories if a placement says so, and
 * otherwise the measured or estimated cycles.
 *
 * @param isTimed Whether cycles were measured or records kept.
 * @param events Queue of the simulation.
 * @param link Link of the simulation; the packet network if memories are shared.
 * @throws {RenderError} LIMIT_EXCEEDED for too many machines.
 */
export function makeChipletWork(
  frames: readonly FrameMeasurement[],
  isTimed: boolean,
  options: SimulationOptions,
  events: EventQueue,
  link: FrameLink,
): ChipletWork {
  const { chipletCount, interconnect, placement, timelineCycles } = options;
  if (!frames.some(isRecorded)) {
    return ISOLATED_TIMING.makeWork(frames, isTimed, options, events, link);
  }
  const makeMachine = (sharing?: MemorySharing) => {
    if (options.makeMachine === undefined) throw new Error('simulation: records need machines');
    return options.makeMachine(sharing, timelineCycles);
  };
  refuseManyMachines(chipletCount);
  const lookaheadCycles = interconnect.latencyCycles;
  const shared = sharedPlacement(placement, chipletCount);
  if (shared !== null) {
    const machines = Array.from({ length: chipletCount }, (_, chipletId) =>
      makeMachine({ chipletId, chipletCount, placement: shared }),
    );
    if (!(link instanceof NetworkTransfers)) throw new Error('simulation: the link has no packets');
    const holders = new TargetHolders(shared, chipletCount);
    const { hostOrder, onTextureRead } = options;
    const room = { machines, events, transfers: link, lookaheadCycles, holders };
    return new SharedMemoryRoom({ ...room, hostOrder, onTextureRead });
  }
  return new MachineRoom({ chipletCount, makeMachine, events, lookaheadCycles });
}
