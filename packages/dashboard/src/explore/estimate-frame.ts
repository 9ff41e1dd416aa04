/**
 * Estimates of a frame on any GPU, by the code of the service. The figures equal those of a report
 * with `coupling=none` to the bit.
 */
import {
  accountAssignment,
  accountChiplets,
  type ChipletAccount,
  estimateFrames,
  estimateOnOneChiplet,
  type FrameMeasurement,
  idleShareOf,
  type SimulatedFrames,
} from '@tessera/multi-chiplet/estimate';
import type { ExploreSettings, SettingsSource } from './explore-settings.ts';

/** Answer of `GET /v1/frames/{id}/measurement`. */
export interface Measurement extends FrameMeasurement, SettingsSource {}

/** Estimate of one or more equal frames in a row. */
export interface Estimate {
  readonly settings: ExploreSettings;
  readonly simulated: SimulatedFrames;
  readonly chiplets: readonly ChipletAccount[];
  readonly figures: EstimateFigures;
}

/** Figures of all frames together. */
export interface EstimateFigures {
  /** Cycles from the start of the first frame to the last pixel of the last one. */
  readonly cycles: number;
  /** Cycles on one chiplet, without overlap, ÷ `cycles`. */
  readonly speedUp: number;
  /** Mean share of cycles in which a chiplet has no work. */
  readonly idleShare: number;
  /** Largest share of the bins ÷ mean share, over the passes. */
  readonly imbalance: number;
  /** Sums over the passes. */
  readonly makespanCycles: number;
  readonly lowerBoundCycles: number;
  readonly linkBytes: number;
}

/**
 * Estimates a frame.
 *
 * @param measurement Measurement with cycles.
 */
export function estimateFrame(measurement: Measurement, settings: ExploreSettings): Estimate {
  const { isVisibilityChipletRendering } = measurement;
  const { chiplets: chipletCount, frames: frameCount } = settings;
  const frames = new Array<FrameMeasurement>(frameCount).fill(measurement);
  const simulated = estimateFrames(frames, {
    chipletCount,
    isVisibilityChipletRendering,
    policy: settings.policy,
    interconnect: {
      topology: settings.linkTopology,
      bytesPerCycle: settings.linkBytesPerCycle,
      latencyCycles: settings.linkLatencyCycles,
    },
    overlap: settings.overlap,
    framesInFlight: frameCount,
  });
  // All passes as those of one frame, because accounts are of a frame.
  const joined = { passes: frames.flatMap(({ passes }) => passes) };
  const passes = simulated.frames.flatMap((frame) => frame.passes);
  const cycles = Math.max(...simulated.frames.map(({ endCycle }) => endCycle));
  const together = { ...simulated, frames: [{ startCycle: 0, endCycle: cycles, passes }] };
  const chiplets = accountChiplets(joined, together, chipletCount);
  const assignment = accountAssignment(together, chipletCount, isVisibilityChipletRendering);
  const idle = chiplets.reduce((sum, { busyCycles }) => sum + idleShareOf(busyCycles, cycles), 0);
  return {
    settings,
    simulated,
    chiplets,
    figures: {
      cycles,
      speedUp: estimateOnOneChiplet(joined) / cycles,
      idleShare: idle / chipletCount,
      imbalance: assignment.imbalance,
      makespanCycles: assignment.makespanCycles!, // A measurement with cycles is timed.
      lowerBoundCycles: assignment.lowerBoundCycles!,
      linkBytes: simulated.transfers.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  };
}
