/** Row of a study's results. */
import type { SpecSettings } from '@tessera/chiplet-spec';
import type { Coupling, VisibilityDelivery, VisibilityShader } from '@tessera/frame';
import type { Organization } from '@tessera/multi-chiplet/rendering';
import type { RowEnergy } from './row-energy.ts';

/** Largest parts of a frame's cycles, with their meanings. */
export const BOUNDS = {
  visibility: 'visibility phases, which run on chiplet 0 alone',
  'longest-bin': 'longest bins, which one chiplet renders while others wait',
  'all-bins': 'all bins ÷ chiplets that render',
  other: 'transfers over the link, uneven assignment and copies',
} as const;
/** Name of the part that bounds a frame. */
export type BoundBy = keyof typeof BOUNDS;

/** Version of the software that computed a row. */
export type Revision = {
  readonly version: string;
  /** Commit that is checked out; `unknown` outside a repository. */
  readonly commit: string;
};

/**
 * Row of the results. Rows of earlier versions of the service have fewer fields. Only rows of
 * studies that ask for it have an energy.
 */
export interface StudyRow extends Revision, Partial<RowEnergy> {
  /** Name of the scene: its file, or the title of the posted frame. */
  readonly scene: string;
  /** Id of the frame whose source was rendered; empty on the command line. */
  readonly frame: string;
  /** Index of a capture's frame; 0 for other scenes. */
  readonly frameIndex: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly spec: string;
  readonly specDigest: string;
  /** Values of the swept parameters. */
  readonly settings?: SpecSettings | undefined;
  /** Requested number of coarse bins. */
  readonly bins: number;
  /** Columns × rows of the last pass, as rendered. */
  readonly grid: string;
  readonly split: number;
  readonly visibility: VisibilityShader;
  readonly occlusion: boolean;
  /** Way in which chiplets share the frame. */
  readonly organization: Organization;
  /** Number of chiplets that share each visibility phase. */
  readonly visibilityChiplets: number;
  readonly visibilityDelivery: VisibilityDelivery;
  /** Coupling of the chiplets; with `none`, cycles are an estimate. */
  readonly coupling: Coupling;
  readonly policy: string;
  readonly chiplets: number;
  readonly linkTopology: string;
  readonly linkBytesPerCycle: number;
  readonly linkLatencyCycles: number;
  readonly placement: string;
  readonly overlap: string;
  readonly cycles: number;
  readonly simulatedMs: number;
  /** Cycles of all visibility phases. */
  readonly visibilityCycles: number;
  /** Lower bound on the bin phases of any assignment, summed over the passes. */
  readonly lowerBoundCycles: number;
  /** Largest part of `cycles`. */
  readonly boundBy: BoundBy;
  /** Cycles on one chiplet ÷ cycles. */
  readonly speedUp: number;
  /** Speed-up ÷ chiplets; 1 is best. */
  readonly efficiency: number;
  /** Largest share of bins ÷ mean share, in cycles; 1 is best. */
  readonly imbalance: number;
  /** Bytes of all transfers; a broadcast counts once. */
  readonly linkBytes: number;
  /** Bytes of messages between memories. */
  readonly remoteBytes: number;
  readonly imageSha256: string;
  /** Requested counters, summed over the chiplets. */
  readonly counters?: Readonly<Record<string, number>> | undefined;
}

/** Row that any version of the service stored. Version 0.1 had other names. */
export type StoredRow = Partial<StudyRow> & { readonly model?: string; readonly speedup?: number };

/**
 * Returns a row with the names of this version. Fields that an earlier version lacks are missing.
 */
export function upgradeRow({ model, speedup, ...row }: StoredRow): Partial<StudyRow> {
  return {
    ...row,
    ...(model !== undefined && { scene: model }),
    ...(speedup !== undefined && { speedUp: speedup }),
    coupling: row.coupling ?? 'none',
  };
}
