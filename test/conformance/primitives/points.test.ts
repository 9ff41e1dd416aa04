/**
 * Points (GL ES 3.0, section 3.4) cover the samples inside a square of gl_PointSize, with
 * gl_PointCoord inside it.
 */

import { seededRandom } from '@tessera/scenes/seeded-random';
import { describe, expect, it } from 'vitest';
import { drawScene, ENCODE_BITS, type PixelPosition, type SceneDraw } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const VERTEX = `#version 300 es
in vec4 position;
in float size;
void main() { gl_Position = position; gl_PointSize = size; }`;

const show = (component: 's' | 't') => `#version 300 es
precision highp float;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(gl_PointCoord.${component}); }`;

function point(position: PixelPosition, size: number): SceneDraw {
  return {
    topology: 'points',
    positions: [position],
    vertexSource: VERTEX,
    attributes: { size: { kind: 'constant', value: [size, 0, 0, 1] } },
  };
}

/**
 * Returns whether the square around (cx, cy) contains the center of pixel (x, y), with left and top
 * edge inside.
 */
function isInSquare(cx: number, cy: number, size: number, x: number, y: number): boolean {
  const [dx, dy] = [x + 0.5 - cx + size / 2, y + 0.5 - cy + size / 2];
  return dx >= 0 && dx < size && dy >= 0 && dy < size;
}

describe('points', () => {
  it('of one pixel at a center lights that pixel (control)', async () => {
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws: [point([5.5, 9.5], 1)] });
    expectPixels(image, (x, y) => (x === 5 && y === 9 ? [255, 255, 255, 255] : [0, 0, 0, 0]));
  });

  it.each([1, 1.5, 2, 2.25, 3, 4.5, 7, 20, 63.5, 64])('of size %f', async (size) => {
    const random = seededRandom(size * 4);
    for (let k = 0; k < 4; k++) {
      const [cx, cy] = [random.integer(0, 128 * 256) / 256, random.integer(0, 128 * 256) / 256];
      const image = await drawScene({
        widthPx: 128,
        heightPx: 128,
        draws: [point([cx, cy], size)],
      });
      expectPixels(
        image,
        (x, y) => (isInSquare(cx, cy, size, x, y) ? [255, 255, 255, 255] : [0, 0, 0, 0]),
        0,
        `seed ${size * 4}, center (${cx}, ${cy})`,
      );
    }
  });

  it.each([
    { size: 0, drawn: 1 },
    { size: 0.25, drawn: 1 },
    { size: -7, drawn: 1 },
    { size: 1024, drawn: 1024 },
    { size: 5000, drawn: 1024 },
  ])('of size $size is clamped to $drawn', async ({ size, drawn }) => {
    const image = await drawScene({
      widthPx: 1200,
      heightPx: 8,
      draws: [point([600.5, 4.5], size)],
    });
    let lit = 0;
    for (let x = 0; x < 1200; x++) if (image.isLit(x, 4)) lit++;
    expect(lit).toBe(drawn);
  });

  it.each([
    { position: [0.5, 8], isDrawn: true },
    { position: [0, 8], isDrawn: true },
    { position: [-0.25, 8], isDrawn: false },
    { position: [16, 8], isDrawn: true },
    { position: [16.25, 8], isDrawn: false },
    { position: [8, 0], isDrawn: true },
    { position: [8, -0.25], isDrawn: false },
    { position: [8, 16.25], isDrawn: false },
    { position: [8, 8, 0], isDrawn: true },
    { position: [8, 8, -0.001], isDrawn: false },
    { position: [8, 8, 1], isDrawn: true },
    { position: [8, 8, 1.001], isDrawn: false },
    { position: [8, 8, 0.5, -1], isDrawn: false },
  ] as { position: PixelPosition; isDrawn: boolean }[])(
    'at $position is clipped by its center; drawn: $isDrawn',
    async ({ position, isDrawn }) => {
      const draws = [point(position, 12)];
      const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
      expect([...image.rgba].some((byte) => byte > 0)).toBe(isDrawn);
    },
  );

  it.each([
    { position: [-0.25, 8], isDrawn: true },
    { position: [16.25, 8], isDrawn: true },
    { position: [8, -5.25], isDrawn: true },
    { position: [8, 22.25], isDrawn: false },
    { position: [-1e6, 8], isDrawn: false },
    { position: [8, 8, 1.001], isDrawn: false },
    { position: [8, 8, 0.5, -1], isDrawn: false },
  ] as { position: PixelPosition; isDrawn: boolean }[])(
    'at $position is clipped by its depth alone; drawn: $isDrawn',
    async ({ position, isDrawn }) => {
      const draws = [{ ...point(position, 12), state: { pointClip: 'depth' } as const }];
      const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
      expect([...image.rgba].some((byte) => byte > 0)).toBe(isDrawn);
    },
  );

  it('reaches over the viewport that its center is in', async () => {
    // Pixel positions map to the whole target; this viewport halves them.
    const viewport = { x: 0, y: 0, width: 32, height: 32 };
    const draws = [{ ...point([60, 32], 10), state: { viewport } }];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    expectPixels(image, (x, y) =>
      isInSquare(30, 16, 10, x, y) ? [255, 255, 255, 255] : [0, 0, 0, 0],
    );
  });

  it.each([
    { component: 's', cx: 20.25, cy: 30.5, size: 16 },
    { component: 't', cx: 20.25, cy: 30.5, size: 16 },
    { component: 's', cx: 31.125, cy: 33, size: 21.5 },
    { component: 't', cx: 31.125, cy: 33, size: 21.5 },
  ] as const)('gl_PointCoord.$component of size $size', async (testCase) => {
    const { component, cx, cy, size } = testCase;
    const draws = [{ ...point([cx, cy], size), fragmentSource: show(component) }];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    for (let y = 0; y < 64; y++) {
      for (let x = 0; x < 64; x++) {
        if (!isInSquare(cx, cy, size, x, y)) continue;
        // From the top left corner to the bottom right one.
        const wanted = 0.5 + (component === 's' ? x + 0.5 - cx : y + 0.5 - cy) / size;
        expect(Math.abs(image.float(x, y) - wanted), `(${x}, ${y})`).toBeLessThan(2 ** -16);
      }
    }
  });

  it('has its vertex’s varyings throughout', async () => {
    const draws: SceneDraw[] = [
      {
        topology: 'points',
        positions: [
          [20, 20, 0.5, 3],
          [44, 44],
        ],
        colors: [
          [0.2, 0.4, 0.6, 0.8],
          [1, 0, 0, 1],
        ],
        vertexSource: `#version 300 es
in vec4 position;
in vec4 color;
out vec4 shade;
void main() { gl_Position = position; gl_PointSize = 10.0; shade = color; }`,
      },
    ];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    expectPixels(image, (x, y) => {
      if (isInSquare(20, 20, 10, x, y)) return [51, 102, 153, 204];
      return isInSquare(44, 44, 10, x, y) ? [255, 0, 0, 255] : [0, 0, 0, 0];
    });
  });
});
