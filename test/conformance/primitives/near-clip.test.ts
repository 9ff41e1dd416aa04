/**
 * Clipping at the near plane, z ≥ −w, and of triangles that reach behind the eye (w ≤ 0), matches
 * an evaluation that does not clip.
 */

import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { type ClipPosition, drawScene } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { expectTriangles } from './clipped-triangles.ts';
import type { ClipTriangle } from './project-triangle.ts';

/** Returns a corner of a perspective scene: near plane at distance 0.5, far plane at 100. */
function perspectiveCorner(random: SeededRandom, minDistance: number): ClipPosition {
  const [near, far] = [0.5, 100];
  const w = random.between(minDistance, 4);
  const z = ((far + near) * w - 2 * far * near) / (far - near);
  return [random.between(-3, 3), random.between(-3, 3), z, w];
}

function triangles(seed: number, corner: (random: SeededRandom) => ClipPosition): ClipTriangle[] {
  const random = seededRandom(seed);
  return Array.from({ length: 64 }, () => [corner(random), corner(random), corner(random)]);
}

describe('near clip', () => {
  it('leaves triangles in front of the near plane whole (control)', async () => {
    const all = triangles(1, (random) => perspectiveCorner(random, 0.6));
    const { inside, outside } = await expectTriangles(all, 'seed 1');
    expect(Math.min(inside, outside)).toBeGreaterThan(5000);
  });

  it.each([2, 3])('cuts triangles that cross the near plane: %i', async (seed) => {
    const all = triangles(seed, (random) => perspectiveCorner(random, 0.1));
    const { inside, outside } = await expectTriangles(all, `seed ${seed}`);
    expect(Math.min(inside, outside)).toBeGreaterThan(5000);
  });

  it.each([4, 5, 6])('cuts triangles that reach behind the eye: %i', async (seed) => {
    const all = triangles(seed, (random) => perspectiveCorner(random, -4));
    const { inside, outside } = await expectTriangles(all, `seed ${seed}`);
    expect(Math.min(inside, outside)).toBeGreaterThan(5000);
  });

  it('cuts any clip coordinates alike, even where z has nothing to do with w', async () => {
    const all = triangles(7, (random) => [
      random.between(-2, 2),
      random.between(-2, 2),
      random.between(-2, 2),
      random.between(-2, 2),
    ]);
    const { inside } = await expectTriangles(all, 'seed 7');
    expect(inside).toBeGreaterThan(500);
  });

  it('draws triangles that have a corner at infinity, w = 0', async () => {
    const random = seededRandom(9);
    const all = Array.from({ length: 64 }, (_, k): ClipTriangle => {
      const near = (): ClipPosition => [random.between(-1, 1), random.between(-1, 1), 0, 1];
      const direction: ClipPosition = [random.between(-1, 1), random.between(-1, 1), 0, 0];
      return k % 2 === 0 ? [near(), direction, near()] : [near(), near(), direction];
    });
    const { inside, outside } = await expectTriangles(all, 'seed 9');
    expect(Math.min(inside, outside)).toBeGreaterThan(5000);
  });

  it.each([
    { z: -1, isDrawn: true, what: 'on the plane' },
    { z: -1 + 2 ** -20, isDrawn: true, what: 'just behind it' },
    { z: -1 - 2 ** -20, isDrawn: false, what: 'just before it' },
  ])('a triangle $what is drawn: $isDrawn', async ({ z, isDrawn }) => {
    const clipPositions: ClipPosition[] = [
      [-1, -1, z, 1],
      [3, -1, z, 1],
      [-1, 3, z, 1],
    ];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws: [{ clipPositions }] }, 1);
    expectPixels(image, () => (isDrawn ? [255, 255, 255, 255] : [0, 0, 0, 0]));
  });

  it.each([0, -1])('draws nothing of a triangle wholly at w = %i', async (w) => {
    const clipPositions: ClipPosition[] = [
      [-1, -1, 0, w],
      [3, -1, 0, w],
      [-1, 3, 0, w],
    ];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws: [{ clipPositions }] }, 1);
    expectPixels(image, () => [0, 0, 0, 0]);
  });

  it('draws nothing of a triangle with a corner at (0, 0, 0, 0), and all of the next', async () => {
    const whole: ClipPosition[] = [
      [-1, -1, 0, 1],
      [3, -1, 0, 1],
      [-1, 3, 0, 1],
    ];
    const broken: ClipPosition[] = [
      [0.5, -1, 0, 1],
      [0, 0, 0, 0],
      [1, 1, 0, 1],
    ];
    const scene = { widthPx: 16, heightPx: 16 };
    const alone = await drawScene({ ...scene, draws: [{ clipPositions: broken }] }, 1);
    expectPixels(alone, () => [0, 0, 0, 0]);
    const both = [{ clipPositions: [...broken, ...whole] }];
    const image = await drawScene({ ...scene, draws: both }, 1);
    expectPixels(image, () => [255, 255, 255, 255]);
  });

  it('draws no sample of a cut surface twice', async () => {
    const random = seededRandom(8);
    const corners = Array.from({ length: 13 * 13 }, (_, k): ClipPosition => {
      const x = ((k % 13) - 6 + random.between(-0.2, 0.2)) * 0.6;
      const depth = Math.floor(k / 13) - 4 + random.between(-0.2, 0.2);
      // A floor below the eye, from behind the eye to the horizon.
      return [x, -0.7, depth - 0.5, depth];
    });
    const indices: number[] = [];
    for (let row = 0; row < 12; row++) {
      for (let column = 0; column < 12; column++) {
        const a = row * 13 + column;
        indices.push(a, a + 1, a + 14, a, a + 14, a + 13);
      }
    }
    const step = [5 / 255, 5 / 255, 5 / 255, 5 / 255] as const;
    const add = { equation: 'add', source: 'one', destination: 'one' } as const;
    const blend = { isEnabled: true, color: add, alpha: add, constant: [0, 0, 0, 0] } as const;
    const image = await drawScene({
      widthPx: 256,
      heightPx: 256,
      draws: [
        {
          clipPositions: corners,
          indices: Uint16Array.from(indices),
          color: step,
          state: { blend },
        },
      ],
    });
    const values = new Set(image.rgba);
    expect([...values].sort((a, b) => a - b)).toEqual([0, 5]);
  });
});
