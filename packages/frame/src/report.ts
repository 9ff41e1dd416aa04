/** The account of one frame, as the service gives it (JSON). Names are part of the contract. */
import type { ChipletId, ChipletMode } from './chiplet.ts';
import type { CoarseBinId } from './coarse-bin-grid.ts';
import type { Counters } from './counters.ts';
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
  readonly startCycle: number | null;
  readonly endCycle: number | null;
  readonly primitives: number;
  readonly fragments: number;
  /** In units of the cost model (docs: estimated instructions); what a dynamic policy went by. */
  readonly estimatedCost: number;
}

/** One pass; passes are rendered one after the other. */
export interface PassReport {
  readonly draws: number;
  readonly bins: number;
  readonly target: 'screen' | 'texture';
  /** Which texture of the frame; null for the screen. */
  readonly textureIndex: number | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Part of `link.bytes`: what earlier passes drew and this one samples or loads, sent to all chiplets. */
  readonly bytesExchanged: number;
  /** From the start of its visibility phase to its last bin. */
  readonly cycles: number | null;
}

export interface ChipletReport {
  readonly id: ChipletId;
  /** Modes the chiplet was in during the frame, in order. */
  readonly modes: readonly ChipletMode[];
  readonly binCount: number;
  readonly estimatedCost: number;
  readonly busyCycles: number | null;
  readonly idleCycles: number | null;
  readonly counters: Counters;
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
    };
    readonly primitivesListed: number;
    readonly streamBytes: number;
    /** Listed entries ÷ entries that covered a sample of their bin; best 1; null when none did. */
    readonly tightness: number | null;
  };
  readonly bins: readonly BinReport[];
  readonly chiplets: readonly ChipletReport[];
  readonly assignment: {
    readonly unit: 'estimatedCost' | 'cycles';
    readonly makespanCycles: number | null;
    readonly lowerBoundCycles: number | null;
    /** Largest share of the estimated cost ÷ mean share over the chiplets that render; best 1. */
    readonly imbalance: number;
  };
  readonly link: { readonly bytes: number; readonly cycles: number | null };
  readonly passes: readonly PassReport[];
  /** Wall-clock figures: the only part that differs between two runs of the same frame. */
  readonly wall: {
    readonly prepareMs: number;
    readonly visibilityMs: number;
    readonly binsMs: number;
    readonly totalMs: number;
    /** Bins that were run again since a chiplet went away. */
    readonly retriedBins: number;
  };
}
