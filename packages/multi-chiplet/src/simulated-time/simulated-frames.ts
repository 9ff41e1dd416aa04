/** When everything of one or more frames happens in simulated time. Cycles count from the first frame's start. */
import type { ChipletId } from '@tessera/frame';
import type { AssignmentCost } from '../bin-assignment/assignment-cost.ts';
import type { BinAssignmentPolicyName } from '../bin-assignment/policies.ts';
import type { Transfer } from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';

/**
 * When chiplet 0 turns to the next visibility phase, of the next pass or frame.
 *
 * `none`: when everything before is done. `after-own-bins`: when its own bins are (patent ¶44). `visibility-first`:
 * as soon as it may, before bins of its own, so that the others never wait for it.
 */
export const OVERLAP_MODES = ['none', 'after-own-bins', 'visibility-first'] as const;
export type OverlapMode = (typeof OVERLAP_MODES)[number];
export const DEFAULT_OVERLAP: OverlapMode = 'visibility-first';

export interface SimulationOptions {
  /** At least 1; 2 if chiplet 0 does not render. */
  readonly chipletCount: number;
  readonly isVisibilityChipletRendering: boolean;
  readonly policy: BinAssignmentPolicyName;
  readonly interconnect: InterconnectSpec;
  readonly overlap: OverlapMode;
  /** Frames between their start and their last bin at once; 1 with `overlap: none`. */
  readonly framesInFlight: number;
  /** Whether chiplets hold all resources but drawn ones from before. */
  readonly areResourcesResident?: boolean | undefined;
}

export interface SimulatedBin {
  readonly chipletId: ChipletId;
  readonly startCycle: number;
  readonly endCycle: number;
  /** When its pixels are on chiplet 0. */
  readonly arrivalCycle: number;
  readonly predictedCycles: number;
}

export interface SimulatedPass {
  readonly visibilityStartCycle: number;
  readonly visibilityEndCycle: number;
  /** Bins are assigned when this is over. */
  readonly assignment: AssignmentCost;
  /** What the policy went by. `mixed`: bins without history by estimate. */
  readonly prediction: 'none' | 'estimate' | 'history' | 'mixed';
  /** By `binIndex`. */
  readonly bins: readonly SimulatedBin[];
  /** When the last bin's pixels are on chiplet 0. */
  readonly endCycle: number;
}

export interface SimulatedFrame {
  /** When chiplet 0 took the frame. */
  readonly startCycle: number;
  readonly endCycle: number;
  readonly passes: readonly SimulatedPass[];
}

export interface SimulatedFrames {
  /**
   * `estimate`: nothing was simulated in time, so bins last what the cost model expects and nothing else takes time;
   * who renders what is all that may be read.
   */
  readonly clock: 'cycles' | 'estimate';
  readonly frames: readonly SimulatedFrame[];
  readonly transfers: readonly Transfer[];
}
