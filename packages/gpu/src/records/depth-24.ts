/** Stored depth: a 24-bit unsigned normalized integer. */

/** Largest stored depth, which represents depth 1. */
export const DEPTH_24_MAX = 0xffffff;

/** Clamps to 0…1; NaN becomes 0. */
export function clampToUnit(value: number): number {
  if (value > 0) return Math.min(value, 1);
  return 0;
}

/** Rounds 0 ≤ x < 2^52 to the nearest integer, ties to even. */
export function roundToEven(value: number): number {
  const below = Math.floor(value);
  const fraction = value - below;
  if (fraction !== 0.5) return fraction < 0.5 ? below : below + 1;
  return below + (below % 2);
}

/** Converts a depth of 0 to 1 to that of the target. */
export function toStoredDepth(value: number): number {
  return roundToEven(Math.fround(clampToUnit(value) * DEPTH_24_MAX));
}
