/** Causes of the time of a frame, part of its report. */
import type { ChipletId } from './chiplet.ts';
import type { TimedUnit } from './counters.ts';

/**
 * Kinds of the steps of a critical path. The first ones are transfers over the link, the next ones
 * work of a chiplet or of its copy engine. `stores` are pixels on their way into the memory of
 * chiplet 0, and `decisions` the assignment of bins and its messages.
 */
export const PATH_STEPS = [
  'commands',
  'resources',
  'streams',
  'targets',
  'layers',
  'pixels',
  'visibility',
  'bins',
  'uploads',
  'resolves',
  'composition',
  'copies',
  'stores',
  'decisions',
] as const;
/** Name of a kind of {@link PATH_STEPS}. */
export type PathStepKind = (typeof PATH_STEPS)[number];

/** All steps of a kind on one chiplet. */
export interface PathStep {
  readonly kind: PathStepKind;
  /** Chiplet that works; null for the link. */
  readonly chiplet: ChipletId | null;
  readonly cycles: number;
}

/**
 * Reasons for which a chiplet is idle.
 *
 * - `resources`: resources, or results of passes, are delivered or stored in its memory.
 * - `visibility`: it waits for the visibility phase of another chiplet.
 * - `passes`: it waits for results of earlier passes.
 * - `link`: its streams or targets are on the link.
 * - `decisions`: it waits for the assignment of bins and its messages.
 * - `imbalance`: it has no bin left while others render.
 * - `composition`: all bins are rendered, and their pixels are sent, stored or copied.
 */
export const IDLE_REASONS = [
  'resources',
  'visibility',
  'passes',
  'link',
  'decisions',
  'imbalance',
  'composition',
] as const;
/** Name of a reason of {@link IDLE_REASONS}. */
export type IdleReason = (typeof IDLE_REASONS)[number];

/** Idle cycles of a chiplet by reason. They add up to its `idleCycles`. */
export type IdleCycles = Readonly<Record<IdleReason, number>>;

/** Unit of a chiplet, or the link, that can bound a frame. */
export type BoundResource = TimedUnit | 'link';

/** Resources that bound a frame together, and what their doubled rate would give. */
export interface FrameBound {
  /** Units that are about equally busy, or the link. */
  readonly resources: readonly BoundResource[];
  /** Part of the frame's cycles in which they are the busiest of the critical path, 0 to 1. */
  readonly share: number;
  /**
   * Busy cycles ÷ cycles in that part; of the link, those of its most used channel ÷ cycles of the
   * frame.
   */
  readonly utilization: number;
  /** Factor by which they would be faster: 2, or as near to it as `settings` permit. */
  readonly factor: number;
  /** Predicted cycles of the frame if these, and those before in the list, were so much faster. */
  readonly predictedCycles: number;
  /**
   * Parameters of the specification, and `linkBytesPerCycle`, that make these faster; null
   * if no parameter sets the rate of one of them, or if it is at the end of its range.
   */
  readonly settings: Readonly<Record<string, number>> | null;
}

/** Causes of the time of a frame. */
export interface CausesReport {
  /** Steps of the critical path, longest first. Their cycles add up to those of the frame. */
  readonly criticalPath: readonly PathStep[];
  /** Idle cycles of each chiplet. */
  readonly idle: readonly IdleCycles[];
  /**
   * Bounds of the frame: the first, and the one that it would have then. Empty if no resource gives
   * a gain of 2 %.
   */
  readonly bounds: readonly FrameBound[];
  /** The causes in English, at most ten lines. */
  readonly explanation: readonly string[];
}
