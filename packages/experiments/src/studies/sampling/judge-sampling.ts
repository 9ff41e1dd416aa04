/**
 * Judgement of sampling on a sequence whose figures are all known: how often intervals hold,
 * whether samples order the policies as all frames do, and the error against other samples of the
 * same size.
 */
import { makeRandom, type SampleGoal, stratify } from '@tessera/sampling';
import { drawAtRandom, drawEveryNth, drawSample } from './draw-samples.ts';
import { estimateMakespans, rankCorrelation, sumMakespans } from './policy-order.ts';
import { ASSIGNMENTS, type FrameFigures, mapFeatures } from './sequence-figures.ts';

/** Judgement of one figure of a sequence. Errors are relative to the true total. */
export interface SamplingJudgement {
  readonly strata: number;
  /** Mean number of measured frames. */
  readonly measuredFrames: number;
  /** Share of the samples whose interval contains the true total, 0 to 1. */
  readonly held: number;
  /** Mean half width of the intervals. */
  readonly halfWidthShare: number;
  /** Root of the mean squared error. */
  readonly error: number;
  /** The same with as many frames at random, and with every n-th frame. */
  readonly randomError: number;
  readonly everyNthError: number;
  /** Mean and least of Kendall's tau over the samples. */
  readonly meanTau: number;
  readonly leastTau: number;
  /** Share of the samples that measure a frame of 100 times the cost or cover it, 0 to 1. */
  readonly oddFramesFound: number;
}

/** Goal of all samples. */
export const JUDGED_GOAL: SampleGoal = { halfWidthShare: 0.01, confidence: 0.95 };

const PULL_ON_FOUR = ASSIGNMENTS.findIndex(
  ({ policy, chiplets }) => policy === 'dynamic-pull' && chiplets === 4,
);

/** Figures for which samples are drawn. */
export const JUDGED_FIGURES = {
  cycles: (frame) => frame.cycles,
  /** Makespan of `dynamic-pull` on four chiplets. */
  makespan: (frame) => frame.makespans[PULL_ON_FOUR]!,
} as const satisfies Record<string, (frame: FrameFigures) => number>;

/** Name of a figure for which samples are drawn. */
export type JudgedFigure = keyof typeof JUDGED_FIGURES;

/** Number of samples of a sequence. */
const SAMPLE_COUNT = 1000;
/** Number of sequences with an odd frame, each of which is divided into strata anew. */
const ODD_FRAME_COUNT = 20;
/** Factor on cost and features of an odd frame. */
const ODD_FACTOR = 100;

/**
 * Judges the samples of the seeds 0 to 999.
 *
 * @param frames Figures of all frames, at least one.
 */
export function judgeSampling(
  frames: readonly FrameFigures[],
  figure: JudgedFigure,
): SamplingJudgement {
  const values = frames.map(JUDGED_FIGURES[figure]);
  const total = sumOf(values);
  const makespans = sumMakespans(frames);
  const features = frames.map((frame) => frame.features);
  const sequence = { features, strata: stratify(features) };
  const random = makeRandom(1);
  const taus: number[] = [];
  let [measured, held, width] = [0, 0, 0];
  let [squares, randomSquares, everyNthSquares] = [0, 0, 0];
  for (let seed = 0; seed < SAMPLE_COUNT; seed++) {
    const { strata, count, estimate } = drawSample(sequence, values, JUDGED_GOAL, seed);
    measured += count;
    width += estimate.halfWidthShare;
    held += Number(Math.abs(estimate.total - total) <= estimate.halfWidth);
    squares += (estimate.total / total - 1) ** 2;
    randomSquares += (drawAtRandom(values, count, random) / total - 1) ** 2;
    everyNthSquares += (drawEveryNth(values, count, random) / total - 1) ** 2;
    taus.push(rankCorrelation(makespans, estimateMakespans(frames, strata)));
  }
  return {
    strata: sequence.strata.length,
    measuredFrames: measured / SAMPLE_COUNT,
    held: held / SAMPLE_COUNT,
    halfWidthShare: width / SAMPLE_COUNT,
    error: Math.sqrt(squares / SAMPLE_COUNT),
    randomError: Math.sqrt(randomSquares / SAMPLE_COUNT),
    everyNthError: Math.sqrt(everyNthSquares / SAMPLE_COUNT),
    meanTau: sumOf(taus) / SAMPLE_COUNT,
    leastTau: Math.min(...taus),
    oddFramesFound: findOddFrames(frames, figure),
  };
}

/** Returns the share of samples that measure an odd frame, or whose interval holds with it. */
function findOddFrames(frames: readonly FrameFigures[], figure: JudgedFigure): number {
  const random = makeRandom(2);
  const samplesEach = SAMPLE_COUNT / ODD_FRAME_COUNT;
  let found = 0;
  for (let place = 0; place < ODD_FRAME_COUNT; place++) {
    const odd = Math.floor(random() * frames.length);
    const values = frames.map(JUDGED_FIGURES[figure]);
    values[odd]! *= ODD_FACTOR;
    const total = sumOf(values);
    const features = frames.map((frame, i) => (i === odd ? enlarge(frame) : frame.features));
    const sequence = { features, strata: stratify(features) };
    for (let seed = 0; seed < samplesEach; seed++) {
      const { strata, estimate } = drawSample(sequence, values, JUDGED_GOAL, seed);
      const isMeasured = strata.some((stratum) => stratum.measured.includes(odd));
      const isCovered = Math.abs(estimate.total - total) <= estimate.halfWidth;
      found += Number(isMeasured || isCovered);
    }
  }
  return found / SAMPLE_COUNT;
}

/** Returns features that show the cost of an odd frame. */
function enlarge({ features }: FrameFigures): FrameFigures['features'] {
  const { id, values } = features;
  const enlarged = mapFeatures((name) => values[name].map((value) => value * ODD_FACTOR));
  return { ...features, id: `${id} odd`, values: enlarged };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
