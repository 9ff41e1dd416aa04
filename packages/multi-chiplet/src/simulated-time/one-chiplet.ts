/** Cycles of a frame on a GPU of one chiplet, against which speed-ups are measured. */
import { DEFAULT_INTERCONNECT } from '../interconnect/interconnect-spec.ts';
import {
  copyCyclesOf,
  type FrameMeasurement,
  isRecorded,
  serialCycles,
} from './frame-measurement.ts';
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
  // Nothing overlaps, except for the resolve of a bin with the next bin.
  const isResolved = measurement.passes.some(({ copyWork }) => copyWork.resolve !== undefined);
  if (!isRecorded(measurement) && !isResolved) {
    return serialCycles(measurement).cycles + copyCyclesOf(measurement);
  }
  return simulateFrames([measurement], {
    chipletCount: 1,
    isVisibilityChipletRendering: true,
    policy: 'static-blocks',
    interconnect: DEFAULT_INTERCONNECT,
    overlap: 'none',
    framesInFlight: 1,
    makeMachine,
  }).frames[0]!.endCycle;
}
