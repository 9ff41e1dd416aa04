/** State of the frames in progress during a simulation. */
import type { ChipletId } from '@tessera/frame';
import type { AssignmentCost } from '../bin-assignment/assignment-cost.ts';
import type { PassMeasurement } from './frame-measurement.ts';
import type { VisibilityRun } from './organization.ts';
import type { SegmentArrivals } from './segment-arrivals.ts';
import type {
  SimulatedBin,
  SimulatedCopies,
  SimulatedFrame,
  SimulatedPass,
} from './simulated-frames.ts';

/** Cycle of something that has not happened, or is not known to happen. */
export const NEVER = Number.POSITIVE_INFINITY;

/** Cycles from which several things can be used, each by chiplet. */
export type Readiness = readonly (readonly number[])[];

/** Returns the cycle from which a chiplet can use all things. */
export function readyCycle(things: Readiness, chipletId: ChipletId): number {
  let latest = 0;
  for (const cycles of things) latest = Math.max(latest, cycles[chipletId]!);
  return latest;
}

/** Returns whether a chiplet can use all things in a cycle. */
function isUsable(things: Readiness, chipletId: ChipletId, cycle: number): boolean {
  for (const cycles of things) if (cycles[chipletId]! > cycle) return false;
  return true;
}

/** Run of a part of a visibility phase. */
export interface PartState extends VisibilityRun {
  startCycle: number;
  endCycle: number;
  /** Cycles from which its streams can be used, by chiplet. */
  streamAt: readonly number[];
}

/** Bin that has started before its workload was known. */
export interface BegunBin {
  readonly chipletId: ChipletId;
  /** Predicted cycles; 0 until they are known. */
  loadCycles: number;
  hasEnded: boolean;
}

/** Bins of a pass that chiplets start while its visibility phase runs, one each. */
export interface FirstBins {
  /** Bins that have not started, in order; empty if a policy assigned them in lists. */
  readonly pool: number[];
  /** Whether bins start in this order. Otherwise those with the most entries so far come first. */
  readonly isOrdered: boolean;
  /** Bins that have started before the workload was known. */
  readonly begun: Map<number, BegunBin>;
  readonly chipletIds: Set<ChipletId>;
  /** Cycle from which each chiplet knows its bin. */
  readonly listAt: readonly number[];
}

/** A pass in progress. */
export interface PassState {
  readonly frame: FrameState;
  readonly passIndex: number;
  readonly measurement: PassMeasurement;
  visibilityStart: number;
  visibilityEnd: number;
  /** Runs of the visibility phase, and number of those whose streams are not where they go. */
  readonly visibilityParts: PartState[];
  visibilityPartsMissing: number;
  /** Streamed visibility; null if the streams are sent when the phase ends. */
  readonly segments: SegmentArrivals | null;
  /** Bins that start before the phase has ended; null if there are none. */
  firstBins: FirstBins | null;
  /**
   * Commands and resources, stream and list of bins, and the results of earlier passes. Bins can
   * start on a chiplet when it has all of them.
   */
  resourcesAt: Readiness;
  streamAt: Readiness;
  targetsAt: Readiness;
  areTargetsSent: boolean;
  assignment: AssignmentCost;
  prediction: SimulatedPass['prediction'];
  predictedCycles: readonly number[];
  /** Bins that have not started: by chiplet, or of all chiplets for a pull queue. */
  listByChiplet: number[][];
  sharedList: number[] | null;
  /**
   * Bin of the visibility phase, which chiplet 0 renders directly after it; null if there is none.
   */
  earlyBin: number | null;
  readonly bins: SimulatedBin[];
  binsMissing: number;
  readonly copies: SimulatedCopies[];
  endCycle: number;
}

/** Returns the cycle from which a chiplet has all data of a pass's bins. */
export function arrivalOf(
  { resourcesAt, streamAt, targetsAt }: PassState,
  chipletId: ChipletId,
): number {
  return Math.max(
    readyCycle(resourcesAt, chipletId),
    readyCycle(streamAt, chipletId),
    readyCycle(targetsAt, chipletId),
  );
}

/**
 * Returns whether a chiplet has all data of a pass's bins. The stream comes first because it
 * arrives last.
 */
export function hasArrived(pass: PassState, chipletId: ChipletId, cycle: number): boolean {
  return (
    isUsable(pass.streamAt, chipletId, cycle) &&
    isUsable(pass.targetsAt, chipletId, cycle) &&
    isUsable(pass.resourcesAt, chipletId, cycle)
  );
}

/** A frame in progress. */
export interface FrameState {
  readonly frameIndex: number;
  readonly startCycle: number;
  readonly passes: PassState[];
  passesMissing: number;
  endCycle: number;
}

/** Returns the times of a frame that is complete. */
export function accountOf({ startCycle, endCycle, passes }: FrameState): SimulatedFrame {
  return {
    startCycle,
    endCycle,
    passes: passes.map((pass) => ({
      visibilityStartCycle: pass.visibilityStart,
      visibilityEndCycle: pass.visibilityEnd,
      visibilityParts: pass.visibilityParts.map(({ streamAt: _, ...part }) => part),
      assignment: pass.assignment,
      prediction: pass.prediction,
      bins: pass.bins,
      copies: pass.copies,
      endCycle: pass.endCycle,
    })),
  };
}
