import type { PipelineState } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pixelAt, rectangle, render, VERTEX_FLOATS, vertexAt } from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 64, heightPx: 48, fineBinPx: 16 };
const DEPTH = {
  depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
} as const satisfies Partial<PipelineState>;

// Multiples of 1/64, so that the same triangle in other coordinates has no other rounding.
const grid = (min: number, max: number) =>
  fc.integer({ min: 64 * min, max: 64 * max }).map((n) => n / 64);
const vertex = fc
  .tuple(grid(-2, 2), grid(-2, 2), grid(-2, 2), fc.constantFrom(0.5, 1, 2), grid(0, 1))
  .map(([x, y, z, w, red]) => [x, y, z, w, red, 1 - red, 0.5, 1]);
const triangles = fc
  .array(fc.tuple(vertex, vertex, vertex), { minLength: 1, maxLength: 5 })
  .map((list) => list.flat(2));

/** Returns the vertices with other clip coordinates. */
function change(
  vertices: readonly number[],
  toClip: (position: readonly number[]) => readonly number[],
): number[] {
  const count = vertices.length / VERTEX_FLOATS;
  return Array.from({ length: count }, (_, i) => {
    const at = i * VERTEX_FLOATS;
    return [...toClip(vertices.slice(at, at + 4)), ...vertices.slice(at + 4, at + VERTEX_FLOATS)];
  }).flat();
}

describe('clip control', () => {
  it('with depth from zero draws what z from −w draws', () => {
    fc.assert(
      fc.property(triangles, (vertices) => {
        const fromZero = render(
          [{ vertices, state: { ...DEPTH, clipDepth: 'zero-to-one' } }],
          TARGET,
        );
        const doubled = change(vertices, ([x, y, z, w]) => [x!, y!, 2 * z! - w!, w!]);
        const usual = render([{ vertices: doubled, state: DEPTH }], TARGET);
        expect(Buffer.compare(fromZero.rgba, usual.rgba)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('with an upper left origin draws the mirrored image, with the winding on the screen', () => {
    fc.assert(
      fc.property(triangles, fc.constantFrom('front', 'back'), (vertices, cullMode) => {
        const state = { ...DEPTH, cullMode } as const;
        const upper = render([{ vertices, state: { ...state, clipOrigin: 'upper-left' } }], TARGET);
        const mirrored = change(vertices, ([x, y, z, w]) => [x!, -y!, z!, w!]);
        const usual = render([{ vertices: mirrored, state }], TARGET);
        expect(Buffer.compare(upper.rgba, usual.rgba)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('with depth from zero clips lines and points at z = 0', () => {
    const isDrawn = (topology: 'lines' | 'points', z: number) => {
      const end = topology === 'lines' ? vertexAt(TARGET, 20.5, 10.5, z) : [];
      const vertices = [...vertexAt(TARGET, 10.5, 10.5, z), ...end];
      const draw = { topology, vertices, state: { clipDepth: 'zero-to-one' } } as const;
      return pixelAt(render([draw], TARGET), 10, 10)[0] === 255;
    };
    for (const topology of ['lines', 'points'] as const) {
      expect([-0.5, 0.5, 1.5].map((z) => isDrawn(topology, z))).toEqual([false, true, false]);
    }
  });
});

describe('a polygon offset', () => {
  // The wall is drawn over the slope where the offset of the slope moves it behind the wall.
  it.each([
    [0, 0.5],
    [0.25, 0.25],
    [-0.25, 0.5],
  ])('with clamp %d is at most %d of the depth range', (polygonOffsetClamp, offset) => {
    const units = 0.5 * 2 ** 24;
    for (const [wall, isShown] of [
      [0.25 + offset - 0.01, true],
      [0.25 + offset + 0.01, false],
    ] as const) {
      const image = render(
        [
          {
            vertices: rectangle(TARGET, 0, 0, 64, 48, -0.5, [0, 1, 0, 1]),
            state: {
              ...DEPTH,
              polygonOffset: { isEnabled: true, factor: 0, units },
              polygonOffsetClamp,
            },
          },
          { vertices: rectangle(TARGET, 0, 0, 64, 48, 2 * wall - 1), state: DEPTH },
        ],
        TARGET,
      );
      expect(pixelAt(image, 10, 10)[0]).toBe(isShown ? 255 : 0);
    }
  });
});
