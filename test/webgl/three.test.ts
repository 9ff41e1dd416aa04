/**
 * WebGL examples on Tessera: images are equal for any number of chiplets, and equal to Debian's
 * Chromium with SwiftShader except along outlines (if Chromium is installed).
 */
import { join } from 'node:path';
import { compareImages } from '@tessera/experiments/image-comparison';
import type { Image } from '@tessera/frame';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChromiumImages,
  findChromium,
  startChromiumImages,
} from '../../scripts/webgl/chromium-images.ts';
import { renderExample } from '../../scripts/webgl/render-example.ts';

const EXAMPLES = join(import.meta.dirname, '../../packages/webgl/examples');
/**
 * Examples under test. `npm run webgl:compare` compares all of them with Chromium, including
 * three-pbr, which takes longer.
 */
const FILES = [
  'triangle.mjs',
  'three-cube.mjs',
  'three-phong.mjs',
  'three-instancing.mjs',
  'three-post.mjs',
  'three-multisample.mjs',
  'babylon-scene.mjs',
  'regl-waves.mjs',
  'pixi-shapes.mjs',
  'luma-cubes.mjs',
  'deck-layers.mjs',
];
const WIDTH_PX = 640;
const HEIGHT_PX = 360;
/** Share of pixels that may differ by more than 8 of 255. */
const MAX_SHARE = 0.005;
const executablePath = findChromium();

function render(file: string, scale: number, chipletCount: number): Promise<Image> {
  return renderExample(join(EXAMPLES, file), {
    widthPx: WIDTH_PX * scale,
    heightPx: HEIGHT_PX * scale,
    frameIndex: 0,
    backEnd: { kind: 'in-process', gpu: { chipletCount } },
  }).then(({ image }) => image);
}

describe('on one and on five chiplets', { timeout: 120_000 }, () => {
  it.each(FILES)('%s is the same', async (file) => {
    expect(await render(file, 0.25, 5)).toEqual(await render(file, 0.25, 1));
  });
});

describe.skipIf(executablePath === null)(
  'in Chromium, skipped where it is not installed',
  { timeout: 120_000 },
  () => {
    let chromium: ChromiumImages;
    beforeAll(async () => {
      chromium = await startChromiumImages(executablePath!);
    });
    afterAll(() => chromium.close());

    it.each(FILES)('%s is the same except along outlines', async (file) => {
      const reference = await chromium.render(
        `packages/webgl/examples/${file}`,
        WIDTH_PX,
        HEIGHT_PX,
        0,
      );
      const { pixels, over8 } = compareImages(await render(file, 1, 1), reference);
      expect(over8 / pixels).toBeLessThanOrEqual(MAX_SHARE);
    });
  },
);
