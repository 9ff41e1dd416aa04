/**
 * Strata of a sequence: groups of frames with the same programs and similar features. Strata depend
 * on the set of frames, not on their order.
 */
import type { FrameFeatures } from './frame-features.ts';
import { clusterVectors } from './k-means.ts';
import { hashText } from './random.ts';

/** One stratum. */
export interface Stratum {
  /** Indices of its frames, in an order that depends on their identities alone. */
  readonly frames: readonly number[];
  /**
   * Expected standard deviation of the cost of its frames in cycles, at least 1: that of the cost
   * estimate, and a part of its mean.
   */
  readonly costSpread: number;
  /** Programs that each of its frames uses. */
  readonly programs: readonly string[];
}

/** Part of the mean cost that varies although features are equal, as a standard deviation. */
const UNEXPLAINED = 0.02;
/** Upper bound on the strata of frames with the same programs. */
const MAX_STRATA = 28;
/** Mean number of frames in the strata of frames with the same programs, at least. */
const FRAMES_PER_STRATUM = 18;

/**
 * Divides frames into strata. Frames with different sets of programs are never in one stratum.
 *
 * @param frames Features of all frames, at least one.
 */
export function stratify(frames: readonly FrameFeatures[]): Stratum[] {
  const order = frames
    .map((_, index) => index)
    .sort((a, b) => compareTexts(frames[a]!.id, frames[b]!.id) || a - b);
  const groups = Map.groupBy(order, (index) => frames[index]!.programs.join(' '));
  return [...groups]
    .sort(([a], [b]) => compareTexts(a, b))
    .flatMap(([, group]) => {
      const vectors = normalizeFeatures(group.map((index) => frames[index]!));
      const max = Math.min(MAX_STRATA, Math.floor(group.length / FRAMES_PER_STRATUM));
      const clusters = clusterVectors(vectors, Math.max(max, group.length < 4 ? 1 : 2));
      return [...Map.groupBy(group.keys(), (i) => clusters[i]!).values()].map((members) => ({
        frames: members.map((i) => group[i]!),
        costSpread: spreadOf(members.map((i) => frames[group[i]!]!.values.estimatedCycles[0]!)),
        programs: frames[group[0]!]!.programs,
      }));
    });
}

/**
 * Returns the strata with their frames in the order in which they are drawn.
 *
 * @param seed Seed of the order, a 32-bit integer.
 */
export function shuffleStrata(
  strata: readonly Stratum[],
  frames: readonly FrameFeatures[],
  seed: number,
): Stratum[] {
  return strata.map((stratum) => {
    // Equal frames are numbered, so that they are drawn apart.
    const repeats = new Map<string, number>();
    const keyed = stratum.frames.map((index) => {
      const { id } = frames[index]!;
      const repeat = repeats.get(id) ?? 0;
      repeats.set(id, repeat + 1);
      return { index, key: hashText(`${id} ${repeat}`, seed) };
    });
    return { ...stratum, frames: keyed.sort((a, b) => a.key - b.key).map(({ index }) => index) };
  });
}

/**
 * Returns vectors of frames with the same programs. Each value is divided by its mean over the
 * frames, also that of each program, so that 1 is the mean frame.
 */
function normalizeFeatures(frames: readonly FrameFeatures[]): Float64Array[] {
  const vectors = frames.map(({ values }) => Float64Array.from(Object.values(values).flat()));
  for (let d = 0; d < vectors[0]!.length; d++) {
    const sum = vectors.reduce((total, vector) => total + vector[d]!, 0);
    for (const vector of vectors) vector[d] = sum === 0 ? 0 : (vector[d]! * vectors.length) / sum;
  }
  return vectors;
}

function spreadOf(costs: readonly number[]): number {
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const variance = costs.reduce((sum, cost) => sum + (cost - mean) ** 2, 0) / costs.length;
  return Math.max(1, Math.sqrt(variance + (UNEXPLAINED * mean) ** 2));
}

/** Compares by code units, so that no locale matters. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
