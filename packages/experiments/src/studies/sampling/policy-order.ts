/** Agreement of two orders of the policies, by number of chiplets. */
import { ASSIGNMENTS, type FrameFigures } from './sequence-figures.ts';

/** Returns the sums of the makespans over all frames. */
export function sumMakespans(frames: readonly FrameFigures[]): number[] {
  return ASSIGNMENTS.map((_, i) => frames.reduce((sum, { makespans }) => sum + makespans[i]!, 0));
}

/** Estimates the sums of the makespans over all frames from the measured frames of strata. */
export function estimateMakespans(
  frames: readonly FrameFigures[],
  strata: readonly { readonly frameCount: number; readonly measured: readonly number[] }[],
): number[] {
  const sums = ASSIGNMENTS.map(() => 0);
  for (const { frameCount, measured } of strata) {
    const weight = frameCount / measured.length;
    for (const index of measured) {
      const { makespans } = frames[index]!;
      for (let i = 0; i < sums.length; i++) sums[i]! += weight * makespans[i]!;
    }
  }
  return sums;
}

/**
 * Returns Kendall's tau over the pairs of policies with equal numbers of chiplets. Pairs that are
 * equal in `expected` are left out. A pair that is equal in `found` alone counts as half an
 * agreement.
 */
export function rankCorrelation(expected: readonly number[], found: readonly number[]): number {
  let [agreements, pairs] = [0, 0];
  for (const [i, { chiplets }] of ASSIGNMENTS.entries()) {
    for (let j = i + 1; ASSIGNMENTS[j]?.chiplets === chiplets; j++) {
      const order = Math.sign(expected[i]! - expected[j]!);
      if (order === 0) continue;
      pairs++;
      agreements += order * Math.sign(found[i]! - found[j]!);
    }
  }
  return agreements / pairs;
}
