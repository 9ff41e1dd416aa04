/**
 * Ways in which chiplets share frames. Two-level binning is Tessera's own. The others are those of
 * earlier systems of several GPUs, on the same chiplets, as baselines.
 */
import type { ChipletId, CoarseBinId } from '@tessera/frame';
import { type PassMeasurement, visibilityPartsOf } from './frame-measurement.ts';

/**
 * Names of the organizations.
 *
 * - `binned`: one or several chiplets run the visibility phase for all, and each bin is rendered on
 *   one chiplet (patent US 12,051,154).
 * - `split-frame`: every chiplet runs the whole visibility phase by itself and renders its bins. No
 *   streams are sent. This is split frame rendering with all geometry on every GPU, against which
 *   GPUpd (Kim et al., MICRO 2017) compares.
 * - `sort-last`: draws are divided among the chiplets, and what they draw is composed by depth, as
 *   CHOPIN does (Ren and Lis, HPCA 2021).
 * - `alternate-frame`: chiplets render whole frames in turn.
 */
export const ORGANIZATIONS = ['binned', 'split-frame', 'sort-last', 'alternate-frame'] as const;
/** Name of an organization. */
export type Organization = (typeof ORGANIZATIONS)[number];
/** Organization unless another is requested. */
export const DEFAULT_ORGANIZATION: Organization = 'binned';

/** Run of a part of a visibility phase. */
export interface VisibilityRun {
  readonly chipletId: ChipletId;
  /** Index of the part in the measurement. */
  readonly part: number;
}

/**
 * Returns the chiplet that owns a bin with `sort-last`: chiplets in turn, shifted by one in each
 * row, so that columns and rows are on many chiplets.
 */
export function ownerOfBin(binId: CoarseBinId, columns: number, chipletCount: number): ChipletId {
  return (binId + Math.floor(binId / columns)) % chipletCount;
}

/**
 * Lists the runs of a visibility phase: each part once, or the only one on every chiplet. Passes of
 * `sort-last` whose draws are not divided are those of `split-frame`.
 */
export function listVisibilityRuns(
  organization: Organization,
  measurement: PassMeasurement,
  frameIndex: number,
  chipletCount: number,
): VisibilityRun[] {
  if (organization === 'alternate-frame') {
    return [{ chipletId: frameIndex % chipletCount, part: 0 }];
  }
  const { composition } = measurement;
  if (composition !== undefined) {
    return composition.chipletIds.map((chipletId, part) => ({ chipletId, part }));
  }
  // Transform feedback has no bins, and its results are sent to all.
  if (organization !== 'binned' && measurement.bins.length > 0) {
    return Array.from({ length: chipletCount }, (_, chipletId) => ({ chipletId, part: 0 }));
  }
  return visibilityPartsOf(measurement).map((_, part) => ({
    chipletId: part % chipletCount,
    part,
  }));
}
