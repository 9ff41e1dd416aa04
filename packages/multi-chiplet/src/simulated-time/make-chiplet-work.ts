/** The way in which a simulation times the work of its chiplets. */
import { type ChipletWork, IsolatedWork } from './chiplet-work.ts';
import type { EventQueue } from './event-queue.ts';
import { type FrameMeasurement, isRecorded } from './frame-measurement.ts';
import { MachineRoom } from './machine-room.ts';
import { refuseManyMachines } from './record-limits.ts';
import type { SimulationOptions } from './simulated-frames.ts';

/**
 * Returns machines for recorded frames, and otherwise the measured or estimated cycles.
 *
 * @param isTimed Whether cycles were measured or records kept.
 * @param events Queue of the simulation.
 * @throws {RenderError} LIMIT_EXCEEDED for too many machines.
 */
export function makeChipletWork(
  frames: readonly FrameMeasurement[],
  isTimed: boolean,
  { chipletCount, makeMachine, interconnect }: SimulationOptions,
  events: EventQueue,
): ChipletWork {
  if (!frames.some(isRecorded)) return new IsolatedWork(events, isTimed);
  if (makeMachine === undefined) throw new Error('simulation: records need machines');
  refuseManyMachines(chipletCount);
  const lookaheadCycles = interconnect.latencyCycles;
  return new MachineRoom({ chipletCount, makeMachine, events, lookaheadCycles });
}
