/**
 * The scissor test, left ≤ x < left + width and likewise for rows, on every kind of primitive (GL
 * ES 3.0, section 4.1.2).
 */
import type { RectPx, Topology } from '@tessera/frame';
import { describe, it } from 'vitest';
import { drawScene, type PixelPosition, rectangle } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const SIZE = { widthPx: 200, heightPx: 136 };
const WHOLE = rectangle(0, 0, SIZE.widthPx, SIZE.heightPx);

function contains({ x, y, width, height }: RectPx, px: number, py: number): boolean {
  return px >= x && px < x + width && py >= y && py < y + height;
}

describe('scissor', () => {
  it('lets everything through when it is off (control)', async () => {
    const draws = [{ positions: WHOLE, state: { scissor: null } }];
    expectPixels(await drawScene({ ...SIZE, draws }), () => [255, 255, 255, 255]);
  });

  it.each([
    [0, 0, 200, 136],
    [3, 5, 41, 37],
    [3, 5, 1, 1],
    [4, 6, 1, 2],
    [63, 63, 2, 2],
    [64, 64, 64, 64],
    [65, 1, 63, 62],
    [127, 127, 2, 9],
    [-5, -7, 20, 20],
    [190, 130, 50, 50],
    [-100, -100, 1000, 1000],
    [200, 0, 10, 10],
    [-10, 0, 10, 10],
    [50, 50, 0, 10],
    [50, 50, 10, 0],
    [199, 135, 1, 1],
  ])('at (%i, %i), %i × %i', async (x, y, width, height) => {
    const scissor = { x, y, width, height };
    const draws = [{ positions: WHOLE, state: { scissor } }];
    const image = await drawScene({ ...SIZE, draws }, 3);
    expectPixels(image, (px, py) =>
      contains(scissor, px, py) ? [255, 255, 255, 255] : [0, 0, 0, 0],
    );
  });

  it.each([
    { topology: 'points', positions: [[60, 60]] },
    {
      topology: 'lines',
      positions: [
        [2, 60.5],
        [190, 70.5],
      ],
    },
    {
      topology: 'triangles',
      positions: [
        [2, 2],
        [50, 130],
        [190, 60],
      ],
    },
  ] as { topology: Topology; positions: PixelPosition[] }[])(
    'takes nothing else away from $topology',
    async ({ topology, positions }) => {
      const vertexSource = `#version 300 es
in vec4 position;
void main() { gl_Position = position; gl_PointSize = 77.0; }`;
      const scissor = { x: 31, y: 33, width: 67, height: 51 };
      const draw = { topology, positions, vertexSource, state: { lineWidthPx: 5 } };
      const whole = await drawScene({ ...SIZE, draws: [draw] });
      const cut = await drawScene({
        ...SIZE,
        draws: [{ ...draw, state: { lineWidthPx: 5, scissor } }],
      });
      expectPixels(cut, (x, y) => (contains(scissor, x, y) ? whole.pixel(x, y) : [0, 0, 0, 0]));
    },
  );

  it('belongs to each draw', async () => {
    const left = { x: 0, y: 0, width: 70, height: 136 };
    const right = { x: 70, y: 0, width: 130, height: 136 };
    const draws = [
      { positions: WHOLE, color: [1, 0, 0, 1], state: { scissor: left } },
      { positions: WHOLE, color: [0, 1, 0, 1], state: { scissor: right } },
    ] as const;
    const image = await drawScene({ ...SIZE, draws });
    expectPixels(image, (x) => (x < 70 ? [255, 0, 0, 255] : [0, 255, 0, 255]));
  });
});
