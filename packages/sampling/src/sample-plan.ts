/**
 * Choice of the frames to measure: a pilot in each stratum, then more frames until the intervals
 * are narrow enough or all frames are measured.
 */
import { allocateFrames } from './allocation.ts';
import type { StratumValues } from './estimate.ts';
import type { Stratum } from './strata.ts';

/** Goal of a sample. */
export interface SampleGoal {
  /** Upper bound on half the width of an interval ÷ total, such as 0.01; more than 0. */
  readonly halfWidthShare: number;
  /** Probability that an interval contains its total, such as 0.95; from 0 to less than 1. */
  readonly confidence: number;
}

/** Figures of the measured frames by index of the frame, each in the same order. */
export type MeasuredFigures = ReadonlyMap<number, readonly number[]>;

/**
 * Number of frames to measure first in a stratum. Many strata with a few frames each err less than
 * few strata with many, because their frames are more similar. With two frames, intervals are too
 * wide or, with more degrees of freedom, hold less often than they say.
 */
const PILOT_FRAMES = 3;

/**
 * Returns the frames to measure next; none if the goal is reached or all frames were measured.
 *
 * @param strata Strata of the sequence. Frames are measured in the order of each.
 * @param measured Figures that the goal holds for.
 */
export function framesToMeasure(
  strata: readonly Stratum[],
  measured: MeasuredFigures,
  goal: SampleGoal,
): number[] {
  const counts = strata.map(({ frames }) => frames.filter((frame) => measured.has(frame)).length);
  const wanted = strata.map(({ frames }) => Math.min(frames.length, PILOT_FRAMES));
  if (counts.every((count, i) => count >= wanted[i]!)) {
    const costSpreads = strata.map(({ costSpread }) => costSpread);
    const figureCount = measured.values().next().value?.length ?? 0;
    for (let figure = 0; figure < figureCount; figure++) {
      const values = valuesOf(strata, measured, figure);
      for (const [i, count] of allocateFrames(values, costSpreads, goal).entries()) {
        wanted[i] = Math.max(wanted[i]!, count);
      }
    }
  }
  return strata.flatMap(({ frames }, i) => frames.slice(counts[i], wanted[i]));
}

/**
 * Returns the values of a figure by stratum, in the order in which frames are drawn.
 *
 * @param figure Index of the figure.
 */
export function valuesOf(
  strata: readonly Stratum[],
  measured: MeasuredFigures,
  figure: number,
): StratumValues[] {
  return strata.map(({ frames }) => ({
    frameCount: frames.length,
    values: frames.flatMap((frame) => measured.get(frame)?.[figure] ?? []),
  }));
}
