/**
 * Dies of a wafer and their yield, after Feng and Ma, Chiplet Actuary, DAC 2022
 * (Yinxiao-Feng/DAC2022, ChipletHL/chip.py).
 */

/** Diameter of a wafer. */
export const WAFER_MM = 300;
/** Width of the rim without dies. Source: Chiplet Actuary, spec/parameter.ini. */
export const EDGE_MM = 5;
/** Width of the gap between two dies. Source: as for the rim. */
export const SCRIBE_MM = 0.2;
/** Largest area that a scanner exposes at once: a field of 26 mm × 33 mm. */
export const RETICLE_MM2 = 26 * 33;

/**
 * Returns the mean number of square dies on a wafer: the area of the wafer over that of a die with
 * its gap, less the dies that the rim cuts.
 *
 * @throws {RangeError} If the die is not between 0 and the area at which less than one fits.
 */
export function diesPerWafer(dieMm2: number): number {
  const withGapMm2 = dieMm2 + 2 * SCRIBE_MM * Math.sqrt(dieMm2) + SCRIBE_MM ** 2;
  const usableMm = WAFER_MM - 2 * EDGE_MM;
  const dies =
    (Math.PI * (usableMm / 2) ** 2) / withGapMm2 - (Math.PI * usableMm) / Math.sqrt(2 * withGapMm2);
  if (!(dieMm2 > 0 && dies >= 1)) {
    throw new RangeError(`dieMm2: ${dieMm2} does not fit on a wafer of ${WAFER_MM} mm`);
  }
  return dies;
}

/**
 * Returns the share of good dies by the negative binomial distribution of defects (Stapper).
 *
 * @param defectsPerCm2 Mean number of fatal defects.
 * @param clustering α: small for defects in clusters, infinite for independent ones (Poisson).
 */
export function dieYield(dieMm2: number, defectsPerCm2: number, clustering: number): number {
  return (1 + (defectsPerCm2 * dieMm2) / 100 / clustering) ** -clustering;
}
