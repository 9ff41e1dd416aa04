import { describe, expect, it } from 'vitest';
import { normalizeVec3, type Vec3 } from '../../math/vector.ts';
import type { SceneCamera } from '../plain-draw.ts';
import { CASCADE_COUNT, makeCascades } from './shadow-cascades.ts';

const CAMERA: SceneCamera = {
  eye: [3, 20, 50],
  target: [3, 20, -10], // along -z
  tanHalfFovY: 0.5,
  near: 1,
  far: 1000,
};
const ASPECT = 16 / 9;
const TO_SUN = normalizeVec3([0.4, 0.7, 0.2]);
const REACH = 400;
const CASCADES = makeCascades(CAMERA, ASPECT, TO_SUN, REACH, 800);

/** Returns the point of the view at a distance; x and y from −1 to 1. */
function viewPoint(x: number, y: number, distance: number): Vec3 {
  const half = distance * CAMERA.tanHalfFovY;
  return [3 + x * half * ASPECT, 20 + y * half, 50 - distance];
}

function project(matrix: readonly number[], [x, y, z]: Vec3): number[] {
  return [0, 1, 2].map(
    (r) => matrix[r] * x + matrix[4 + r] * y + matrix[8 + r] * z + matrix[12 + r],
  );
}

describe('shadow cascades', () => {
  it('divide the view up to the reach, each longer than the previous one', () => {
    const ends = CASCADES.map(({ end }) => end);
    expect(ends).toHaveLength(CASCADE_COUNT);
    expect(ends.at(-1)).toBeCloseTo(REACH);
    const lengths = ends.map((end, i) => end - (ends[i - 1] ?? CAMERA.near));
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
  });

  it('show every point of their part of the view', () => {
    CASCADES.forEach(({ end, worldToClip }, i) => {
      const start = i === 0 ? CAMERA.near : CASCADES[i - 1].end;
      for (const distance of [start, (start + end) / 2, end]) {
        for (const x of [-1, 0, 1]) {
          for (const y of [-1, 0, 1]) {
            for (const coordinate of project(worldToClip, viewPoint(x, y, distance))) {
              expect(Math.abs(coordinate)).toBeLessThanOrEqual(1 + 1e-6);
            }
          }
        }
      }
    });
  });

  it('reach what lies between their part of the view and the sun, and nothing far aside', () => {
    CASCADES.forEach(({ end, reaches }, i) => {
      const start = i === 0 ? CAMERA.near : CASCADES[i - 1].end;
      const seen = viewPoint(0.9, -0.9, (start + end) / 2);
      const towards = (distance: number): Vec3 => [
        seen[0] + distance * TO_SUN[0],
        seen[1] + distance * TO_SUN[1],
        seen[2] + distance * TO_SUN[2],
      ];
      for (const distance of [0, 30, 300]) {
        expect(reaches({ center: towards(distance), radius: 0.1 })).toBe(true);
      }
      expect(reaches({ center: [seen[0] + 10 * end, seen[1], seen[2]], radius: 1 })).toBe(false);
      expect(reaches({ center: towards(-10 * end - 10), radius: 1 })).toBe(false);
    });
  });
});
