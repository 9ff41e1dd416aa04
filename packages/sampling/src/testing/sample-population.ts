/** Samples of populations with known costs, for tests. */
import { type Estimate, estimateTotal } from '../estimate.ts';
import { framesToMeasure, type SampleGoal, valuesOf } from '../sample-plan.ts';
import { type Stratum, shuffleStrata } from '../strata.ts';
import type { CostedFrame } from './populations.ts';

/** Sample of a population, and the estimate of its total cost. */
export interface PopulationSample {
  readonly estimate: Estimate;
  /** Indices of the measured frames. */
  readonly frames: readonly number[];
}

/** Measures frames until the goal is reached. */
export function samplePopulation(
  population: readonly CostedFrame[],
  strata: readonly Stratum[],
  goal: SampleGoal,
  seed: number,
): PopulationSample {
  const features = population.map((frame) => frame.features);
  const shuffled = shuffleStrata(strata, features, seed);
  const measured = new Map<number, readonly number[]>();
  for (;;) {
    const next = framesToMeasure(shuffled, measured, goal);
    if (next.length === 0) break;
    for (const index of next) measured.set(index, [population[index]!.cost]);
  }
  const estimate = estimateTotal(valuesOf(shuffled, measured, 0), goal.confidence);
  return { estimate, frames: [...measured.keys()] };
}

/** Returns the true total. */
export function totalCost(population: readonly CostedFrame[]): number {
  return population.reduce((sum, { cost }) => sum + cost, 0);
}
