/** The account of one frame, as the service gives it (JSON). Names are part of the contract. */

import type { ChipletId, ChipletMode } from './chiplet.ts';
import type { CoarseBinId } from './coarse-bin-grid.ts';
import type { Counters } from './counters.ts';
import type { PassTarget } from './frame.ts';
import type { VisibilityShader } from './prepared-frame.ts';
import type { Sha256 } from './resources.ts';

/**
 * `functional`: pictures and counts, nothing is simulated in time, so every figure in cycles is null.
 * `cycle`: the same, and every unit of the chiplets is simulated to the cycle.
 */
export const TIMINGS = ['functional', 'cycle'] as const;
export type Timing = (typeof TIMINGS)[number];

/** The specification of a frame's chiplets, as reports print it. */
export interface SpecSummary {
  readonly name: string;
  readonly fineBinPx: number;
  readonly clockHz: number;
  /** Every parameter of the specification by name; docs/chiplet-spec.md has units and meanings. */
  readonly parameters: Readonly<Record<string, number | boolean | string>>;
}

export interface BinReport {
  readonly passIndex: number;
  readonly id: CoarseBinId;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Who rendered it. */
  readonly chiplet: ChipletId;
  /** Whether it was rendered within the visibility phase; its cycles here are those after that phase. */
  readonly isEarly: boolean;
  readonly startCycle: number | null;
  readonly endCycle: number | null;
  readonly primitives: number;
  readonly fragments: number;
  /** Cycles that the cost model expects; what a dynamic policy goes by. */
  readonly estimatedCost: number;
}

/** One pass. Passes overlap in time where the later needs nothing that the earlier draws. */
export interface PassReport {
  readonly draws: number;
  readonly bins: number;
  readonly target: PassTarget['kind'];
  /** Which texture of the frame; null for the screen. */
  readonly textureIndex: number | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Part of `link.bytes`: what earlier passes drew and this one samples or loads, sent to all chiplets. */
  readonly bytesExchanged: number;
  /** When its visibility phase begins. */
  readonly startCycle: number | null;
  readonly visibilityCycles: number | null;
  /** From the start of its visibility phase until its last bin's pixels are on chiplet 0. */
  readonly cycles: number | null;
}

/** What a kind of transfer took of the link. */
export interface TransferReport {
  readonly count: number;
  /** As sent; a broadcast counts once. */
  readonly bytes: number;
  /** Cycles that channels were taken, summed over the channels. */
  readonly channelCycles: number | null;
  /** Cycles that transfers waited for a channel. */
  readonly waitCycles: number | null;
}

/** Kinds of transfers: what chiplet 0 sends to all others, and finished bins on their way to it. */
export const LINK_TRANSFER_KINDS = ['commands', 'resources', 'streams', 'targets', 'bins'] as const;
export type LinkTransferKind = (typeof LINK_TRANSFER_KINDS)[number];

export interface ChipletReport {
  readonly id: ChipletId;
  /** Modes the chiplet was in during the frame, in order. */
  readonly modes: readonly ChipletMode[];
  readonly binCount: number;
  readonly estimatedCost: number;
  readonly busyCycles: number | null;
  readonly idleCycles: number | null;
  /** Idle cycles ÷ all cycles of the frame. */
  readonly idleShare: number | null;
  /** Local memory while the chiplet was busy; `null` when nothing was simulated in time. */
  readonly memory: MemoryBandwidth | null;
  readonly counters: Counters;
}

/** What the memory chips of a chiplet moved, beside what their data buses could. */
export interface MemoryBandwidth {
  /** Read and written. */
  readonly bytes: number;
  /** Over the busy cycles. */
  readonly achievedBytesPerCycle: number;
  readonly peakBytesPerCycle: number;
  /** Achieved ÷ peak, 0 to 1. */
  readonly utilization: number;
}

export interface Report {
  readonly reportVersion: 1;
  readonly frame: { readonly sha256: Sha256; readonly widthPx: number; readonly heightPx: number };
  readonly image: { readonly sha256: Sha256 };
  readonly timing: Timing;
  /** Functional rendering depends on none of its rates. */
  readonly spec: SpecSummary;
  readonly policy: string;
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
    /** Bins that chiplet 0 rendered within the phase; at most one a pass. */
    readonly earlyBins: number;
    readonly primitivesListed: number;
    readonly streamBytes: number;
    /** Listed entries ÷ entries that covered a sample of their bin; best 1; null when none did. */
    readonly tightness: number | null;
  };
  readonly bins: readonly BinReport[];
  readonly chiplets: readonly ChipletReport[];
  readonly assignment: {
    /** What `imbalance` is measured in. */
    readonly unit: 'estimatedCost' | 'cycles';
    /**
     * What tells when a chiplet is free: simulated cycles or, when nothing was simulated in time, what the cost
     * model expects.
     */
    readonly clock: 'cycles' | 'estimate';
    /** What bins' costs were predicted from; `mixed`: some from earlier frames, some by estimate. */
    readonly prediction: 'none' | 'estimate' | 'history' | 'mixed';
    /** Sum of what bins were predicted wrong ÷ sum of what they took; null where nothing was predicted or timed. */
    readonly predictionError: number | null;
    /** Lookups and comparisons that assigning took, and how long bins waited for it. */
    readonly steps: number;
    readonly cycles: number | null;
    /** From the first bin's start to the last bin's end. Summed over passes, as all here. */
    readonly makespanCycles: number | null;
    /** No assignment is shorter: the mean over the chiplets that render, or the longest bin. */
    readonly lowerBoundCycles: number | null;
    /** Largest share of the bins' cycles or cost ÷ mean share over the chiplets that render; best 1. */
    readonly imbalance: number;
  };
  readonly link: {
    readonly topology: string;
    readonly bytesPerCycle: number;
    readonly latencyCycles: number;
    readonly bytes: number;
    /** Cycles in which a channel was taken. */
    readonly cycles: number | null;
    readonly transfers: Readonly<Record<LinkTransferKind, TransferReport>>;
  };
  readonly passes: readonly PassReport[];
  /** Wall-clock figures: the only part that differs between two runs of the same frame. */
  readonly wall: {
    readonly prepareMs: number;
    readonly visibilityMs: number;
    readonly binsMs: number;
    readonly totalMs: number;
    /** Bins that were run again since a chiplet went away. */
    readonly retriedBins: number;
    /** Bins that two chiplets or more rendered, with the same result. */
    readonly checkedBins: number;
  };
}
