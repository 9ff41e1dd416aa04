/** Samples of a sequence whose figures are all known: the tool's own, random, and every n-th. */
import {
  type Estimate,
  estimateTotal,
  type FrameFeatures,
  framesToMeasure,
  type SampleGoal,
  type Stratum,
  shuffleStrata,
  valuesOf,
} from '@tessera/sampling';

/** Sequence that is divided into strata. */
export interface StratifiedSequence {
  readonly features: readonly FrameFeatures[];
  readonly strata: readonly Stratum[];
}

/** Sample that `tessera sequence --sample` draws. */
export interface DrawnSample {
  /** Measured frames by stratum, and the number of all its frames. */
  readonly strata: readonly { readonly frameCount: number; readonly measured: readonly number[] }[];
  /** Number of measured frames. */
  readonly count: number;
  readonly estimate: Estimate;
}

/**
 * Draws the sample of a seed.
 *
 * @param values Figure of each frame, for which the goal holds.
 */
export function drawSample(
  { features, strata }: StratifiedSequence,
  values: readonly number[],
  goal: SampleGoal,
  seed: number,
): DrawnSample {
  const shuffled = shuffleStrata(strata, features, seed);
  const measured = new Map<number, readonly number[]>();
  for (;;) {
    const next = framesToMeasure(shuffled, measured, goal);
    if (next.length === 0) break;
    for (const index of next) measured.set(index, [values[index]!]);
  }
  return {
    strata: shuffled.map(({ frames }) => ({
      frameCount: frames.length,
      measured: frames.filter((index) => measured.has(index)),
    })),
    count: measured.size,
    estimate: estimateTotal(valuesOf(shuffled, measured, 0), goal.confidence),
  };
}

/** Estimates the total of a figure from frames that are drawn at random from all. */
export function drawAtRandom(
  values: readonly number[],
  count: number,
  random: () => number,
): number {
  const left = [...values.keys()];
  let sum = 0;
  for (let drawn = 0; drawn < count; drawn++) {
    const place = drawn + Math.floor(random() * (left.length - drawn));
    const index = left[place]!;
    left[place] = left[drawn]!;
    sum += values[index]!;
  }
  return (sum * values.length) / count;
}

/** Estimates the total of a figure from frames at equal distances, after a random first one. */
export function drawEveryNth(
  values: readonly number[],
  count: number,
  random: () => number,
): number {
  const step = values.length / count;
  const start = random() * step;
  let sum = 0;
  for (let drawn = 0; drawn < count; drawn++) sum += values[Math.floor(start + drawn * step)]!;
  return (sum * values.length) / count;
}
