/**
 * Wrap modes of both coordinates (GL ES 3.0, table 3.19), with nearest filters and at the seams of
 * linear filters.
 */
import { describe, it } from 'vitest';
import { drawScene, makeTexture, type Rgba } from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { distanceToTexelBorder, sampleLevel, wrapTexel } from './sample-texture.ts';
import {
  type CoordinateRange,
  coordinateAt,
  decodeLevel,
  NEAREST,
  randomLevel,
  texturedQuad,
} from './textured-quad.ts';

/** Wrap modes without a border. */
const WRAP_MODES = ['repeat', 'clamp-to-edge', 'mirrored-repeat', 'mirror-clamp-to-edge'] as const;
type WrapMode = (typeof WRAP_MODES)[number];
const MODES = WRAP_MODES.flatMap((wrapS) => WRAP_MODES.map((wrapT) => ({ wrapS, wrapT })));

async function expectWrapped(
  wrapS: WrapMode,
  wrapT: WrapMode,
  filter: 'nearest' | 'linear',
  [widthPx, heightPx]: readonly [number, number],
  range: CoordinateRange,
): Promise<void> {
  const level = randomLevel(7, widthPx, heightPx);
  const format = 'rgba8unorm';
  const textures = [
    makeTexture({ format, widthPx, heightPx, levels: [level], isMipmapGenerated: false }),
  ];
  const oracle = decodeLevel(format, widthPx, heightPx, level);
  const sizePx = 96;
  const area = { x: 0, y: 0, width: sizePx, height: sizePx };
  const state = { ...NEAREST, wrapS, wrapT, magFilter: filter, minFilter: filter };
  const draws = [texturedQuad(area, range, state)];
  const image = await drawScene({ widthPx: sizePx, heightPx: sizePx, textures, draws });
  expectPixels(
    image,
    (x, y) => {
      const s = coordinateAt(range.s, x, sizePx);
      const t = coordinateAt(range.t, y, sizePx);
      const border = Math.min(
        distanceToTexelBorder(s, widthPx),
        distanceToTexelBorder(t, heightPx),
      );
      if (filter === 'nearest' && border < 1e-3) return null;
      const color = sampleLevel(oracle, filter, wrapS, wrapT, s, t);
      return color.map((value) => value * 255) as unknown as Rgba;
    },
    0.5 + 0.05,
    'seed 7',
  );
}

const INSIDE: CoordinateRange = { s: [0.01, 0.99], t: [0.02, 0.97] };
const ACROSS: CoordinateRange = { s: [-2.31, 3.43], t: [2.57, -3.19] };

describe('texture wrap', () => {
  it('does not matter inside of the texture (control)', async () => {
    for (const { wrapS, wrapT } of MODES)
      await expectWrapped(wrapS, wrapT, 'nearest', [8, 4], INSIDE);
  });

  it.each(MODES)('$wrapS in s, $wrapT in t', async ({ wrapS, wrapT }) => {
    await expectWrapped(wrapS, wrapT, 'nearest', [8, 4], ACROSS);
    await expectWrapped(wrapS, wrapT, 'linear', [8, 4], ACROSS);
    await expectWrapped(wrapS, wrapT, 'linear', [5, 3], ACROSS);
  });

  it.each(WRAP_MODES)('%s of a texture of one texel', async (mode) => {
    await expectWrapped(mode, mode, 'linear', [1, 1], ACROSS);
  });

  it.each(WRAP_MODES)('%s at coordinates far away and at exact borders', async (mode) => {
    const widthPx = 4;
    const level = Uint8Array.from([10, 20, 30, 40].flatMap((gray) => [gray, gray, gray, 255]));
    const textures = [
      makeTexture({
        format: 'rgba8unorm',
        widthPx,
        heightPx: 1,
        levels: [level],
        isMipmapGenerated: false,
      }),
    ];
    // All have exact products with 4, so that the texel does not depend on rounding.
    const coordinates = [-1001.125, -2, -1.25, -0.25, 0, 0.25, 0.75, 1, 1.25, 2, 2.75, 4097.5];
    const state = { ...NEAREST, wrapS: mode };
    const range: CoordinateRange = { s: [0, 1], t: [0, 1] };
    const draws = coordinates.map((_, x) => {
      const area = { x, y: 0, width: 1, height: 1 };
      return texturedQuad(area, range, state, 'texture(image, vec2(level, 0.5))', coordinates[x]!);
    });
    const image = await drawScene({ widthPx: 12, heightPx: 1, textures, draws }, 1);
    expectPixels(image, (x) => {
      // The mode that mirrors once takes the absolute value before it selects the texel.
      const isMirrored = mode === 'mirror-clamp-to-edge';
      const u = (isMirrored ? Math.abs(coordinates[x]!) : coordinates[x]!) * widthPx;
      const gray = 10 * (1 + wrapTexel(mode, Math.floor(u), widthPx));
      return [gray, gray, gray, 255];
    });
  });
});
