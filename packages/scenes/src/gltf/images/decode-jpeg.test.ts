import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { readGlb } from '../read-container.ts';
import { decodeJpeg } from './decode-jpeg.ts';

/** A smooth picture with an edge in it. */
function picture(width: number, height: number, isGrey: boolean): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    const grey = (x * 9 + y * 5 + (x > y ? 60 : 0)) & 255;
    rgba.set(isGrey ? [grey, grey, grey, 255] : [grey, (y * 12) & 255, 255 - grey, 255], 4 * i);
  }
  return rgba;
}

const encode = (width: number, height: number, quality = 85): Uint8Array =>
  new Uint8Array(jpeg.encode({ width, height, data: picture(width, height, false) }, quality).data);

const squareOf = (edgePx: number) => ({ widthPx: edgePx, heightPx: edgePx });

/** Largest difference of two pictures. */
function largestDifference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}

/** Rounding of the transform and of the colour conversion. */
const MAX_DIFFERENCE = 4;

describe('decodeJpeg', () => {
  it.each([
    { width: 1, height: 1 },
    { width: 8, height: 8 },
    { width: 37, height: 21 },
    { width: 64, height: 3 },
  ])('agrees with jpeg-js on baseline pictures of $width×$height', ({ width, height }) => {
    for (const quality of [20, 60, 95]) {
      const file = encode(width, height, quality);
      const expected = jpeg.decode(file, { useTArray: true }).data;
      const rgba = decodeJpeg('images[0]', file, { widthPx: width, heightPx: height });
      expect(largestDifference(rgba, expected)).toBeLessThanOrEqual(MAX_DIFFERENCE);
    }
  });

  it('comes close to the picture that was encoded', () => {
    const file = new Uint8Array(
      jpeg.encode({ width: 32, height: 32, data: picture(32, 32, true) }, 100).data,
    );
    expect(
      largestDifference(decodeJpeg('x', file, squareOf(32)), picture(32, 32, true)),
    ).toBeLessThan(12);
  });

  it.each([
    { name: 'no scan', cutBytes: 154, message: 'there is no scan' },
    { name: 'a cut header', cutBytes: 300, message: 'a segment passes the end of the file' },
    { name: 'half its scan', cutBytes: 900, message: 'a scan ends early' },
  ])('refuses a picture with $name', ({ cutBytes, message }) => {
    const file = encode(64, 64).slice(0, cutBytes);
    expect(() => decodeJpeg('images[2]', file, squareOf(64))).toThrow(
      expect.objectContaining({
        code: 'MODEL_INVALID',
        message: `images[2]: the JPEG is damaged: ${message}`,
      }),
    );
  });

  it('refuses a frame of another size than the checked one', () => {
    expect(() => decodeJpeg('x', encode(24, 24), squareOf(16))).toThrow('two frame headers');
  });

  it('throws nothing but RenderError whatever bytes are changed', () => {
    const original = encode(24, 24);
    let state = 77;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 4294967296) * limit);
    };
    for (let round = 0; round < 400; round++) {
      const file = original.slice();
      for (let change = 0; change <= round % 3; change++) {
        file[2 + next(file.length - 2)] = next(256);
      }
      try {
        decodeJpeg('x', file, squareOf(24));
      } catch (error) {
        expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
      }
    }
  });
});

/** A sample model beside the repository with three progressive textures. */
const PROGRESSIVE_MODEL = join(
  import.meta.dirname,
  '../../../../../../shared/models/AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb',
);

describe.skipIf(!existsSync(PROGRESSIVE_MODEL))('decodeJpeg on progressive textures', () => {
  it('agrees with jpeg-js', () => {
    const { json, binary } = readGlb(new Uint8Array(readFileSync(PROGRESSIVE_MODEL)));
    const { images, bufferViews } = JSON.parse(new TextDecoder().decode(json));
    const { byteOffset, byteLength } = bufferViews[images[2].bufferView];
    const file = binary?.slice(byteOffset, byteOffset + byteLength) ?? new Uint8Array(0);
    const isProgressive = file.some((byte, i) => byte === 0xff && file[i + 1] === 0xc2);
    expect(isProgressive).toBe(true);
    const expected = jpeg.decode(file, { useTArray: true, maxMemoryUsageInMB: 1024 }).data;
    expect(largestDifference(decodeJpeg('x', file, squareOf(2048)), expected)).toBeLessThanOrEqual(
      MAX_DIFFERENCE,
    );
  });
});
