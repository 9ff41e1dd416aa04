/**
 * Result of a simulation: the cycle of every event of one or more frames. Cycles count from the
 * first frame's start.
 */
import type { ChipletId, Placement } from '@tessera/frame';
import type { AssignmentCost } from '../bin-assignment/assignment-cost.ts';
import type { BinAssignmentPolicyName } from '../bin-assignment/policies.ts';
import type { Transfer } from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import type { ChannelTraffic } from '../interconnect/link-account.ts';
import type { ResourceShare } from '../placement/resource-shares.ts';
import type { CompositionRates } from './layer-merging.ts';
import type { Organization, VisibilityRun } from './organization.ts';
import type { MachineActivity, MachineMaker } from './simulated-machine.ts';
import type { SimulatedRemote } from './traffic-intervals.ts';

/**
 * Names of the overlap modes, which determine when chiplet 0 starts the next visibility phase, of
 * the next pass or frame.
 *
 * - `none`: when all earlier work is done.
 * - `after-own-bins`: when its own bins are done (patent ¶44).
 * - `visibility-first`: as soon as possible, before its own bins, so that the other chiplets never
 *   wait for it.
 */
export const OVERLAP_MODES = ['none', 'after-own-bins', 'visibility-first'] as const;
/** Name of an overlap mode. */
export type OverlapMode = (typeof OVERLAP_MODES)[number];
/** Overlap mode of every study that does not vary it. */
export const DEFAULT_OVERLAP: OverlapMode = 'visibility-first';

/** Order in which the host advances machines that share memory. */
export interface HostOrder {
  /** Upper bound on the length of a window in cycles; the look-ahead by default. */
  readonly maxWindowCycles?: number;
  /** Whether machines are advanced from the last to the first, except that of chiplet 0. */
  readonly isReversed?: boolean;
}

/**
 * Observer of the lines that texture lookups of fragment warps fetch from other memories.
 *
 * @param traceWords Words of the traces of the run that reads.
 * @param word Index in `traceWords` of the line.
 */
export type TextureReadObserver = (
  traceWords: Int32Array,
  word: number,
  reader: ChipletId,
  home: ChipletId,
) => void;

/** Simulated GPU and its schedule. */
export interface SimulationOptions {
  /** Number of chiplets, at least 1; at least 2 if chiplet 0 does not render. */
  readonly chipletCount: number;
  readonly isVisibilityChipletRendering: boolean;
  readonly policy: BinAssignmentPolicyName;
  readonly interconnect: InterconnectSpec;
  readonly overlap: OverlapMode;
  /** Way in which chiplets share frames; `binned` by default. */
  readonly organization?: Organization | undefined;
  /** Rates at which chiplets compose layers; needed by frames whose draws are divided. */
  readonly compositionRates?: CompositionRates | undefined;
  /** Number of frames between their start and their last bin; 1 with `overlap: none`. */
  readonly framesInFlight: number;
  /** Whether chiplets have all resources from the start, except those that passes draw. */
  readonly areResourcesResident?: boolean | undefined;
  /** Creates the machines that time recorded frames; needed by them alone. */
  readonly makeMachine?: MachineMaker | undefined;
  /** Length of the intervals in which machines sample their activity; see TIMELINE_CYCLES. */
  readonly timelineCycles?: number | undefined;
  /** Placement of resources; `replicated` by default. Others need recorded frames. */
  readonly placement?: Placement | undefined;
  /**
   * Order in which the host advances machines that share memory. Results do not depend on it, which
   * tests prove.
   */
  readonly hostOrder?: HostOrder | undefined;
  /** Called for each line that `textureBytes` counts, if memories are shared. */
  readonly onTextureRead?: TextureReadObserver | undefined;
}

/** Place and time of one bin. */
export interface SimulatedBin {
  readonly chipletId: ChipletId;
  /** Cycle from which the bin was the oldest work of its chiplet, and the one in which it left. */
  readonly startCycle: number;
  readonly endCycle: number;
  /** Cycle in which the bin's pixels arrive on chiplet 0. */
  readonly arrivalCycle: number;
  readonly predictedCycles: number;
  /** Cycles in which the bin waited for segments of streamed visibility; missing for none. */
  readonly waitedCycles?: number;
}

/** Work of a chiplet's copy engine for a pass, beside the chiplet's other work. */
export interface SimulatedCopies {
  /**
   * `upload`: resources are stored, with their mipmap levels; `resolve`: samples of a bin are
   * resolved; `copy`: copies from targets; `compose`: a layer of a bin is composed.
   */
  readonly kind: 'upload' | 'resolve' | 'copy' | 'compose';
  readonly chipletId: ChipletId;
  readonly startCycle: number;
  readonly endCycle: number;
  /** Cycles of the work alone; less than the interval if it waited for the link. */
  readonly cycles: number;
  /** Indices of the timings in the measurement of the pass. */
  readonly timings: readonly number[];
  /** Shares of the timings that the chiplet does; missing if it does all of each. */
  readonly shares?: readonly ResourceShare[];
}

/** Place and time of a run of a part of a visibility phase. */
export interface SimulatedPart extends VisibilityRun {
  readonly startCycle: number;
  /** Cycle in which its streams had left the chiplet. */
  readonly endCycle: number;
}

/** Times of one pass. */
export interface SimulatedPass {
  readonly visibilityStartCycle: number;
  readonly visibilityEndCycle: number;
  /** Runs of the visibility phase; one if chiplet 0 runs all of it. */
  readonly visibilityParts: readonly SimulatedPart[];
  /** Cost of the assignment. Bins are assigned when it is over. */
  readonly assignment: AssignmentCost;
  /** Source of the policy's predictions. `mixed`: bins without history were estimated. */
  readonly prediction: 'none' | 'estimate' | 'history' | 'mixed';
  /** Bins by `binIndex`. */
  readonly bins: readonly SimulatedBin[];
  /** Work of the copy engines, in the order of its start on each chiplet. */
  readonly copies: readonly SimulatedCopies[];
  /**
   * Cycle in which the pixels of the last bin have arrived on chiplet 0 and the pass's copies are
   * made.
   */
  readonly endCycle: number;
}

/** Times of one frame. */
export interface SimulatedFrame {
  /** Cycle in which chiplet 0 took the frame. */
  readonly startCycle: number;
  readonly endCycle: number;
  readonly passes: readonly SimulatedPass[];
}

/** Times of all frames and of their transfers. */
export interface SimulatedFrames {
  /**
   * `estimate`: without cycle timing, bins take the cycles that the cost model estimates, and
   * everything else takes none. Only the owners of bins are valid then.
   */
  readonly clock: 'cycles' | 'estimate';
  readonly frames: readonly SimulatedFrame[];
  readonly transfers: readonly Transfer[];
  /** Activity of each chiplet of recorded frames. Null: it is known by phase and bin. */
  readonly machines: readonly MachineActivity[] | null;
  /** Accesses of remote memory; null if every chiplet has a copy of all resources. */
  readonly remote: SimulatedRemote | null;
  /** Traffic of each channel of the link that was used. */
  readonly channels: readonly ChannelTraffic[];
}
