/**
 * Triangles far larger than the target have the same image whether or not they are clipped at the
 * guard band.
 */

import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { type ClipPosition, drawScene } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { expectTriangles } from './clipped-triangles.ts';
import type { ClipTriangle } from './project-triangle.ts';

describe('guard band', () => {
  // Cells are 32 pixels wide, so the guard band is 1024 times the view volume.
  it.each([
    { seed: 1, reach: 100, what: 'inside the guard band (control)' },
    { seed: 2, reach: 2000, what: 'across the guard band' },
    { seed: 3, reach: 1e6, what: 'far outside of it' },
    { seed: 4, reach: 1e15, what: 'at coordinates without a fraction' },
  ])('draws triangles $what', async ({ seed, reach }) => {
    const random = seededRandom(seed);
    const triangles = Array.from({ length: 64 }, (): ClipTriangle => {
      // An edge passes through the middle of the cell, so that a part of the triangle is visible.
      const [x, y] = [random.between(-0.8, 0.8), random.between(-0.8, 0.8)];
      const [dx, dy] = [random.between(-1, 1), random.between(-1, 1)];
      const near = random.between(0.1, 1) * reach;
      return [
        [x + dx * near, y + dy * near, 0, 1],
        [x - dx, y - dy, 0, 1],
        [random.between(-reach, reach), random.between(-reach, reach), 0, 1],
      ];
    });
    const { inside, outside } = await expectTriangles(triangles, `seed ${seed}`);
    expect(Math.min(inside, outside)).toBeGreaterThan(2000);
  });

  it.each([1, 2, 3.5, 1023, 1024, 1025, 1e5, 1e10, 1e12])(
    'covers the whole target with one triangle %f times as large',
    async (reach) => {
      const clipPositions: ClipPosition[] = [
        [-reach, -reach, 0, 1],
        [3 * reach, -reach, 0, 1],
        [-reach, 3 * reach, 0, 1],
      ];
      const image = await drawScene({ widthPx: 32, heightPx: 32, draws: [{ clipPositions }] }, 1);
      expectPixels(image, () => [255, 255, 255, 255]);
    },
  );

  it.each([
    ['infinite', Number.POSITIVE_INFINITY],
    ['not a number', Number.NaN],
  ])(
    'draws nothing of a triangle with a coordinate that is %s, and all of the next',
    async (_, bad) => {
      const clipPositions: ClipPosition[] = [
        [-1, -1, 0, 1],
        [bad, -1, 0, 1],
        [-1, 3, 0, 1],
      ];
      const whole: ClipPosition[] = [
        [-1, -1, 0, 1],
        [1, -1, 0, 1],
        [-1, 1, 0, 1],
      ];
      const scene = { widthPx: 16, heightPx: 16 };
      const broken = await drawScene({ ...scene, draws: [{ clipPositions }] }, 1);
      expectPixels(broken, () => [0, 0, 0, 0]);
      const draws = [{ clipPositions: [...clipPositions, ...whole] }];
      const both = await drawScene({ ...scene, draws }, 1);
      const alone = await drawScene({ ...scene, draws: [{ clipPositions: whole }] }, 1);
      expect(both.rgba).toEqual(alone.rgba);
      expect(both.isLit(1, 14)).toBe(true);
    },
  );
});
