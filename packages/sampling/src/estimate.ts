/**
 * Estimate of the total of a figure over all frames, from the frames measured in each stratum
 * (Cochran, *Sampling Techniques*, 3rd edition, 1977, sections 5.3 to 5.4), with an interval of
 * Student's t and the degrees of freedom of Satterthwaite (*Biometrics Bulletin*, 1946).
 */
import { studentQuantile } from './student-t.ts';

/** Values of one figure in a stratum. */
export interface StratumValues {
  /** Number of frames of the stratum, at least 1. */
  readonly frameCount: number;
  /** Values of the measured frames: at least one, and at least two if some were not measured. */
  readonly values: readonly number[];
}

/** Estimated total over all frames. */
export interface Estimate {
  /** Total in the unit of the figure. */
  readonly total: number;
  /** Half of the interval's width in the same unit; 0 if all frames were measured. */
  readonly halfWidth: number;
  /** Half width ÷ absolute total; 0 if both are 0. */
  readonly halfWidthShare: number;
  /** Degrees of freedom; null if no stratum has an error. */
  readonly degreesOfFreedom: number | null;
}

/**
 * Returns the estimate.
 *
 * @param strata Values by stratum, at least one.
 * @param confidence Probability that the interval contains the total, from 0 to less than 1.
 */
export function estimateTotal(strata: readonly StratumValues[], confidence: number): Estimate {
  let total = 0;
  for (const { frameCount, values } of strata) {
    // The factor is 1 if all frames were measured, so that sums of integers stay exact.
    total += values.reduce((sum, value) => sum + value, 0) * (frameCount / values.length);
  }
  const { standardError, degreesOfFreedom } = totalError(
    strata.map(({ frameCount }) => frameCount),
    strata.map(({ values }) => values.length),
    strata.map(({ values }) => varianceOf(values)),
  );
  const quantile = degreesOfFreedom === null ? 0 : studentQuantile(confidence, degreesOfFreedom);
  const halfWidth = quantile * standardError;
  const halfWidthShare = halfWidth === 0 ? 0 : halfWidth / Math.abs(total);
  return { total, halfWidth, halfWidthShare, degreesOfFreedom };
}

/**
 * Returns the standard error of a total, with the finite population correction (Cochran, theorem
 * 5.3), and its degrees of freedom, null if there is no error.
 *
 * @param frameCounts Number of frames by stratum.
 * @param counts Number of measured frames by stratum.
 * @param variances Variance of the figure by stratum.
 */
export function totalError(
  frameCounts: readonly number[],
  counts: readonly number[],
  variances: readonly number[],
): { readonly standardError: number; readonly degreesOfFreedom: number | null } {
  let variance = 0;
  let squares = 0;
  for (const [i, frameCount] of frameCounts.entries()) {
    const count = counts[i]!;
    if (count === frameCount) continue;
    const part = (frameCount * (frameCount - count) * variances[i]!) / count;
    variance += part;
    squares += part ** 2 / (count - 1);
  }
  const degreesOfFreedom = squares === 0 ? null : variance ** 2 / squares;
  return { standardError: Math.sqrt(variance), degreesOfFreedom };
}

/** Returns the unbiased variance of a sample; 0 for fewer than two values. */
export function varianceOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
