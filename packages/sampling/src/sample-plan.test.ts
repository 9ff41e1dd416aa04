import { describe, expect, it } from 'vitest';
import { makeRandom } from './random.ts';
import { stratify } from './strata.ts';
import { type DistributionName, makeFeatures, makePopulation } from './testing/populations.ts';
import { samplePopulation, totalCost } from './testing/sample-population.ts';

const PERCENT_2 = { halfWidthShare: 0.02, confidence: 0.95 };

function strataOf(population: ReturnType<typeof makePopulation>) {
  return stratify(population.map(({ features }) => features));
}

describe('a sample', () => {
  // The reported intervals of whole procedures: pilot, allocation, further frames.
  it.each<[DistributionName, number, number]>([
    ['normal', 0.1, 0.02],
    ['uniform', 0.2, 0.02],
    ['lognormal', 0.2, 0.02],
    ['lognormal', 0.6, 0.08],
    ['exponential', 0.6, 0.05],
  ])('has intervals that hold as often as they say: %s, %d', (name, deviation, halfWidthShare) => {
    const population = makePopulation(500, name, deviation);
    const [total, strata] = [totalCost(population), strataOf(population)];
    const goal = { halfWidthShare, confidence: 0.95 };
    let held = 0;
    for (let seed = 0; seed < 1000; seed++) {
      const { estimate, frames } = samplePopulation(population, strata, goal, seed);
      expect(estimate.halfWidthShare).toBeLessThanOrEqual(halfWidthShare);
      expect(frames.length).toBeLessThan(population.length);
      if (Math.abs(estimate.total - total) <= estimate.halfWidth) held++;
    }
    expect(held).toBeGreaterThanOrEqual(930);
    expect(held).toBeLessThanOrEqual(970);
  });

  it('gives the exact total if the goal needs all frames', () => {
    const population = makePopulation(60, 'lognormal', 0.6);
    const goal = { halfWidthShare: 1e-6, confidence: 0.95 };
    const { estimate, frames } = samplePopulation(population, strataOf(population), goal, 1);
    expect(frames).toHaveLength(60);
    expect(estimate).toMatchObject({ total: totalCost(population), halfWidth: 0 });
  });

  it('does not depend on the order of the frames', () => {
    const population = makePopulation(200, 'lognormal', 0.3);
    const reversed = population.toReversed();
    const sample = samplePopulation(population, strataOf(population), PERCENT_2, 9);
    const other = samplePopulation(reversed, strataOf(reversed), PERCENT_2, 9);
    expect(other.estimate).toEqual(sample.estimate);
    expect(other.frames.map((index) => 199 - index)).toEqual(sample.frames);
  });

  it('contains a single frame of 100 times the cost, or its interval does', () => {
    const random = makeRandom(5);
    for (let seed = 0; seed < 30; seed++) {
      const population = makePopulation(200, 'normal', 0.05);
      const odd = Math.floor(random() * population.length);
      const cost = population[odd]!.cost * 100;
      population[odd] = { features: makeFeatures('odd', cost), cost };
      const sample = samplePopulation(population, strataOf(population), PERCENT_2, seed);
      const error = Math.abs(sample.estimate.total - totalCost(population));
      expect(sample.frames.includes(odd) || error <= sample.estimate.halfWidth).toBe(true);
    }
  });

  it('errs less than as many frames that are drawn from all', () => {
    const population = makePopulation(300, 'normal', 0.05);
    const [total, strata] = [totalCost(population), strataOf(population)];
    const all = [{ ...strata[0]!, frames: [...population.keys()] }];
    let [squares, simpleSquares] = [0, 0];
    for (let seed = 0; seed < 200; seed++) {
      const { estimate, frames } = samplePopulation(population, strata, PERCENT_2, seed);
      const random = makeRandom(seed);
      const drawn = all[0]!.frames
        .map((index) => ({ index, key: random() }))
        .sort((a, b) => a.key - b.key)
        .slice(0, frames.length);
      const sum = drawn.reduce((costs, { index }) => costs + population[index]!.cost, 0);
      squares += (estimate.total - total) ** 2;
      simpleSquares += ((sum * population.length) / frames.length - total) ** 2;
    }
    expect(Math.sqrt(squares)).toBeLessThan(Math.sqrt(simpleSquares) / 3);
  });

  it('measures few of many equal frames', () => {
    const population = Array.from({ length: 100 }, (_, i) => {
      return { features: makeFeatures(`frame ${i}`, 1000), cost: 1234 };
    });
    const { estimate, frames } = samplePopulation(population, strataOf(population), PERCENT_2, 1);
    expect(frames).toHaveLength(3);
    expect(estimate.total).toBeCloseTo(123_400, 6);
  });
});
