/** Cycles of a frame on a GPU of one chiplet, against which speed-ups are measured. */
import { estimateOnOneChiplet, ONE_CHIPLET } from './estimate-one-chiplet.ts';
import { type FrameMeasurement, isRecorded } from './frame-measurement.ts';
import { simulateFrames } from './simulate-frames.ts';
import type { MachineMaker } from './simulated-machine.ts';

/**
 * Returns the cycles of a frame with cycle timing on one chiplet, without overlap.
 *
 * @param makeMachine Creates the machine that times a recorded frame.
 */
export function cyclesOnOneChiplet(
  measurement: FrameMeasurement,
  makeMachine: MachineMaker,
): number {
  if (!isRecorded(measurement)) return estimateOnOneChiplet(measurement);
  return simulateFrames([measurement], { ...ONE_CHIPLET, makeMachine }).frames[0]!.endCycle;
}
