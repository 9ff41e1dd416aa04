import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import encodeAvif, { init as initAvif } from '@jsquash/avif/encode.js';
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_GLTF_LIMITS, type GltfLimits } from '../format/gltf-limits.ts';
import { ImageDecoder } from './decode-image.ts';
import { loadImageCodecs } from './image-codecs.ts';

const [WIDTH, HEIGHT] = [37, 21];

/** Returns an image with all values of alpha and no colors where it is 0. */
function sourceImage(): ImageData {
  const data = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let i = 0; i < WIDTH * HEIGHT; i++) {
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    data.set([x * 6, y * 12, 255 - x * 3, 60 + x * 5], 4 * i);
  }
  return { data, width: WIDTH, height: HEIGHT, colorSpace: 'srgb' } as ImageData;
}

const moduleOf = (path: string): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(path)));

const FILES: Record<'webp' | 'avif' | 'lossy', Uint8Array> = {
  webp: new Uint8Array(0),
  avif: new Uint8Array(0),
  lossy: new Uint8Array(0),
};
beforeAll(async () => {
  await initWebp(moduleOf('@jsquash/webp/codec/enc/webp_enc.wasm'));
  await initAvif(moduleOf('@jsquash/avif/codec/enc/avif_enc.wasm'));
  const lossless = { lossless: 1, exact: 1 };
  FILES.webp = new Uint8Array(await encodeWebp(sourceImage(), lossless));
  FILES.lossy = new Uint8Array(await encodeWebp(sourceImage(), { quality: 95 }));
  FILES.avif = new Uint8Array(await encodeAvif(sourceImage(), { lossless: true }));
});

async function decode(file: Uint8Array, limits: Partial<GltfLimits> = {}) {
  const all = { ...DEFAULT_GLTF_LIMITS, ...limits };
  const codecs = await loadImageCodecs([file], all.maxDecodeBytes);
  return new ImageDecoder(all, codecs).decode('images[4]', file);
}

/** Returns the file with other bytes where a pattern begins. */
function edited(file: Uint8Array, pattern: string, offset: number, bytes: number[]): Uint8Array {
  const at = Buffer.from(file).indexOf(pattern, 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  const copy = file.slice();
  copy.set(bytes, at + offset);
  return copy;
}

describe('decoders of WebP and AVIF', () => {
  it.each(['webp', 'avif'] as const)('give back a lossless %s image', async (kind) => {
    const { widthPx, heightPx, rgba } = await decode(FILES[kind]);
    expect([widthPx, heightPx]).toEqual([WIDTH, HEIGHT]);
    expect(Buffer.from(rgba).equals(Buffer.from(sourceImage().data))).toBe(true);
  });

  it('come close to a lossy image', async () => {
    const { rgba } = await decode(FILES.lossy);
    const { data } = sourceImage();
    rgba.forEach((value, i) => {
      expect(Math.abs(value - data[i])).toBeLessThan(20);
    });
  });

  it('are loaded for images of their kind only', async () => {
    const loaded = async (...files: Uint8Array[]) =>
      Object.keys(await loadImageCodecs(files, DEFAULT_GLTF_LIMITS.maxDecodeBytes));
    expect(await loaded(Uint8Array.of(137, 80, 78, 71))).toEqual([]);
    expect(await loaded(FILES.avif, FILES.webp)).toEqual(['webp', 'avif']);
  });

  it.each([
    {
      name: 'a WebP of another size than its canvas',
      file: () => {
        const extended = [...Buffer.from('VP8X'), 10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 20, 0, 0];
        const webp = FILES.webp;
        return Uint8Array.from([...webp.subarray(0, 12), ...extended, ...webp.subarray(12)]);
      },
      code: 'MODEL_INVALID',
      message: 'images[4]: the WebP is damaged: the canvas is 100×21, the image is not',
    },
    {
      name: 'an animated WebP',
      file: () => {
        const extended = [...Buffer.from('VP8X'), 10, 0, 0, 0, 2, 0, 0, 0, 36, 0, 0, 20, 0, 0];
        const webp = FILES.webp;
        return Uint8Array.from([...webp.subarray(0, 12), ...extended, ...webp.subarray(12)]);
      },
      code: 'MODEL_UNSUPPORTED',
      message: 'images[4]: animated WebP is not supported',
    },
    {
      name: 'a WebP without content',
      file: () => FILES.webp.slice(0, 60),
      code: 'MODEL_INVALID',
      message: 'images[4]: the WebP is damaged',
    },
    {
      name: 'an AVIF of no size',
      file: () => edited(FILES.avif, 'ispe', 8, [0, 0, 0, 0]),
      code: 'MODEL_INVALID',
      message: 'images[4]: the AVIF is damaged: size 0×21',
    },
    {
      name: 'an AVIF that ends in its properties',
      file: () => FILES.avif.slice(0, Buffer.from(FILES.avif).indexOf('ispe') + 6),
      code: 'MODEL_INVALID',
      message: 'images[4]: the AVIF is damaged: a box is cut off',
    },
    {
      name: 'a sequence of AVIF',
      file: () => edited(FILES.avif, 'ftyp', 4, [...Buffer.from('avis')]),
      code: 'MODEL_UNSUPPORTED',
      message: 'images[4]: sequences of AVIF are not supported',
    },
    {
      name: 'a turned AVIF',
      file: () => edited(FILES.avif, 'pixi', 0, [...Buffer.from('irot')]),
      code: 'MODEL_UNSUPPORTED',
      message: 'images[4]: AVIF with the property irot is not supported',
    },
  ])('refuse $name', async ({ file, code, message }) => {
    await expect(decode(file())).rejects.toMatchObject({ code, message });
  });

  it.each(['webp', 'avif'] as const)('check the limits of %s from the header', async (kind) => {
    await expect(decode(FILES[kind], { maxTextureEdgePx: 36 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: 'images[4]: 37×21 texels; at most 36 each way (maxTextureEdgePx)',
    });
    await expect(decode(FILES[kind], { maxDecodeBytes: 9000 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('at most 9000 (maxDecodeBytes)'),
    });
  });

  it.each(['webp', 'lossy', 'avif'] as const)(
    'throw nothing but RenderError whatever bytes of %s are changed',
    async (kind) => {
      const original = FILES[kind];
      const codecs = await loadImageCodecs([original], 100_000_000);
      const decodeWith = (file: Uint8Array) =>
        new ImageDecoder(DEFAULT_GLTF_LIMITS, codecs).decode('x', file);
      let state = 9;
      const next = (limit: number): number => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return Math.floor((state / 2 ** 32) * limit);
      };
      let rejected = 0;
      for (let round = 0; round < 250; round++) {
        const file = original.slice();
        for (let change = 0; change <= round % 3; change++) file[next(file.length)] = next(256);
        try {
          decodeWith(file);
        } catch (error) {
          expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
          rejected++;
        }
      }
      expect(rejected).toBeGreaterThan(20);
      expect(decodeWith(original).widthPx).toBe(WIDTH);
    },
  );
});
