/** Clipping at the far plane, z ≤ w, matches an evaluation that does not clip. */

import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { type ClipPosition, drawScene } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { expectTriangles } from './clipped-triangles.ts';
import type { ClipTriangle } from './project-triangle.ts';

describe('far clip', () => {
  it.each([
    { seed: 1, far: 10, what: 'before the far plane (control)' },
    { seed: 2, far: 2, what: 'that cross the far plane' },
    { seed: 3, far: 1.2, what: 'that cross the far plane and lie behind it mostly' },
  ])('draws the visible part of triangles $what', async ({ seed, far }) => {
    const near = 0.5;
    const random = seededRandom(seed);
    const corner = (): ClipPosition => {
      const w = random.between(0.6, 4);
      const z = ((far + near) * w - 2 * far * near) / (far - near);
      return [random.between(-3, 3), random.between(-3, 3), z, w];
    };
    const triangles = Array.from(
      { length: 64 },
      (): ClipTriangle => [corner(), corner(), corner()],
    );
    const { inside, outside } = await expectTriangles(triangles, `seed ${seed}`);
    expect(Math.min(inside, outside)).toBeGreaterThan(1500);
  });

  it.each([
    { z: 1, isDrawn: true, what: 'on the plane' },
    { z: 1 - 2 ** -20, isDrawn: true, what: 'just before it' },
    { z: 1 + 2 ** -20, isDrawn: false, what: 'just behind it' },
  ])('a triangle $what is drawn: $isDrawn', async ({ z, isDrawn }) => {
    const clipPositions: ClipPosition[] = [
      [-1, -1, z, 1],
      [3, -1, z, 1],
      [-1, 3, z, 1],
    ];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws: [{ clipPositions }] }, 1);
    expectPixels(image, () => (isDrawn ? [255, 255, 255, 255] : [0, 0, 0, 0]));
  });

  it('cuts a triangle that reaches through both planes at both', async () => {
    // Depth runs from −3 at the left to 3 at the right, so the middle third of the target is
    // inside.
    const clipPositions: ClipPosition[] = [
      [-1, -1, -3, 1],
      [1, -1, 3, 1],
      [-1, 1, -3, 1],
      [1, 1, 3, 1],
    ];
    const draws = [{ topology: 'triangle-strip', clipPositions } as const];
    const image = await drawScene({ widthPx: 96, heightPx: 32, draws });
    expectPixels(image, (x) => (x >= 32 && x < 64 ? [255, 255, 255, 255] : [0, 0, 0, 0]));
  });
});
