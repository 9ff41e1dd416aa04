import { describe, expect, it } from 'vitest';
import { makeRandom } from './random.ts';
import { shuffleStrata, stratify } from './strata.ts';
import { makeFeatures, makePopulation } from './testing/populations.ts';

const FRAMES = makePopulation(120, 'normal', 0.1).map(({ features }) => features);

/** Identities of the frames by stratum. */
function identities(frames: typeof FRAMES, seed: number): string[][] {
  return shuffleStrata(stratify(frames), frames, seed).map((stratum) =>
    stratum.frames.map((index) => frames[index]!.id),
  );
}

describe('strata', () => {
  it('contain every frame once', () => {
    const all = stratify(FRAMES).flatMap(({ frames }) => frames);
    expect(all.toSorted((a, b) => a - b)).toEqual([...FRAMES.keys()]);
  });

  it('and the order of drawing do not depend on the order of the frames', () => {
    const random = makeRandom(3);
    const permuted = FRAMES.map((frame) => ({ frame, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ frame }) => frame);
    expect(permuted).not.toEqual(FRAMES);
    expect(identities(permuted, 5)).toEqual(identities(FRAMES, 5));
  });

  it('do not depend on the seed, and the order of drawing does', () => {
    const sorted = (seed: number) => identities(FRAMES, seed).map((ids) => ids.toSorted());
    expect(sorted(1)).toEqual(sorted(2));
    expect(identities(FRAMES, 1)).not.toEqual(identities(FRAMES, 2));
  });

  it('separate frames of different cost', () => {
    const two = [1, 2].flatMap((level) =>
      Array.from({ length: 20 }, (_, i) => makeFeatures(`${level} ${i}`, level * 1000 + i)),
    );
    const levels = identities(two, 1).map((ids) => new Set(ids.map((id) => id[0])));
    expect(levels.length).toBeGreaterThan(1);
    for (const level of levels) expect(level.size).toBe(1);
  });

  it('never mix sets of programs', () => {
    const programs = [['p'], ['p', 'q'], ['r']];
    const frames = Array.from({ length: 30 }, (_, i) =>
      makeFeatures(`frame ${i}`, 1000, programs[i % 3]),
    );
    const strata = stratify(frames);
    expect(strata.map((stratum) => stratum.programs)).toEqual([['p'], ['p', 'q'], ['r']]);
    for (const stratum of strata) {
      for (const index of stratum.frames) {
        expect(frames[index]!.programs).toEqual(stratum.programs);
      }
    }
  });

  it('draw equal frames apart from each other', () => {
    const frames = Array.from({ length: 40 }, (_, i) => makeFeatures(`frame ${i % 2}`, 1000));
    const [order] = identities(frames, 1);
    expect(new Set(order!.slice(0, 8)).size).toBe(2);
  });
});
