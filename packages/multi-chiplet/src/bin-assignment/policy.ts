/** Input and output of a bin-assignment policy. */
import type { ChipletId, CoarseBinGrid, CoarseBinId } from '@tessera/frame';

/** Bin to render, or a part of one. Its index in the list is its `binIndex`. */
export interface PredictedBin {
  readonly binId: CoarseBinId;
  /** Predicted cycles, at least 0. */
  readonly predictedCycles: number;
}

/** Bins and chiplets of one assignment. */
export interface AssignmentInput {
  readonly grid: Pick<CoarseBinGrid, 'columns' | 'rows'>;
  readonly bins: readonly PredictedBin[];
  /** Chiplets that render bins, ascending; at least one. */
  readonly chipletIds: readonly ChipletId[];
  /** Predicted cycles of work that each chiplet already has, in the order of `chipletIds`. */
  readonly initialLoads: readonly number[];
}

/** Bins of one chiplet, in the order in which it renders them. */
export interface ChipletBins {
  readonly chipletId: ChipletId;
  readonly binIndices: readonly number[];
}

/**
 * Assigns every bin to exactly one chiplet. The result has one entry per chiplet, in the order of
 * `chipletIds`.
 */
export type BinAssignmentPolicy = (input: AssignmentInput) => ChipletBins[];
