import type { DepthState, PolygonMode, PolygonModeState } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type HarnessDraw,
  pixelAt,
  rectangle,
  render,
  vertexAt,
} from '../testing/chiplet-harness.ts';

const TARGET = { widthPx: 64, heightPx: 48, fineBinPx: 16 };
const LESS: DepthState = { isTestEnabled: true, isWriteEnabled: true, compare: 'less' };
const WHITE = [1, 1, 1, 1] as const;
const GREEN = [0, 1, 0, 1] as const;

type Corner = readonly [x: number, y: number];
type Triangle = readonly [Corner, Corner, Corner];

const corner = fc.tuple(fc.integer({ min: 2, max: 61 }), fc.integer({ min: 2, max: 45 }));
const triangle = fc
  .tuple(corner, corner, corner, fc.integer({ min: 0, max: 7 }))
  .filter(([a, b, c]) => turn([a, b, c]) !== 0);

function modes(front: PolygonMode, back: PolygonMode): PolygonModeState {
  return { front, back, isLineOffset: false, isPointOffset: false };
}

/** Returns a positive number for corners that turn clockwise on the screen. */
function turn([a, b, c]: Triangle): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
}

function vertices(corners: readonly Corner[], color: readonly [number, number, number, number]) {
  return corners.flatMap(([x, y]) => vertexAt(TARGET, x + 0.5, y + 0.5, 0, color));
}

/** Returns the draw of one triangle in a mode, as primitives of that mode. */
function drawAs(corners: Triangle, flags: number, mode: PolygonMode): HarnessDraw {
  if (mode === 'fill') return { vertices: vertices(corners, WHITE) };
  const drawn = (mode === 'line' ? [2, 0, 1] : [0, 1, 2]).filter((i) => (flags >> i) & 1);
  return mode === 'line'
    ? {
        topology: 'lines',
        vertices: vertices(
          drawn.flatMap((i) => [corners[i]!, corners[(i + 1) % 3]!]),
          WHITE,
        ),
      }
    : {
        topology: 'points',
        vertices: vertices(
          drawn.map((i) => corners[i]!),
          WHITE,
        ),
      };
}

describe('polygon mode', () => {
  it('draws each triangle in the way of its facing, with the edges that are flagged', () => {
    const mode = fc.constantFrom<PolygonMode>('fill', 'line', 'point');
    const list = fc.array(triangle, { minLength: 1, maxLength: 5 });
    const cull = fc.constantFrom('none', 'front', 'back');
    fc.assert(
      fc.property(list, mode, mode, cull, (triangles, front, back, cullMode) => {
        const made = render(
          [
            {
              vertices: triangles.flatMap(([a, b, c]) => vertices([a, b, c], WHITE)),
              edgeFlags: triangles.map(([, , , flags]) => flags),
              state: { cullMode, polygonMode: modes(front, back) },
            },
          ],
          TARGET,
        );
        const expected = triangles.flatMap(([a, b, c, flags]) => {
          const isFront = turn([a, b, c]) < 0;
          if (cullMode === (isFront ? 'front' : 'back')) return [];
          return [drawAs([a, b, c], flags, isFront ? front : back)];
        });
        expect(Buffer.compare(made.rgba, render(expected, TARGET).rgba)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it('takes the facing of a triangle that is partly behind the eye from its visible part', () => {
    // In clip coordinates the third corner is behind the eye, so the visible part is unbounded.
    const behind = [0, -2, 0, -1, ...WHITE];
    const corners = [vertexAt(TARGET, 40, 30, 0), vertexAt(TARGET, 20, 30, 0), behind].flat();
    const count = (polygonMode: PolygonModeState | undefined, cullMode: 'front' | 'back') =>
      render([{ vertices: corners, state: { polygonMode, cullMode } }], TARGET).rgba.filter(
        (value) => value > 0,
      ).length;
    const culled = (['front', 'back'] as const).find((face) => count(undefined, face) === 0)!;
    const kept = culled === 'front' ? 'back' : 'front';
    expect(count(undefined, kept)).toBeGreaterThan(0);
    expect(count(modes('line', 'line'), culled)).toBe(0);
    expect(count(modes('line', 'line'), kept)).toBeGreaterThan(0);
  });

  it.each([
    ['last', 2],
    ['first', 0],
  ] as const)('takes flat colors of lines and points from the %s corner', (provoking, index) => {
    const corners = [
      [50, 40],
      [5, 40],
      [5, 5],
    ] as const;
    for (const mode of ['line', 'point'] as const) {
      for (const [green, [x, y]] of corners.entries()) {
        const draw: HarnessDraw = {
          vertices: corners.flatMap((corner, i) => vertices([corner], i === green ? GREEN : WHITE)),
          fragment: 'flat',
          state: { polygonMode: modes(mode, mode), provokingVertex: provoking },
        };
        const expected = green === index ? [0, 255, 0, 255] : [255, 255, 255, 255];
        expect(pixelAt(render([draw], TARGET), x, y)).toEqual(expected);
      }
    }
  });

  it('offsets the depth of lines and points by the slope of the triangle', () => {
    // Window depth rises by 1/64 per pixel along x, from 0 at the left edge.
    const at = (x: number, y: number) => vertexAt(TARGET, x, y, (2 * x) / 64 - 1, GREEN);
    const sloped = [...at(10.5, 10.5), ...at(10.5, 30.5), ...at(40.5, 30.5)];
    const isDrawn = (mode: 'line' | 'point', factor: number, isOffset: boolean, z: number) => {
      const image = render(
        [
          { vertices: rectangle(TARGET, 0, 0, 64, 48, z), state: { depth: LESS } },
          {
            vertices: sloped,
            state: {
              depth: LESS,
              polygonOffset: { isEnabled: !isOffset, factor, units: 0 },
              polygonMode: {
                ...{ front: mode, back: mode },
                isLineOffset: isOffset && mode === 'line',
                isPointOffset: isOffset && mode === 'point',
              },
            },
          },
        ],
        TARGET,
      );
      return pixelAt(image, 10, 10)[0] === 0;
    };
    // The corner at x = 10.5 has depth 10.5/64. An offset of 3 slopes makes that 13.5/64.
    const device = (depth: number) => (2 * depth) / 64 - 1;
    for (const mode of ['line', 'point'] as const) {
      expect(isDrawn(mode, 3, false, device(11))).toBe(true);
      expect(isDrawn(mode, 3, true, device(13))).toBe(false);
      expect(isDrawn(mode, 3, true, device(14))).toBe(true);
    }
  });
});
