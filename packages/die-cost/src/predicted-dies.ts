/** Published dies beside the areas that the assumptions give them. */
import { chipletPreset } from '@tessera/chiplet-spec';
import { type AreaAssumption, areaAssumptions } from './area-assumptions.ts';
import type { Values } from './assumption.ts';
import {
  COMPUTE_UNITS_OF_PRESET,
  LAST_LEVEL_MM2_PER_MIB,
  PUBLISHED_DIES,
  type PublishedDie,
} from './published-dies.ts';
import { type Estimate, estimate, worstCases } from './sensitivity.ts';
import { pinsOf, totalUnitMm2, unitAreasOf } from './unit-areas.ts';

/** A published die and its estimate. */
export interface PredictedDie {
  readonly die: PublishedDie;
  /** Whether assumptions were derived from this die, so that agreement proves nothing. */
  readonly isInFit: boolean;
  readonly estimate: Estimate;
  /** Area with all assumptions at once at their ends. */
  readonly ends: { readonly least: number; readonly most: number };
  /** Whether the die is inside the range, only between the ends, or outside of both. */
  readonly agreement: 'range' | 'ends' | 'outside';
}

/** Rounding of published areas. The dies of RDNA 2 are ends of the assumptions themselves. */
const ROUNDING_MM2 = 0.5;

const NOT_IN_FIT: readonly PublishedDie[] = [PUBLISHED_DIES.navi33, PUBLISHED_DIES.navi31];

/**
 * Estimates every published die as compute units of the preset `rdna2-like` with the die's pins and
 * last-level cache. N6 counts as N7, because its densities are not in the sources.
 */
export function predictDies(): PredictedDie[] {
  const preset = chipletPreset('rdna2-like');
  return Object.values(PUBLISHED_DIES).map((die: PublishedDie) => {
    const node = die.node === 'N5' ? 'N5' : 'N7';
    const areasOf = unitAreasOf(preset, node);
    const chiplets = die.computeUnits / COMPUTE_UNITS_OF_PRESET;
    const pins = die.busPins - chiplets * pinsOf(preset);
    const figure = (values: Values<AreaAssumption>) => {
      const units = chiplets * totalUnitMm2(areasOf(values)) + pins * values.memoryMm2PerPin;
      const overhead = values.overheadMm2PerDie * values.logicScale;
      return units + overhead + die.lastLevelMiB * LAST_LEVEL_MM2_PER_MIB;
    };
    const assumptions = areaAssumptions(node, 'advanced');
    const range = estimate(assumptions, figure);
    const ends = worstCases(assumptions, figure);
    const isBetween = (low: number, high: number) =>
      die.mm2 >= low - ROUNDING_MM2 && die.mm2 <= high + ROUNDING_MM2;
    const agreement = isBetween(range.low, range.high)
      ? 'range'
      : isBetween(ends.least, ends.most)
        ? 'ends'
        : 'outside';
    return { die, isInFit: !NOT_IN_FIT.includes(die), estimate: range, ends, agreement };
  });
}
