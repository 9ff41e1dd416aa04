/** Targets and numbers of bins at the limits: every pixel comes from exactly one bin. */
import { describe, expect, it } from 'vitest';
import { drawScene, rectangle, type SceneDraw } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';

const ADD = { equation: 'add', source: 'one', destination: 'one' } as const;
const BLEND = { isEnabled: true, color: ADD, alpha: ADD, constant: [0, 0, 0, 0] } as const;
/** Colors by position: a pixel in the wrong bin or drawn twice has a different color. */
const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
out vec4 result;
uniform int heightPx;
void main() {
  ivec2 pixel = ivec2(int(gl_FragCoord.x), heightPx - 1 - int(gl_FragCoord.y));
  result = vec4(pixel.x & 127, pixel.y & 127, (pixel.x >> 7) * 9 + (pixel.y >> 7) & 127, 127) / 255.0;
}`;

function cover(widthPx: number, heightPx: number): SceneDraw {
  return {
    positions: rectangle(0, 0, widthPx, heightPx),
    fragmentSource: FRAGMENT,
    uniforms: { heightPx: [heightPx] },
    state: { blend: BLEND },
  };
}

describe('coarse bins', () => {
  it.each([
    { widthPx: 64, heightPx: 64, binCount: 1 },
    { widthPx: 1, heightPx: 1, binCount: 1 },
    { widthPx: 1, heightPx: 1, binCount: 1024 },
    { widthPx: 2, heightPx: 1, binCount: 2 },
    { widthPx: 63, heightPx: 65, binCount: 32 },
    { widthPx: 65, heightPx: 63, binCount: 4 },
    { widthPx: 64, heightPx: 129, binCount: 3 },
    { widthPx: 127, heightPx: 3, binCount: 7 },
    { widthPx: 200, heightPx: 200, binCount: 13 },
    { widthPx: 321, heightPx: 199, binCount: 1024 },
    { widthPx: 8192, heightPx: 1, binCount: 32 },
    { widthPx: 8192, heightPx: 1, binCount: 1024 },
    { widthPx: 1, heightPx: 8192, binCount: 32 },
    { widthPx: 3, heightPx: 8191, binCount: 1 },
  ])('$binCount of $widthPx × $heightPx', async ({ widthPx, heightPx, binCount }) => {
    const draws = [cover(widthPx, heightPx)];
    const image = await drawScene({ widthPx, heightPx, draws }, 3, { binCount });
    expectPixels(image, (x, y) => [x & 127, y & 127, ((x >> 7) * 9 + (y >> 7)) & 127, 127]);
    const { bins } = image.report;
    expect(bins.reduce((sum, bin) => sum + bin.width * bin.height, 0)).toBe(widthPx * heightPx);
    expect(bins.reduce((sum, bin) => sum + bin.fragments, 0)).toBe(widthPx * heightPx);
    expect(bins.length).toBeLessThanOrEqual(Math.ceil(widthPx / 64) * Math.ceil(heightPx / 64));
  });

  it.each([0, 1025, 2.5])('refuses %f bins', async (binCount) => {
    const render = drawScene({ widthPx: 64, heightPx: 64, draws: [] }, 1, { binCount });
    await expect(render).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });

  it.each([
    [0, 64],
    [64, 16_385],
    [64, 1.5],
  ])('refuses a target of %f × %f', async (widthPx, heightPx) => {
    const render = drawScene({ widthPx, heightPx, draws: [] }, 1);
    await expect(render).rejects.toMatchObject({ code: 'FRAME_INVALID' });
  });

  it('without draws hold the clear color, rounded and clamped', async () => {
    const clear = { color: [0.5, 2, -1, 0.1] } as const;
    const image = await drawScene({ widthPx: 65, heightPx: 65, clear, draws: [] }, 2);
    expectPixels(image, () => [127.5, 255, 0, 25.5], 0.5);
  });
});
