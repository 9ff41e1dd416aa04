/** State of the frames in progress during a simulation. */
import type { AssignmentCost } from '../bin-assignment/assignment-cost.ts';
import type { PassMeasurement } from './frame-measurement.ts';
import type {
  SimulatedBin,
  SimulatedCopies,
  SimulatedFrame,
  SimulatedPass,
} from './simulated-frames.ts';

/** A pass in progress. */
export interface PassState {
  readonly frame: FrameState;
  readonly passIndex: number;
  readonly measurement: PassMeasurement;
  visibilityStart: number;
  visibilityEnd: number;
  /**
   * Cycle in which commands, resources, stream and the results of earlier passes have arrived, by
   * chiplet. Bins can start then.
   */
  resourcesAt: readonly number[];
  streamAt: number[];
  targetsAt: readonly number[];
  areTargetsSent: boolean;
  assignment: AssignmentCost;
  prediction: SimulatedPass['prediction'];
  predictedCycles: readonly number[];
  /** Bins that have not started: by chiplet, or of all chiplets for a pull queue. */
  listByChiplet: number[][];
  sharedList: number[] | null;
  /** Predicted cycles of the bins in `sharedList`. */
  sharedCycles: number;
  /**
   * Bin of the visibility phase, which chiplet 0 renders directly after it; null if there is none.
   */
  earlyBin: number | null;
  readonly bins: SimulatedBin[];
  binsMissing: number;
  readonly copies: SimulatedCopies[];
  endCycle: number;
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
      assignment: pass.assignment,
      prediction: pass.prediction,
      bins: pass.bins,
      copies: pass.copies,
      endCycle: pass.endCycle,
    })),
  };
}
