/**
 * Simulates frames over many chiplets with the timing that their measurements allow: recorded
 * frames on machines and the packet network, all others with the cycles of each phase and bin. The
 * flow is in frame-simulation.ts.
 */
import type { FrameMeasurement } from './frame-measurement.ts';
import { FrameSimulation, type SimulationTiming } from './frame-simulation.ts';
import { LayerMerging } from './layer-merging.ts';
import { makeChipletWork } from './make-chiplet-work.ts';
import { makeFrameLink } from './make-frame-link.ts';
import type { SimulatedFrames, SimulationOptions } from './simulated-frames.ts';

/** Number of chiplets that are examined per turn, at about 50 million per second. */
const LOOKS_PER_TURN = 200_000;

const TIMING: SimulationTiming = {
  makeLink: makeFrameLink,
  makeWork: makeChipletWork,
  makeMerging: (options) => new LayerMerging(options),
};

/** Simulates frames in their order. All are available from the start. */
export function simulateFrames(
  frames: readonly FrameMeasurement[],
  options: SimulationOptions,
): SimulatedFrames {
  const simulation = new FrameSimulation(frames, options, TIMING);
  for (const _cycle of simulation.run());
  return simulation.result;
}

/**
 * Simulates like {@link simulateFrames}, in parts of some milliseconds.
 *
 * @param giveTurn Awaited between two parts, so that other work of the thread can run.
 */
export async function simulateFramesInTurns(
  frames: readonly FrameMeasurement[],
  options: SimulationOptions,
  giveTurn: () => Promise<void>,
): Promise<SimulatedFrames> {
  const simulation = new FrameSimulation(frames, options, TIMING);
  let looks = 0;
  for (const _cycle of simulation.run()) {
    // Every cycle with an event examines each chiplet.
    looks += options.chipletCount;
    if (looks < LOOKS_PER_TURN) continue;
    looks = 0;
    await giveTurn();
  }
  return simulation.result;
}
