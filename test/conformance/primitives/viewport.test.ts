/**
 * The viewport transform x_w = p_x / 2 · x_d + o_x (GL ES 3.0, section 2.12.1), and clipping at the
 * viewport.
 */
import type { RectPx } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { type ClipPosition, drawScene, ENCODE_BITS } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const SIZE = { widthPx: 96, heightPx: 80 };

/** Returns two triangles `reach` times as large as the view volume. */
function square(reach: number): ClipPosition[] {
  const at = (x: number, y: number): ClipPosition => [x * reach, y * reach, 0, 1];
  return [at(-1, -1), at(1, -1), at(1, 1), at(-1, -1), at(1, 1), at(-1, 1)];
}

const VERTEX = `#version 300 es
in vec4 position;
out vec2 device;
void main() { gl_Position = position; device = position.xy; }`;
const show = (component: 'x' | 'y') => `#version 300 es
precision highp float;
in vec2 device;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(device.${component}); }`;

const VIEWPORTS: readonly RectPx[] = [
  { x: 0, y: 0, width: 96, height: 80 },
  { x: 16, y: 8, width: 32, height: 64 },
  { x: 5, y: 67, width: 31, height: 13 },
  { x: -32, y: -16, width: 64, height: 64 },
  { x: 64, y: 32, width: 64, height: 128 },
  { x: -1000, y: -2000, width: 4096, height: 8192 },
  { x: 63, y: 63, width: 2, height: 2 },
  { x: 40, y: 40, width: 1, height: 1 },
];

describe('viewport', () => {
  it.each(VIEWPORTS)(
    'at ($x, $y), $width × $height maps the view volume to itself',
    async (viewport) => {
      const { x, y, width, height } = viewport;
      for (const component of ['x', 'y'] as const) {
        const draws = [
          {
            clipPositions: square(1),
            vertexSource: VERTEX,
            fragmentSource: show(component),
            state: { viewport },
          },
        ];
        const image = await drawScene({ ...SIZE, draws });
        for (let py = 0; py < SIZE.heightPx; py++) {
          for (let px = 0; px < SIZE.widthPx; px++) {
            const isInside = px >= x && px < x + width && py >= y && py < y + height;
            const deviceX = ((px + 0.5 - x) / width) * 2 - 1;
            const deviceY = 1 - ((py + 0.5 - y) / height) * 2;
            const wanted = isInside ? (component === 'x' ? deviceX : deviceY) : 0;
            const error = Math.abs(image.float(px, py) - wanted);
            if (error > 2 ** -18) expect.fail(`(${px}, ${py}): ${component} off by ${error}`);
          }
        }
      }
    },
  );

  it.each(VIEWPORTS)(
    'at ($x, $y), $width × $height clips what is outside of it',
    async (viewport) => {
      const { x, y, width, height } = viewport;
      const draws = [{ clipPositions: square(1.5), state: { viewport } }];
      const image = await drawScene({ ...SIZE, draws });
      expectPixels(image, (px, py) => {
        const isInside = px >= x && px < x + width && py >= y && py < y + height;
        return isInside ? [255, 255, 255, 255] : [0, 0, 0, 0];
      });
    },
  );

  it.each([
    { x: 10, y: 10, width: 0, height: 20 },
    { x: 10, y: 10, width: 20, height: 0 },
    { x: 96, y: 0, width: 96, height: 80 },
    { x: 0, y: -80, width: 96, height: 80 },
  ])('at ($x, $y), $width × $height shows nothing', async (viewport) => {
    const draws = [{ clipPositions: square(1.5), state: { viewport } }];
    expectPixels(await drawScene({ ...SIZE, draws }), () => [0, 0, 0, 0]);
  });

  it('belongs to each draw', async () => {
    const halves = [0, 48].map((x) => ({ x, y: 0, width: 48, height: 80 }));
    const draws = [
      { clipPositions: square(1), color: [1, 0, 0, 1], state: { viewport: halves[0]! } },
      { clipPositions: square(1), color: [0, 1, 0, 1], state: { viewport: halves[1]! } },
    ] as const;
    const image = await drawScene({ ...SIZE, draws });
    expectPixels(image, (x) => (x < 48 ? [255, 0, 0, 255] : [0, 255, 0, 255]));
  });
});
