/** What a bin-assignment policy sees and gives. */
import type { ChipletId, CoarseBinGrid, CoarseBinId } from '@tessera/frame';

export interface AssignmentInput {
  readonly grid: CoarseBinGrid;
  /** Predicted cost of each bin, by bin id; any unit, at least 0. */
  readonly estimatedCosts: readonly number[];
  /** Chiplets that render bins, ascending; at least one. */
  readonly chipletIds: readonly ChipletId[];
}

/** The ordered bins of one chiplet. */
export interface ChipletBins {
  readonly chipletId: ChipletId;
  readonly binIds: readonly CoarseBinId[];
}

/** Gives every bin to exactly one chiplet. The result has one entry per chiplet, in their order. */
export type BinAssignmentPolicy = (input: AssignmentInput) => ChipletBins[];
