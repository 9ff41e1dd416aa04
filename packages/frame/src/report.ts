/** Report on one frame, as the service returns it (JSON). Field names are part of the contract. */

import type { CausesReport } from './causes-report.ts';
import type { ChipletId, ChipletMode } from './chiplet.ts';
import type { CoarseBinId } from './coarse-bin-grid.ts';
import type { Counters } from './counters.ts';
import type { EnergyReport } from './energy-report.ts';
import type { PassTarget } from './frame.ts';
import type { Placement, RemoteTraffic } from './placement.ts';
import type { VisibilityShader } from './prepared-frame.ts';
import type { Sha256 } from './resources.ts';

/**
 * `functional` computes images and counts without simulating time, so every figure in cycles is
 * null. `cycle` also simulates every unit of the chiplets to the cycle.
 */
export const TIMINGS = ['functional', 'cycle'] as const;
/** Name of a timing mode of {@link TIMINGS}. */
export type Timing = (typeof TIMINGS)[number];

/**
 * Ways of timing the chiplets together.
 *
 * - `none`: each bin is timed by itself, from an empty pipeline and cold caches. An estimate.
 * - `exact`: each chiplet runs on from bin to bin.
 */
export const COUPLINGS = ['none', 'exact'] as const;
/** Name of a coupling. */
export type Coupling = (typeof COUPLINGS)[number];
/** Coupling of frames and sequences with cycle timing whose options name none. */
export const DEFAULT_COUPLING: Coupling = 'exact';

/** Specification of a frame's chiplets, as reports show it. */
export interface SpecSummary {
  readonly name: string;
  readonly fineBinPx: number;
  readonly clockHz: number;
  /**
   * Every parameter of the specification by name. docs/chiplet-spec.md lists units and meanings.
   */
  readonly parameters: Readonly<Record<string, number | boolean | string>>;
}

/** Figures of one rendered coarse bin; sizes in pixels. */
export interface BinReport {
  readonly passIndex: number;
  readonly id: CoarseBinId;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Chiplet that rendered the bin. */
  readonly chiplet: ChipletId;
  /**
   * Whether the bin was rendered during the visibility phase. Its cycles are then those after that
   * phase.
   */
  readonly isEarly: boolean;
  readonly startCycle: number | null;
  readonly endCycle: number | null;
  readonly primitives: number;
  readonly fragments: number;
  /** Cycles that the cost model predicts, which dynamic policies use. */
  readonly estimatedCost: number;
}

/**
 * Figures of one pass. Passes overlap in time if the later one does not need the result of the
 * earlier one.
 */
export interface PassReport {
  readonly draws: number;
  readonly bins: number;
  readonly target: PassTarget['kind'];
  /** Index of the frame's texture that the pass draws into; null for the screen and feedback. */
  readonly textureIndex: number | null;
  /** Width of the target; 1 for feedback, like its height. */
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * Part of `link.bytes`: contents that earlier passes drew and this pass samples or loads, sent to
   * all chiplets.
   */
  readonly bytesExchanged: number;
  /** Fragments that passed, by occlusion query of the pass; missing if the pass has none. */
  readonly queryCounts?: readonly number[] | undefined;
  /** Start of the visibility phase. */
  readonly startCycle: number | null;
  /** Cycles in which the copy engine of chiplet 0 stored resources that the pass reads first. */
  readonly uploadCycles: number | null;
  readonly visibilityCycles: number | null;
  /** Cycles in which it resolved bins and copied the pass's target to textures. */
  readonly copyCycles: number | null;
  /**
   * Cycles from the start of the visibility phase until the pixels of the last bin are on chiplet 0
   * and the copies are made.
   */
  readonly cycles: number | null;
}

/** Use of the link by one kind of transfer. */
export interface TransferReport {
  readonly count: number;
  /** Bytes sent; a broadcast counts once. */
  readonly bytes: number;
  /** Cycles during which channels were occupied, summed over the channels. */
  readonly channelCycles: number | null;
  /** Cycles that transfers waited for a channel. */
  readonly waitCycles: number | null;
}

/**
 * Kinds of transfers: broadcasts to all other chiplets, layers of bins sent to those that compose
 * them, finished bins sent to chiplet 0, and what the display reads.
 */
export const LINK_TRANSFER_KINDS = [
  'commands',
  'resources',
  'streams',
  'targets',
  'layers',
  'bins',
  'scanout',
] as const;
/** Name of a kind of {@link LINK_TRANSFER_KINDS}. */
export type LinkTransferKind = (typeof LINK_TRANSFER_KINDS)[number];

/** Use of one channel of the link in its direction. */
export interface ChannelReport {
  /** Name by the ends of the channel, such as `2→1`, or `bus`. */
  readonly channel: string;
  /** Number of packets that crossed the channel; transfers are not divided on the crosslink. */
  readonly packets: number;
  /** Bytes that crossed it, headers and messages between memories included. */
  readonly bytes: number;
  /** Cycles that these bytes occupied it. */
  readonly busyCycles: number | null;
}

/** Reads of lines of other memories by one chiplet. */
export interface RemoteLines {
  /** Lines that units of the chiplet wanted: the sum of the next three. */
  readonly wanted: number;
  /** Lines that were in the cache of the chiplet that keeps such lines (`remoteCache`). */
  readonly cached: number;
  /** Lines that were already on their way. */
  readonly merged: number;
  /** Lines that were requested from another memory. */
  readonly fetched: number;
  /** Cached ÷ wanted; null if none was wanted. */
  readonly hitRate: number | null;
}

/** Remote accesses of a frame, with the hit rates of caches. */
export interface RemoteReport extends RemoteTraffic {
  /** Reads by chiplet. */
  readonly lines: readonly RemoteLines[];
}

/** Figures of one chiplet during the frame. */
export interface ChipletReport {
  readonly id: ChipletId;
  /** Modes of the chiplet during the frame, in order. */
  readonly modes: readonly ChipletMode[];
  readonly binCount: number;
  readonly estimatedCost: number;
  readonly busyCycles: number | null;
  readonly idleCycles: number | null;
  /** Idle cycles ÷ cycles of the frame. */
  readonly idleShare: number | null;
  /**
   * Cycles in which the copy engine stored resources, generated mipmap levels, resolved bins,
   * composed layers or copied targets. They overlap with busy and idle cycles.
   */
  readonly copyCycles: number | null;
  /** Use of local memory; null without cycle timing. */
  readonly memory: MemoryBandwidth | null;
  readonly counters: Counters;
}

/** Bandwidth that the memory chips of a chiplet achieved, and the peak of their data buses. */
export interface MemoryBandwidth {
  /** Bytes read and written. */
  readonly bytes: number;
  /**
   * Bytes ÷ (cycles of the chiplet + cycles of the copy engine). Cycles of the chiplet are all up
   * to the end of its work, or busy cycles if bins were timed by themselves.
   */
  readonly achievedBytesPerCycle: number;
  readonly peakBytesPerCycle: number;
  /** Achieved ÷ peak, 0 to 1. */
  readonly utilization: number;
}

/** Report on one rendered frame. */
export interface Report {
  readonly reportVersion: 1;
  readonly frame: { readonly sha256: Sha256; readonly widthPx: number; readonly heightPx: number };
  readonly image: { readonly sha256: Sha256 };
  readonly timing: Timing;
  /**
   * Coupling of the chiplets in simulated time. With `none`, cycles are an estimate from bins that
   * were timed by themselves.
   */
  readonly coupling: Coupling;
  /** Specification of the chiplets. Functional rendering does not depend on its rates. */
  readonly spec: SpecSummary;
  readonly policy: string;
  /** Way in which chiplets share the frame: `binned`, or one of the baselines. */
  readonly organization: string;
  readonly totals: {
    readonly cycles: number | null;
    readonly simulatedMs: number | null;
    readonly vertices: number;
    readonly primitives: number;
    readonly fragments: number;
  };
  readonly visibility: {
    readonly cycles: number | null;
    readonly shader: VisibilityShader;
    readonly verticesShaded: number;
    readonly instructionsExecuted: number;
    readonly primitivesIn: number;
    readonly culled: {
      readonly outsideView: number;
      readonly face: number;
      readonly zeroArea: number;
      readonly noSample: number;
      readonly occluded: number;
    };
    /** Number of bins that chiplet 0 rendered during the phase, at most one per pass. */
    readonly earlyBins: number;
    readonly primitivesListed: number;
    readonly streamBytes: number;
    /** Segments of streamed visibility; missing if visibility is not streamed. */
    readonly segments?: {
      readonly count: number;
      /** Bytes of all segments with their heads. */
      readonly bytes: number;
      /** Sum of the cycles in which bins waited for segments; null without cycle timing. */
      readonly waitedCycles: number | null;
    };
    /**
     * Listed entries ÷ entries that covered a sample of their bin; 1 is best. Null if no entry did.
     */
    readonly tightness: number | null;
  };
  readonly bins: readonly BinReport[];
  readonly chiplets: readonly ChipletReport[];
  readonly assignment: {
    /** Unit of `imbalance`. */
    readonly unit: 'estimatedCost' | 'cycles';
    /**
     * Measure that determines when a chiplet is free: simulated cycles or, without cycle timing,
     * the estimate of the cost model.
     */
    readonly clock: 'cycles' | 'estimate';
    /** Source of the predicted costs of bins. `mixed`: some from earlier frames, some estimated. */
    readonly prediction: 'none' | 'estimate' | 'history' | 'mixed';
    /**
     * Sum of the prediction errors of bins ÷ sum of their measured cycles. Null if there was no
     * prediction or no cycle timing.
     */
    readonly predictionError: number | null;
    /**
     * Number of lookups and comparisons for the assignment. `cycles` is the time that bins waited
     * for it.
     */
    readonly steps: number;
    readonly cycles: number | null;
    /**
     * Cycles from the start of the first bin to the end of the last. Summed over passes, like all
     * figures here.
     */
    readonly makespanCycles: number | null;
    /**
     * Lower bound on the makespan of any assignment: the mean over the chiplets that render, or the
     * longest bin.
     */
    readonly lowerBoundCycles: number | null;
    /**
     * Largest share of the bins' cycles or cost ÷ mean share over the chiplets that render; 1 is
     * best.
     */
    readonly imbalance: number;
  };
  readonly placement: Placement;
  readonly link: {
    readonly topology: string;
    readonly bytesPerCycle: number;
    readonly latencyCycles: number;
    readonly bytes: number;
    /** Cycles during which a channel was occupied. */
    readonly cycles: number | null;
    readonly transfers: Readonly<Record<LinkTransferKind, TransferReport>>;
    /** Channels that were used. */
    readonly channels: readonly ChannelReport[];
    /** Accesses of the memories of other chiplets; null if every chiplet has copies. */
    readonly remote: RemoteReport | null;
  };
  readonly passes: readonly PassReport[];
  /** Causes of the frame's time; null without cycle timing. */
  readonly causes: CausesReport | null;
  /** Energy of the frame; null without cycle timing. */
  readonly energy: EnergyReport | null;
  /**
   * Wall-clock times and retries, the only part that differs between two runs of the same frame.
   */
  readonly wall: {
    readonly prepareMs: number;
    readonly visibilityMs: number;
    readonly binsMs: number;
    readonly totalMs: number;
    /** Number of bins that were rendered again because a chiplet was lost. */
    readonly retriedBins: number;
    /** Number of bins that two or more chiplets rendered with the same result. */
    readonly checkedBins: number;
  };
}
