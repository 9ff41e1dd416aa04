import { describe, expect, it } from 'vitest';
import { BoundingBox } from '../math/bounding-box.ts';
import type { Matrix4 } from '../math/matrix.ts';
import type { Vec3 } from '../math/vector.ts';
import { frameBox, frameCylinder } from './framing.ts';

function boxOf(min: Vec3, max: Vec3): BoundingBox {
  const box = new BoundingBox();
  box.addPoint(...min);
  box.addPoint(...max);
  return box;
}

function toDevice(matrix: Matrix4, [x, y, z]: Vec3): [number, number, number, number] {
  const clip = [0, 1, 2, 3].map(
    (row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row],
  );
  return [clip[0] / clip[3], clip[1] / clip[3], clip[2] / clip[3], clip[3]];
}

describe('frameBox', () => {
  it.each([
    { name: 'a cube', min: [-1, -1, -1], max: [1, 1, 1], aspect: 1 },
    { name: 'a tiny cube far out', min: [1000, 0, 0], max: [1000.01, 0.01, 0.01], aspect: 16 / 9 },
    { name: 'a wall', min: [-50, -1, 0], max: [50, 1, 0], aspect: 16 / 9 },
    { name: 'a tower', min: [0, 0, 0], max: [1, 100, 1], aspect: 0.5 },
    { name: 'a corridor', min: [0, 0, -300], max: [1, 1, 300], aspect: 2 },
  ] as { name: string; min: Vec3; max: Vec3; aspect: number }[])(
    'sees all of $name and fills the image with it',
    ({ min, max, aspect }) => {
      const box = boxOf(min, max);
      const { viewProjection, viewer } = frameBox(box, aspect);
      let extent = 0;
      for (const corner of box.corners()) {
        const [x, y, z, w] = toDevice(viewProjection, corner);
        expect(w).toBeGreaterThan(0);
        expect(Math.abs(z)).toBeLessThan(1);
        extent = Math.max(extent, Math.abs(x), Math.abs(y));
      }
      expect(extent).toBeLessThan(1);
      expect(extent).toBeGreaterThan(0.8);
      expect(viewer[3]).toBe(1);
    },
  );

  it('returns finite matrices for a model of one point', () => {
    const view = frameBox(boxOf([3, 3, 3], [3, 3, 3]), 1);
    expect(view.viewProjection.every(Number.isFinite)).toBe(true);
  });
});

describe('frameCylinder', () => {
  it.each([
    { name: 'a disk', radius: 5, bottom: -0.1, top: 0.1, aspect: 1 },
    { name: 'a pole', radius: 0.1, bottom: -7, top: 7, aspect: 16 / 9 },
    { name: 'a can below the point', radius: 1, bottom: -3, top: -1, aspect: 0.5 },
  ])('sees $name from all sides at one size, and fills the image', ({ aspect, ...reach }) => {
    const extents = [0, 37, 90, 211].map((azimuthDegrees) => {
      const orbit = { azimuthDegrees, elevationDegrees: 15, distanceFactor: 1 };
      const { viewProjection } = frameCylinder(reach, [3, 2, 1], aspect, { orbit });
      let extent = 0;
      for (let i = 0; i < 2000; i++) {
        const angle = (Math.PI * i) / 500;
        const y = i < 1000 ? reach.bottom : reach.top;
        const [x, z] = [Math.cos(angle) * reach.radius, Math.sin(angle) * reach.radius];
        const [dx, dy, dz, w] = toDevice(viewProjection, [3 + x, 2 + y, 1 + z]);
        expect(w).toBeGreaterThan(0);
        expect(Math.abs(dz)).toBeLessThan(1);
        extent = Math.max(extent, Math.abs(dx), Math.abs(dy));
      }
      return extent;
    });
    for (const extent of extents) {
      expect(extent).toBeLessThan(1);
      expect(extent).toBeGreaterThan(0.9);
      expect(extent).toBeCloseTo(extents[0]!, 2);
    }
  });
});
