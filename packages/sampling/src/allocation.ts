/**
 * Allocation of frames to strata: that of Neyman (*Journal of the Royal Statistical Society*,
 * 1934), found frame by frame, which is optimal in integers (Wright, *The American Statistician*,
 * 2012).
 *
 * The spreads of a figure by stratum are taken to be in proportion to those of the cost estimate,
 * with one scale from all measured frames. Spreads from the few frames of a pilot would leave out
 * strata whose pilot happens to vary little, and intervals would hold less often than they say.
 */
import { estimateTotal, type StratumValues, totalError, varianceOf } from './estimate.ts';
import type { SampleGoal } from './sample-plan.ts';
import { studentQuantile } from './student-t.ts';

/**
 * Half width to aim at ÷ half width of the goal. Frames that are added one by one until an interval
 * is just narrow enough make intervals that are too narrow, so the first addition suffices mostly.
 */
const AIM = 0.9;

/**
 * Returns the number of frames by stratum with which the interval is expected to be narrow enough:
 * at least those measured, and more than those unless the goal is reached or all are measured.
 *
 * @param strata Values of the figure by stratum, after the pilot.
 * @param costSpreads Spread of the cost estimate by stratum, in cycles, more than 0.
 */
export function allocateFrames(
  strata: readonly StratumValues[],
  costSpreads: readonly number[],
  goal: SampleGoal,
): number[] {
  const frameCounts = strata.map(({ frameCount }) => frameCount);
  const counts = strata.map(({ values }) => values.length);
  const { total, halfWidth } = estimateTotal(strata, goal.confidence);
  const goalWidth = goal.halfWidthShare * Math.abs(total);
  if (halfWidth <= goalWidth) return counts;
  const variances = scaleVariances(strata, costSpreads);
  const expectedWidth = (quantile?: number) => {
    const { standardError, degreesOfFreedom } = totalError(frameCounts, counts, variances);
    if (degreesOfFreedom === null) return 0;
    return standardError * (quantile ?? studentQuantile(goal.confidence, degreesOfFreedom));
  };
  // An interval that is wider than expected is narrowed in the same proportion.
  const target = AIM * goalWidth * Math.min(1, expectedWidth() / halfWidth);
  // The quantile with the most degrees of freedom, which avoids computing others too early.
  const leastQuantile = studentQuantile(goal.confidence, sumOf(frameCounts));
  while (expectedWidth(leastQuantile) > target || expectedWidth() > target) {
    let [best, mostGain] = [-1, 0];
    for (const [i, frameCount] of frameCounts.entries()) {
      const count = counts[i]!;
      if (count === frameCount) continue;
      const gain = (frameCount ** 2 * variances[i]!) / (count * (count + 1));
      if (gain > mostGain) [best, mostGain] = [i, gain];
    }
    if (best < 0) break; // All frames are taken.
    counts[best]!++;
  }
  return counts;
}

/** Returns the variances of a figure by stratum, in proportion to those of the cost estimate. */
function scaleVariances(
  strata: readonly StratumValues[],
  costSpreads: readonly number[],
): number[] {
  const freedoms = strata.map(({ values }) => values.length - 1);
  const relative = strata.map(
    ({ values }, i) => (freedoms[i]! * varianceOf(values)) / costSpreads[i]! ** 2,
  );
  const scale = sumOf(relative) / sumOf(freedoms);
  return costSpreads.map((spread) => scale * spread ** 2);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
