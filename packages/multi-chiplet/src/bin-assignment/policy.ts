/** What a bin-assignment policy sees and gives. */
import type { ChipletId, CoarseBinGrid, CoarseBinId } from '@tessera/frame';

/** One bin to be rendered, or a part of one; its place in the list is its `binIndex`. */
export interface PredictedBin {
  readonly binId: CoarseBinId;
  /** Predicted cycles, at least 0. */
  readonly predictedCycles: number;
}

export interface AssignmentInput {
  readonly grid: Pick<CoarseBinGrid, 'columns' | 'rows'>;
  readonly bins: readonly PredictedBin[];
  /** Chiplets that render bins, ascending; at least one. */
  readonly chipletIds: readonly ChipletId[];
  /** Predicted cycles that each of them has to do already, in their order. */
  readonly initialLoads: readonly number[];
}

/** The ordered bins of one chiplet. */
export interface ChipletBins {
  readonly chipletId: ChipletId;
  readonly binIndices: readonly number[];
}

/** Gives every bin to exactly one chiplet. The result has one entry per chiplet, in their order. */
export type BinAssignmentPolicy = (input: AssignmentInput) => ChipletBins[];
