/**
 * Samples a sequence: runs the visibility phases of every frame, which gives features, then renders
 * some frames with cycle timing, which gives figures with intervals.
 */
import { type Frame, type Image, RenderError, type Sha256 } from '@tessera/frame';
import type { RenderedFrame } from '@tessera/multi-chiplet';
import {
  type FrameFeatures,
  framesToMeasure,
  type SampleGoal,
  shuffleStrata,
  stratify,
} from '@tessera/sampling';
import { wallClock } from '../time/wall-clock.ts';
import { COUNTED_FIGURES, type MeasuredFrame, requireFigures } from './sampled-figures.ts';
import { reportSample, type SampledSequenceReport } from './sampled-report.ts';

/** Permitted values of the goal and the seed of a sample. */
export const SAMPLE_RANGES = {
  halfWidthShare: { min: 1e-6, max: 1 },
  confidence: { min: 0.5, max: 0.999 },
  seed: { min: 0, max: 2 ** 32 - 1 },
} as const;

/** Options of a sample. */
export interface SampleOptions {
  /** Width of the intervals and their confidence, such as 0.01 and 0.95. */
  readonly goal: SampleGoal;
  /** Figures that the goal holds for, `cycles` by default: see the report for their names. */
  readonly figures?: readonly string[] | undefined;
  /** Seed of the random choice of frames, 0 to 4294967295; 1 by default. */
  readonly seed?: number | undefined;
  /**
   * Whether all frames are rendered, which gives all images and exact counts and takes longer.
   * Otherwise only timed frames are; false by default.
   */
  readonly rendersAllFrames?: boolean | undefined;
  /** Called for the image of each rendered frame once. */
  readonly onImage?: ((image: Image, index: number) => Promise<void> | void) | undefined;
  /** Called after the features of each frame. */
  readonly onFeatures?: ((done: number, total: number) => void) | undefined;
  /** Called before each frame that is timed. The total grows if intervals are too wide. */
  readonly onTiming?: ((done: number, total: number) => void) | undefined;
}

/** GPU that renders the frames. */
export interface SampledGpu {
  render(frame: Frame, timing: 'functional' | 'cycle'): Promise<RenderedFrame>;
  countFeatures(frame: Frame): FrameFeatures;
  /** Returns the cycles on one chiplet of a frame that was rendered with cycle timing. */
  cyclesOnOneChiplet(rendered: RenderedFrame): number;
}

/**
 * Samples the frames. Each is a frame alone, without overlap with the next.
 *
 * @param frames Functions that make the frames, at least one. A timed frame is made twice.
 * @throws {RenderError} REQUEST_INVALID for an option out of its range, an unknown figure or no
 *   frame, and the errors of rendering.
 */
export async function sampleSequence(
  frames: readonly (() => Promise<Frame>)[],
  gpu: SampledGpu,
  options: SampleOptions,
): Promise<SampledSequenceReport> {
  const { goal, figures: goalFigures = ['cycles'], seed = 1, rendersAllFrames = false } = options;
  const { onImage, onFeatures, onTiming } = options;
  requireRange('goal.halfWidthShare', goal.halfWidthShare, SAMPLE_RANGES.halfWidthShare);
  requireRange('goal.confidence', goal.confidence, SAMPLE_RANGES.confidence);
  requireRange('seed', seed, SAMPLE_RANGES.seed);
  // If all frames are rendered, totals of the others are exact, whatever the sample.
  const estimated = requireFigures(goalFigures).filter(
    ({ isCounted }) => !(isCounted && rendersAllFrames),
  );
  if (frames.length === 0) throw new RenderError('REQUEST_INVALID', 'frames: there are none');

  // 1. Features of all frames.
  const startMs = wallClock.now();
  const features: FrameFeatures[] = [];
  const imageHashes = new Map<number, Sha256>();
  const counts: (readonly number[])[] = [];
  for (const [index, make] of frames.entries()) {
    const frame = await make();
    features.push(gpu.countFeatures(frame));
    if (rendersAllFrames) {
      const { report, image } = await gpu.render(frame, 'functional');
      imageHashes.set(index, report.image.sha256);
      counts.push(COUNTED_FIGURES.map(({ read }) => read({ report, oneChipletCycles: 0 })));
      await onImage?.(image, index);
    }
    onFeatures?.(index + 1, frames.length);
  }

  // 2. Cycle timing, until the intervals are narrow enough.
  const timingStartMs = wallClock.now();
  const strata = shuffleStrata(stratify(features), features, seed);
  const measured = new Map<number, MeasuredFrame>();
  for (;;) {
    const values = new Map(
      [...measured].map(([index, frame]) => [index, estimated.map(({ read }) => read(frame))]),
    );
    const next = framesToMeasure(strata, values, goal);
    if (next.length === 0) break;
    const total = measured.size + next.length;
    // Ascending, because a capture is replayed from its start otherwise.
    for (const index of next.sort((a, b) => a - b)) {
      onTiming?.(measured.size, total);
      const rendered = await gpu.render(await frames[index]!(), 'cycle');
      const { report, image } = rendered;
      if (report.frame.sha256 !== features[index]!.id) {
        throw new Error(`sampling: frame ${index} is another frame when it is made again`);
      }
      const frame = { report, oneChipletCycles: gpu.cyclesOnOneChiplet(rendered) };
      if (rendersAllFrames) requireCounts(frame, counts[index]!, index);
      measured.set(index, frame);
      if (rendersAllFrames) continue;
      imageHashes.set(index, report.image.sha256);
      await onImage?.(image, index);
    }
  }
  const wall = {
    featuresMs: timingStartMs - startMs,
    timingMs: wallClock.now() - timingStartMs,
  };
  return reportSample({
    ...{ goal, goalFigures, seed, features, imageHashes, strata, measured, wall },
    counts: rendersAllFrames ? counts : null,
  });
}

/** @throws {Error} If a figure that rendering without timing counts differs with timing. */
function requireCounts(frame: MeasuredFrame, counts: readonly number[], index: number): void {
  for (const [i, { name, read }] of COUNTED_FIGURES.entries()) {
    if (read(frame) === counts[i]) continue;
    throw new Error(`sampling: ${name} of frame ${index} depends on its timing`);
  }
}

function requireRange(
  option: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (value >= min && value <= max) return;
  throw new RenderError('REQUEST_INVALID', `${option}: ${value} is not in ${min}..${max}`);
}
