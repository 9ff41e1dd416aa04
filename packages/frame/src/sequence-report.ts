/** The account of frames that were rendered one after the other (JSON). Names are part of the contract. */
import type { ChipletId } from './chiplet.ts';
import type { Report, SpecSummary, Timing } from './report.ts';
import type { Sha256 } from './resources.ts';

export interface SequenceFrameReport {
  readonly index: number;
  readonly frameSha256: Sha256;
  readonly imageSha256: Sha256;
  /** When chiplet 0 took the frame. This and all cycles: null when nothing was simulated in time. */
  readonly startCycle: number | null;
  readonly visibilityStartCycle: number | null;
  readonly visibilityEndCycle: number | null;
  readonly firstBinCycle: number | null;
  /** When its picture was complete on chiplet 0. */
  readonly endCycle: number | null;
  readonly latencyCycles: number | null;
  /** What the assignment of its bins went by. */
  readonly prediction: Report['assignment']['prediction'];
}

/** Frames per time once the pipeline of frames is full, over the frames from `firstFrame` to `lastFrame`. */
export interface SteadyState {
  readonly firstFrame: number;
  readonly lastFrame: number;
  readonly cyclesPerFrame: number;
  readonly framesPerSecond: number;
  /** Cycles of a frame on one chiplet ÷ `cyclesPerFrame`. */
  readonly speedUp: number;
  /** Part of a frame's cycles on one chiplet that its visibility phases take. */
  readonly serialFraction: number;
  /** No overlap gives more: all chiplets at work all the time, or chiplet 0 with visibility alone. */
  readonly speedUpBound: number;
}

export interface SequenceReport {
  readonly sequenceVersion: 1;
  readonly timing: Timing;
  readonly spec: SpecSummary;
  readonly policy: string;
  /** When chiplet 0 turns to the next visibility phase. */
  readonly overlap: string;
  readonly framesInFlight: number;
  readonly totals: {
    readonly frames: number;
    readonly cycles: number | null;
    readonly simulatedMs: number | null;
  };
  readonly frames: readonly SequenceFrameReport[];
  /** Null with too few frames, or when nothing was simulated in time. */
  readonly steadyState: SteadyState | null;
  readonly chiplets: readonly {
    readonly id: ChipletId;
    readonly busyCycles: number | null;
    readonly idleCycles: number | null;
    readonly idleShare: number | null;
  }[];
  /** The same frames, each begun when the one before is complete. */
  readonly withoutOverlap: {
    readonly cycles: number | null;
    readonly idleCycles: number | null;
    readonly cyclesPerFrame: number | null;
  };
  /** Idle cycles of all chiplets that overlap filled. */
  readonly idleCyclesFilled: number | null;
  readonly link: Report['link'];
  /** The only part that differs between two runs of the same frames. */
  readonly wall: { readonly totalMs: number; readonly retriedBins: number };
}
