/**
 * gl_FragCoord is the center of the pixel with y up from the bottom of the target, the window
 * depth, and 1 / w.
 */
import type { RectPx } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { drawScene, ENCODE_BITS, type PixelPosition, rectangle } from '../scene/draw-scene.ts';

const show = (component: 'x' | 'y' | 'z' | 'w') => `#version 300 es
precision highp float;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(gl_FragCoord.${component}); }`;

const SIZES = [
  [16, 16],
  [1, 1],
  [63, 65],
  [130, 71],
] as const;

describe('gl_FragCoord', () => {
  it.each(SIZES)('x and y in a target of %i × %i', async (widthPx, heightPx) => {
    for (const component of ['x', 'y'] as const) {
      const positions = rectangle(0, 0, widthPx, heightPx);
      const draws = [{ positions, fragmentSource: show(component) }];
      const image = await drawScene({ widthPx, heightPx, draws }, 3);
      for (let y = 0; y < heightPx; y++) {
        for (let x = 0; x < widthPx; x++) {
          const wanted = component === 'x' ? x + 0.5 : heightPx - y - 0.5;
          if (image.float(x, y) !== wanted) {
            expect.fail(`(${x}, ${y}): ${component} ${image.float(x, y)}, not ${wanted}`);
          }
        }
      }
    }
  });

  it('does not depend on the viewport, the scissor or the bins', async () => {
    const viewport: RectPx = { x: 20, y: 30, width: 90, height: 60 };
    const scissor: RectPx = { x: 31, y: 33, width: 70, height: 50 };
    const positions = rectangle(0, 0, 130, 128);
    for (const binCount of [1, 4, 32]) {
      const draws = [{ positions, fragmentSource: show('y'), state: { viewport, scissor } }];
      const image = await drawScene({ widthPx: 130, heightPx: 128, draws }, 2, { binCount });
      expect(image.float(31, 33)).toBe(128 - 33.5);
      expect(image.float(100, 82)).toBe(128 - 82.5);
      expect(image.float(101, 82)).toBe(0);
    }
  });

  /** A surface in perspective: w from 1 at the left to 4 at the right, depth from 0.25 to 0.75. */
  const SLANTED: readonly PixelPosition[] = [
    [0, 0, 0.25, 1],
    [0, 64, 0.25, 1],
    [64, 64, 0.75, 4],
    [0, 0, 0.25, 1],
    [64, 64, 0.75, 4],
    [64, 0, 0.75, 4],
  ];

  it.each([
    { component: 'z', valueAt: (share: number) => 0.25 + 0.5 * share },
    { component: 'w', valueAt: (share: number) => 1 - 0.75 * share },
  ] as const)('$component is linear on the screen', async ({ component, valueAt }) => {
    const draws = [{ positions: SLANTED, fragmentSource: show(component) }];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    for (let y = 0; y < 64; y += 7) {
      for (let x = 0; x < 64; x++) {
        const wanted = valueAt((x + 0.5) / 64);
        expect(Math.abs(image.float(x, y) - wanted), `(${x}, ${y})`).toBeLessThan(2 ** -21);
      }
    }
  });

  it.each(['points', 'lines'] as const)('is the pixel’s of %s', async (topology) => {
    const positions: PixelPosition[] = [
      [10.3, 20.4],
      [40.3, 20.4],
    ];
    const vertexSource = `#version 300 es
in vec4 position;
void main() { gl_Position = position; gl_PointSize = 9.0; }`;
    const draws = [{ topology, positions, vertexSource, fragmentSource: show('x') }];
    const image = await drawScene({ widthPx: 64, heightPx: 64, draws });
    let seen = 0;
    for (let x = 0; x < 64; x++) {
      if (image.float(x, 20) === 0) continue;
      seen++;
      expect(image.float(x, 20)).toBe(x + 0.5);
    }
    expect(seen).toBeGreaterThan(8);
  });
});
