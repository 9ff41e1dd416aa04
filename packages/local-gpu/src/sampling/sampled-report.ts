/** Report on a sequence of which some frames were timed (JSON). */
import type { Report, Sha256 } from '@tessera/frame';
import {
  type Estimate,
  estimateTotal,
  FEATURES_VERSION,
  type FrameFeatures,
  type SampleGoal,
  type Stratum,
  valuesOf,
} from '@tessera/sampling';
import {
  COUNTED_FIGURES,
  type MeasuredFrame,
  SAMPLED_FIGURES,
  type SampledFigure,
} from './sampled-figures.ts';

/** Estimate of one figure over all frames. */
export interface FigureEstimate extends Omit<SampledFigure, 'read' | 'isCounted'> {
  readonly sampled: true;
  /** Whether the figure was counted in all frames, so that its total is exact. */
  readonly isCounted: boolean;
  /** Total or mean over all frames of the sequence. */
  readonly estimate: number;
  /**
   * Half of the width of the interval, in the unit of the figure; 0 if all frames were timed or the
   * figure was counted in all of them.
   */
  readonly halfWidth: number;
  /** Half width ÷ estimate. */
  readonly halfWidthShare: number;
  readonly confidence: number;
  /** Degrees of freedom of Student's t; null if there is no error. */
  readonly degreesOfFreedom: number | null;
  /** Whether the interval is as narrow as the goal, for figures outside of the goal as well. */
  readonly meetsGoal: boolean;
}

/** Report on a sampled sequence. Every part that depends on the sample has `sampled: true`. */
export interface SampledSequenceReport {
  readonly sampledSequenceVersion: 1;
  readonly sampled: true;
  /** Goal, and whether the figures that it names meet it. */
  readonly goal: SampleGoal & { readonly figures: readonly string[]; readonly isMet: boolean };
  /** Seed of the random choice of frames. */
  readonly seed: number;
  readonly featuresVersion: number;
  readonly spec: Report['spec'];
  readonly policy: string;
  readonly coupling: Report['coupling'];
  readonly placement: Report['placement'];
  readonly chiplets: number;
  readonly totals: {
    readonly frames: number;
    readonly sampledFrames: number;
    /** Whether all frames were timed, so that all figures are exact. */
    readonly isExhaustive: boolean;
  };
  readonly figures: readonly FigureEstimate[];
  readonly strata: readonly {
    readonly index: number;
    readonly frames: number;
    readonly sampledFrames: number;
    /** Number of frames that each sampled frame represents. */
    readonly weight: number;
    /** First 16 digits of the SHA-256 of the sources of each program. */
    readonly programs: readonly string[];
  }[];
  /** Sampled frames in the order of the sequence, with their own figures. */
  readonly sampledFrames: readonly {
    readonly sampled: true;
    readonly index: number;
    readonly stratum: number;
    readonly weight: number;
    readonly frameSha256: Sha256;
    readonly figures: Readonly<Record<string, number>>;
  }[];
  /** All frames in the order of the sequence. */
  readonly frames: readonly {
    readonly index: number;
    readonly stratum: number;
    readonly isSampled: boolean;
    readonly frameSha256: Sha256;
    /** Hash of the image; null if the frame was not rendered. */
    readonly imageSha256: Sha256 | null;
    readonly features: FrameFeatures['values'];
  }[];
  /** Wall-clock times, the only part that differs between two runs of the same frames. */
  readonly wall: { readonly featuresMs: number; readonly timingMs: number };
}

/** Measured sample of a sequence. */
export interface Sample {
  readonly goal: SampleGoal;
  /** Names of the figures that the goal holds for. */
  readonly goalFigures: readonly string[];
  readonly seed: number;
  readonly features: readonly FrameFeatures[];
  /** Hashes of the images of rendered frames by index. */
  readonly imageHashes: ReadonlyMap<number, Sha256>;
  readonly strata: readonly Stratum[];
  /** Frames with cycle timing by index, at least one. */
  readonly measured: ReadonlyMap<number, MeasuredFrame>;
  /** Values of COUNTED_FIGURES by frame; null if not all frames were rendered. */
  readonly counts: readonly (readonly number[])[] | null;
  readonly wall: SampledSequenceReport['wall'];
}

/** Returns the report on a sample. */
export function reportSample(sample: Sample): SampledSequenceReport {
  const { goal, goalFigures, seed, features, strata, measured } = sample;
  const { report } = measured.values().next().value!;
  const values = new Map(
    [...measured].map(([index, frame]) => [index, SAMPLED_FIGURES.map(({ read }) => read(frame))]),
  );
  const figures = SAMPLED_FIGURES.map((figure, i) => {
    const exact = COUNTED_FIGURES.indexOf(figure);
    const estimate =
      exact < 0 || sample.counts === null
        ? estimateTotal(valuesOf(strata, values, i), goal.confidence)
        : exactTotal(sample.counts.map((counts) => counts[exact]!));
    return describeFigure(figure, estimate, sample);
  });
  const counts = strata.map(({ frames }) => frames.filter((frame) => measured.has(frame)).length);
  const weights = strata.map(({ frames }, i) => frames.length / counts[i]!);
  const stratumByFrame = new Map(
    strata.flatMap(({ frames }, stratum) => frames.map((index) => [index, stratum] as const)),
  );
  const stratumOf = (index: number) => stratumByFrame.get(index)!;
  return {
    sampledSequenceVersion: 1,
    sampled: true,
    goal: {
      ...goal,
      figures: goalFigures,
      isMet: figures.every(({ name, meetsGoal }) => meetsGoal || !goalFigures.includes(name)),
    },
    seed,
    featuresVersion: FEATURES_VERSION,
    spec: report.spec,
    policy: report.policy,
    coupling: report.coupling,
    placement: report.placement,
    chiplets: report.chiplets.length,
    totals: {
      frames: features.length,
      sampledFrames: measured.size,
      isExhaustive: measured.size === features.length,
    },
    figures,
    strata: strata.map(({ frames, programs }, index) => ({
      index,
      frames: frames.length,
      sampledFrames: counts[index]!,
      weight: weights[index]!,
      programs,
    })),
    sampledFrames: [...measured.keys()]
      .sort((a, b) => a - b)
      .map((index) => ({
        sampled: true,
        index,
        stratum: stratumOf(index),
        weight: weights[stratumOf(index)]!,
        frameSha256: features[index]!.id,
        figures: Object.fromEntries(
          SAMPLED_FIGURES.map(({ name }, i) => [name, values.get(index)![i]!]),
        ),
      })),
    frames: features.map(({ id, values }, index) => ({
      index,
      stratum: stratumOf(index),
      isSampled: measured.has(index),
      frameSha256: id,
      imageSha256: sample.imageHashes.get(index) ?? null,
      features: values,
    })),
    wall: sample.wall,
  };
}

/** Returns the total of a figure that was counted in all frames. */
function exactTotal(values: readonly number[]): Estimate {
  const total = values.reduce((sum, value) => sum + value, 0);
  return { total, halfWidth: 0, halfWidthShare: 0, degreesOfFreedom: null };
}

function describeFigure(
  { name, kind, unit, isCounted }: SampledFigure,
  { total, halfWidth, halfWidthShare, degreesOfFreedom }: Estimate,
  { goal, features, counts }: Sample,
): FigureEstimate {
  const divisor = kind === 'mean' ? features.length : 1;
  return {
    sampled: true,
    name,
    kind,
    unit,
    isCounted: isCounted && counts !== null,
    estimate: total / divisor,
    halfWidth: halfWidth / divisor,
    halfWidthShare,
    confidence: goal.confidence,
    degreesOfFreedom,
    meetsGoal: halfWidthShare <= goal.halfWidthShare,
  };
}
