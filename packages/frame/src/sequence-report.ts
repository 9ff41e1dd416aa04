/**
 * Report on a sequence of frames that were rendered with overlap (JSON). Field names are part of
 * the contract.
 */
import type { ChipletId } from './chiplet.ts';
import type { Coupling, Report, SpecSummary, Timing } from './report.ts';
import type { Sha256 } from './resources.ts';

/** Figures of one frame of a sequence, in simulated cycles. */
export interface SequenceFrameReport {
  readonly index: number;
  readonly frameSha256: Sha256;
  readonly imageSha256: Sha256;
  /**
   * Cycle at which chiplet 0 accepted the frame. This and all other cycles are null without cycle
   * timing.
   */
  readonly startCycle: number | null;
  readonly visibilityStartCycle: number | null;
  readonly visibilityEndCycle: number | null;
  readonly firstBinCycle: number | null;
  /** Cycle at which the image was complete on chiplet 0. */
  readonly endCycle: number | null;
  readonly latencyCycles: number | null;
  /** Source of the predicted costs that the assignment of its bins used. */
  readonly prediction: Report['assignment']['prediction'];
}

/** Throughput with a full pipeline of frames, measured from `firstFrame` to `lastFrame`. */
export interface SteadyState {
  readonly firstFrame: number;
  readonly lastFrame: number;
  /**
   * Time between the ends of frames, and at least the work of the busiest chiplet or channel of the
   * crosslink.
   */
  readonly cyclesPerFrame: number;
  readonly framesPerSecond: number;
  /** Cycles of a frame on one chiplet ÷ `cyclesPerFrame`. */
  readonly speedUp: number;
  /** Share of a frame's cycles on one chiplet that its visibility phases take. */
  readonly serialFraction: number;
  /**
   * Upper bound on the speed-up with any overlap, reached when all chiplets are always busy or
   * chiplet 0 only computes visibility.
   */
  readonly speedUpBound: number;
}

/** Report on a sequence of frames. */
export interface SequenceReport {
  readonly sequenceVersion: 1;
  readonly timing: Timing;
  /** See {@link Report.coupling}. */
  readonly coupling: Coupling;
  readonly spec: SpecSummary;
  readonly policy: string;
  /** Policy that determines when chiplet 0 starts the next visibility phase. */
  readonly overlap: string;
  readonly framesInFlight: number;
  readonly totals: {
    readonly frames: number;
    readonly cycles: number | null;
    readonly simulatedMs: number | null;
  };
  readonly frames: readonly SequenceFrameReport[];
  /** Steady state of the pipeline. Null with too few frames or without cycle timing. */
  readonly steadyState: SteadyState | null;
  readonly chiplets: readonly {
    readonly id: ChipletId;
    readonly busyCycles: number | null;
    readonly idleCycles: number | null;
    readonly idleShare: number | null;
  }[];
  /** Figures of the same frames if each starts after the previous one is complete. */
  readonly withoutOverlap: {
    readonly cycles: number | null;
    readonly idleCycles: number | null;
    readonly cyclesPerFrame: number | null;
  };
  /** Number of idle cycles of all chiplets that overlap filled. */
  readonly idleCyclesFilled: number | null;
  readonly placement: Report['placement'];
  readonly link: Report['link'];
  /** Wall-clock figures, the only part that differs between two runs of the same frames. */
  readonly wall: { readonly totalMs: number; readonly retriedBins: number };
}
