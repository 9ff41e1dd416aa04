import type { DepthState, Topology } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { pixelAt, rectangle, render, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 32, heightPx: 32, fineBinPx: 16 };
const GREEN = [0, 1, 0, 1] as const;

function depth(compare: DepthState['compare']): DepthState {
  return { isTestEnabled: true, isWriteEnabled: true, compare };
}

/** Returns primitives over pixel (10, 10) at device depth z. */
function primitive(topology: Topology, z: number): number[] {
  if (topology === 'triangles') return rectangle(TARGET, 2, 2, 30, 30, z, GREEN);
  const end = vertexAt(TARGET, 20.5, 10.5, z, GREEN);
  return [...vertexAt(TARGET, 10.5, 10.5, z, GREEN), ...(topology === 'lines' ? end : [])];
}

describe('clamped depth', () => {
  it.each(['triangles', 'lines', 'points'] as const)('draws %s beyond near and far', (topology) => {
    for (const z of [-3, 3]) {
      const vertices = primitive(topology, z);
      const isDrawn = (isDepthClamped: boolean) =>
        pixelAt(render([{ topology, vertices, state: { isDepthClamped } }], TARGET), 10, 10)[1] > 0;
      expect([isDrawn(true), isDrawn(false)]).toEqual([true, false]);
    }
  });

  it('is 0 in front of the near plane and 1 behind the far plane', () => {
    for (const [z, stored] of [
      [-3, -1],
      [3, 1],
    ] as const) {
      const image = render(
        [
          {
            vertices: rectangle(TARGET, 0, 0, 32, 32, z),
            state: { isDepthClamped: true, depth: depth('always') },
          },
          {
            vertices: rectangle(TARGET, 0, 0, 32, 32, stored, GREEN),
            state: { depth: depth('equal') },
          },
        ],
        TARGET,
      );
      expect(pixelAt(image, 10, 10)).toEqual([0, 255, 0, 255]);
    }
  });

  // Device depths −1 and 1 are window depths 0 and 1 of the second draw.
  it.each([
    ['early', 'smooth', [0.25, 0.75]],
    ['early', 'smooth', [0.75, 0.25]],
    ['late', 'depth-from-alpha', [0.25, 0.75]],
  ] as const)('stays in the depth range, %s, %s, %j', (_stage, fragment, depthRange) => {
    for (const [z, bound] of [
      [-3, depthRange[0]],
      [3, depthRange[1]],
    ] as const) {
      // The program that writes its depth writes alpha, which is outside of the range.
      const vertices = rectangle(TARGET, 0, 0, 32, 32, z, [1, 0, 0, z]);
      const image = render(
        [
          {
            vertices,
            fragment,
            state: { isDepthClamped: true, depthRange, depth: depth('always') },
          },
          {
            vertices: rectangle(TARGET, 0, 0, 32, 32, 2 * bound - 1, GREEN),
            state: { depth: depth('equal') },
          },
        ],
        TARGET,
      );
      expect(pixelAt(image, 10, 10)).toEqual([0, 255, 0, 255]);
    }
  });

  it('is compared where the plane is out of the range, with cycle timing too', () => {
    const clamped = {
      isDepthClamped: true,
      depthRange: [0.25, 0.75],
      depth: depth('less'),
    } as const;
    const slope = [
      ...vertexAt(TARGET, 0, 0, -4, GREEN),
      ...vertexAt(TARGET, 0, 64, 4, GREEN),
      ...vertexAt(TARGET, 64, 0, 4, GREEN),
    ];
    // Nearer than the clamped depth, though its plane is further away than that of the slope.
    const wall = rectangle(TARGET, 0, 0, 32, 32, 0.4);
    const draws = [
      { vertices: slope, state: clamped },
      { vertices: wall, state: { depth: depth('less') } },
    ];
    const image = render(draws, { ...TARGET, timing: 'cycle' });
    for (const [x, y] of [
      [2, 2],
      [16, 16],
      [30, 30],
    ] as const) {
      const plane = -4 + (8 * (x + y + 1)) / 64;
      const stored = Math.min(0.75, Math.max(0.25, 0.25 + (plane + 1) / 4));
      const isWall = 0.7 < stored;
      expect(pixelAt(image, x, y)).toEqual(isWall ? [255, 255, 255, 255] : [0, 255, 0, 255]);
    }
  });
});
