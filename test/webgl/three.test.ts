/**
 * The WebGL examples over our context: the same picture on any number of chiplets, and that of Debian's Chromium on SwiftShader
 * but for outlines, where a chromium is installed.
 */
import { join } from 'node:path';
import { compareImages } from '@tessera/experiments/image-comparison';
import type { Image } from '@tessera/frame';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ChromiumPictures,
  findChromium,
  startChromiumPictures,
} from '../../scripts/webgl/chromium-pictures.ts';
import { renderExample } from '../../scripts/webgl/render-example.ts';

const EXAMPLES = join(import.meta.dirname, '../../packages/webgl/examples');
/** Small, so that the test is short; `npm run webgl:compare` does the same at 640×360. */
const SIZE = { widthPx: 320, heightPx: 180 };
/** Share of pixels that may be off by more than 2 of 255. */
const MAX_SHARE = 0.005;
const executablePath = findChromium();

function render(file: string, chipletCount: number): Promise<Image> {
  const backEnd = { kind: 'in-process', gpu: { chipletCount } } as const;
  return renderExample(join(EXAMPLES, file), { ...SIZE, frameIndex: 0, backEnd }).then(
    ({ image }) => image,
  );
}

describe.each([
  'triangle.mjs',
  'three-cube.mjs',
  'three-phong.mjs',
  'three-instancing.mjs',
  'three-post.mjs',
  'three-multisample.mjs',
  'babylon-scene.mjs',
  'regl-waves.mjs',
])('%s', { timeout: 120_000 }, (file) => {
  let image: Image;
  beforeAll(async () => {
    image = await render(file, 1);
  });

  it('is the same on five chiplets', async () => {
    expect(await render(file, 5)).toEqual(image);
  });

  describe.skipIf(executablePath === null)(
    'in Chromium (skipped where it is not installed)',
    () => {
      let chromium: ChromiumPictures;
      beforeAll(async () => {
        chromium = await startChromiumPictures(executablePath!);
      });
      afterAll(() => chromium.close());

      it('is the same but for outlines', async () => {
        const { widthPx, heightPx } = SIZE;
        const reference = await chromium.render(file, widthPx, heightPx, 0);
        const { pixels, over2, largest } = compareImages(image, reference);
        expect(largest).toBeGreaterThanOrEqual(0);
        expect(over2 / pixels).toBeLessThanOrEqual(MAX_SHARE);
      });
    },
  );
});
