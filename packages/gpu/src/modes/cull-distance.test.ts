import type { Topology } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { pixelAt, rectangle, render, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 48, heightPx: 48, fineBinPx: 16, columns: 3, rows: 3 };
const LESS = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } as const;
const CORNERS = [
  [4.5, 20.5],
  [40.5, 20.5],
  [20.5, 40.5],
] as const;

/** Returns the red of a pixel inside of a primitive whose vertices have these alphas. */
function redOf(topology: Topology, alphas: readonly number[]): number {
  const vertices = alphas.flatMap((alpha, corner) => {
    const [x, y] = CORNERS[corner]!;
    return vertexAt(TARGET, x, y, 0, [1, 0, 0, alpha]);
  });
  const image = render([{ topology, vertices, isCulledByAlpha: true }], TARGET);
  return pixelAt(image, topology === 'points' ? 4 : 20, topology === 'triangles' ? 30 : 20)[0]!;
}

describe('a negative cull distance', () => {
  it.each([
    ['triangles', [0, 0, 0], 0],
    ['triangles', [0, 1, 0], 255],
    ['triangles', [1, 1, 1], 255],
    ['lines', [0, 0], 0],
    ['lines', [0, 1], 255],
    ['points', [0], 0],
    ['points', [1], 255],
  ] as const)('of %s with alphas %j leaves red %i', (topology, alphas, red) => {
    expect(redOf(topology, alphas)).toBe(red);
  });

  it('keeps a primitive from hiding others', () => {
    const behind = rectangle(TARGET, 0, 0, 48, 48, 0.5, [0, 1, 0, 1]);
    for (const alpha of [0, 1]) {
      const front = rectangle(TARGET, 0, 0, 48, 48, -0.5, [1, 0, 0, alpha]);
      const draws = [
        { vertices: front, isCulledByAlpha: true, state: { depth: LESS } },
        { vertices: behind, state: { depth: LESS } },
      ];
      const { rgba, visibility } = render(draws, TARGET);
      expect([...rgba.subarray(0, 2)]).toEqual(alpha === 0 ? [0, 255] : [255, 0]);
      expect(visibility.summary.counters['visibility.primitivesOutsideView']).toBe(
        alpha === 0 ? 2 : 0,
      );
    }
  });

  it('drops the outlines of polygons', () => {
    const polygonMode = {
      front: 'line',
      back: 'line',
      isLineOffset: false,
      isPointOffset: false,
    } as const;
    const draw = (alpha: number) =>
      render(
        [
          {
            vertices: CORNERS.flatMap(([x, y]) => vertexAt(TARGET, x, y, 0, [1, 0, 0, alpha])),
            isCulledByAlpha: true,
            state: { polygonMode },
          },
        ],
        TARGET,
      ).rgba.some((channel) => channel > 0);
    expect([draw(0), draw(1)]).toEqual([false, true]);
  });
});
