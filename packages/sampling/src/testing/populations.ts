/** Populations of frames with known costs, for tests. */
import type { FrameFeatures } from '../frame-features.ts';
import { makeRandom } from '../random.ts';

/** Frame with the cost that a measurement gives. */
export interface CostedFrame {
  readonly features: FrameFeatures;
  readonly cost: number;
}

/** Distributions of cost ÷ expected cost, by name. Each has the mean 1 and a standard deviation. */
export const DISTRIBUTIONS = {
  normal: (random: () => number, deviation: number) => 1 + deviation * normal(random),
  uniform: (random: () => number, deviation: number) =>
    1 + deviation * Math.sqrt(12) * (random() - 0.5),
  /** Skewed: the logarithm is normal. */
  lognormal: (random: () => number, deviation: number) => {
    const variance = Math.log(1 + deviation ** 2);
    return Math.exp(Math.sqrt(variance) * normal(random) - variance / 2);
  },
  /** Skewed: the least cost, and an exponential addition. */
  exponential: (random: () => number, deviation: number) =>
    1 - deviation - deviation * Math.log(1 - random()),
} as const;

/** Name of a distribution. */
export type DistributionName = keyof typeof DISTRIBUTIONS;

/** Costs of five levels in a sequence, in cycles. */
const LEVELS = [100_000, 200_000, 400_000, 150_000, 300_000];

/**
 * Makes a sequence of five scenes. Features give the expected cost, which differs by up to a fifth
 * in a scene.
 *
 * @param deviation Standard deviation of the cost that features do not explain ÷ expected cost.
 */
export function makePopulation(
  count: number,
  distribution: DistributionName,
  deviation: number,
): CostedFrame[] {
  const random = makeRandom(7);
  return Array.from({ length: count }, (_, index) => {
    const level = LEVELS[Math.floor((index * LEVELS.length) / count)]!;
    const expected = level * (1 + 0.2 * random());
    const cost = Math.round(expected * DISTRIBUTIONS[distribution](random, deviation));
    return { features: makeFeatures(`frame ${index}`, expected), cost };
  });
}

/** Makes the features of a frame that is expected to cost a number of cycles. */
export function makeFeatures(
  id: string,
  expectedCycles: number,
  programs: readonly string[] = ['p'],
): FrameFeatures {
  return {
    id,
    programs,
    values: {
      estimatedCycles: [expectedCycles],
      'visibility.verticesShaded': [300],
      'visibility.primitivesListed': [100 + expectedCycles / 1000],
      vertexInstructions: [1000],
      fragments: [expectedCycles],
      fragmentInstructions: [10 * expectedCycles],
      programVertices: programs.map(() => 1000),
    },
  };
}

/** Box and Muller 1958. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
