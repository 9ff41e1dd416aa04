/**
 * Samples a sequence: renders every frame without timing, which gives images and features, then
 * some frames with cycle timing, which give figures with intervals.
 */
import {
  type Frame,
  type Image,
  type ProbedDraw,
  RenderError,
  type Report,
  sha256Hex,
} from '@tessera/frame';
import type { RenderedFrame } from '@tessera/multi-chiplet';
import {
  type FrameFeatures,
  featuresOf,
  framesToMeasure,
  type ProgramWork,
  type SampleGoal,
  shuffleStrata,
  stratify,
} from '@tessera/sampling';
import {
  COUNTED_FIGURES,
  type MeasuredFrame,
  requireFigures,
  sumOverChiplets,
} from './sampled-figures.ts';
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
  /** Called for the image of each frame in order. */
  readonly onImage?: ((image: Image, index: number) => Promise<void> | void) | undefined;
  /** Called before each frame that is timed. The total grows if intervals are too wide. */
  readonly onTiming?: ((done: number, total: number) => void) | undefined;
}

/** GPU that renders the frames. */
export interface SampledGpu {
  render(frame: Frame, timing: 'functional' | 'cycle'): Promise<RenderedFrame>;
  /** Lists the draws of a frame with their costs. */
  probeDraws(frame: Frame): readonly ProbedDraw[];
  /** Returns the cycles on one chiplet of a frame that was rendered with cycle timing. */
  cyclesOnOneChiplet(rendered: RenderedFrame): number;
}

/**
 * Samples the frames. Each is a frame alone, without overlap with the next.
 *
 * @param frames Functions that make the frames, at least one. A sampled frame is made twice.
 * @throws {RenderError} REQUEST_INVALID for an option out of its range, an unknown figure or no
 *   frame, and the errors of rendering.
 */
export async function sampleSequence(
  frames: readonly (() => Promise<Frame>)[],
  gpu: SampledGpu,
  { goal, figures: goalFigures = ['cycles'], seed = 1, onImage, onTiming }: SampleOptions,
): Promise<SampledSequenceReport> {
  requireRange('goal.halfWidthShare', goal.halfWidthShare, SAMPLE_RANGES.halfWidthShare);
  requireRange('goal.confidence', goal.confidence, SAMPLE_RANGES.confidence);
  requireRange('seed', seed, SAMPLE_RANGES.seed);
  // Totals of the others are exact, whatever the sample.
  const estimated = requireFigures(goalFigures).filter(({ isCounted }) => !isCounted);
  if (frames.length === 0) throw new RenderError('REQUEST_INVALID', 'frames: there are none');

  // 1. Features of all frames.
  const startMs = performance.now();
  const features: FrameFeatures[] = [];
  const imageHashes: string[] = [];
  const counts: (readonly number[])[] = [];
  for (const [index, make] of frames.entries()) {
    const frame = await make();
    const { report, image } = await gpu.render(frame, 'functional');
    features.push(featuresOf(report, listWorks(frame, report, gpu)));
    imageHashes.push(report.image.sha256);
    counts.push(COUNTED_FIGURES.map(({ read }) => read({ report, oneChipletCycles: 0 })));
    await onImage?.(image, index);
  }

  // 2. Cycle timing, until the intervals are narrow enough.
  const timingStartMs = performance.now();
  const strata = shuffleStrata(stratify(features), features, seed);
  const measured = new Map<number, MeasuredFrame>();
  for (;;) {
    const values = new Map(
      [...measured].map(([index, frame]) => [index, estimated.map(({ read }) => read(frame))]),
    );
    const next = framesToMeasure(strata, values, goal);
    if (next.length === 0) break;
    const total = measured.size + next.length;
    for (const index of next) {
      onTiming?.(measured.size, total);
      const rendered = await gpu.render(await frames[index]!(), 'cycle');
      if (rendered.report.frame.sha256 !== features[index]!.id) {
        throw new Error(`sampling: frame ${index} is another frame when it is made again`);
      }
      const oneChipletCycles = gpu.cyclesOnOneChiplet(rendered);
      const frame = { report: rendered.report, oneChipletCycles };
      for (const [i, { name, read }] of COUNTED_FIGURES.entries()) {
        if (read(frame) === counts[index]![i]) continue;
        throw new Error(`sampling: ${name} of frame ${index} depends on its timing`);
      }
      measured.set(index, frame);
    }
  }
  const wall = {
    featuresMs: timingStartMs - startMs,
    timingMs: performance.now() - timingStartMs,
  };
  return reportSample({
    ...{ goal, goalFigures, seed, features, imageHashes, counts, strata, measured, wall },
  });
}

/** Returns the work of each draw. Fragments of a frame with one program need no probe. */
function listWorks(frame: Frame, report: Report, gpu: SampledGpu): ProgramWork[] {
  const hashes = frame.programs.map(({ vertexSource, fragmentSource }) =>
    sha256Hex(new TextEncoder().encode(`${vertexSource}\0${fragmentSource}`)).slice(0, 16),
  );
  const draws = frame.passes.flatMap((pass) => pass.draws);
  const works = draws.map(({ programIndex, count, instanceCount }) => {
    return { program: hashes[programIndex]!, vertices: count * instanceCount, fragments: 0 };
  });
  const [first] = works;
  if (first === undefined) return [];
  if (works.every(({ program }) => program === first.program)) {
    const fragments = sumOverChiplets(report, 'shading.fragmentsShaded');
    return [...works, { program: first.program, vertices: 0, fragments }];
  }
  const shaded = gpu.probeDraws(frame).map(({ program, cost }) => {
    return { program: hashes[program]!, vertices: 0, fragments: cost.fragmentsShaded };
  });
  return [...works, ...shaded];
}

function requireRange(
  option: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (value >= min && value <= max) return;
  throw new RenderError('REQUEST_INVALID', `${option}: ${value} is not in ${min}..${max}`);
}
