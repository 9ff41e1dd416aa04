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
});
