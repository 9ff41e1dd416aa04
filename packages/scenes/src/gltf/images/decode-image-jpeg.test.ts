import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { describe, expect, it } from 'vitest';
import { DEFAULT_GLTF_LIMITS } from '../format/gltf-limits.ts';
import { readGlb } from '../format/read-container.ts';
import { ImageDecoder } from './decode-image.ts';
import type { ImageCodecs } from './image-codecs.ts';
import { loadJpeg } from './squoosh-decoders.ts';

const mozJpeg = { jpeg: await loadJpeg(DEFAULT_GLTF_LIMITS.maxDecodeBytes) };
const decodeWith = (codecs: ImageCodecs) => (path: string, file: Uint8Array) =>
  new ImageDecoder(DEFAULT_GLTF_LIMITS, codecs).decode(path, file).rgba;

/** Returns a smooth image with an edge in it. */
function image(width: number, height: number, isGrey: boolean): Uint8Array {
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
  new Uint8Array(jpeg.encode({ width, height, data: image(width, height, false) }, quality).data);

/** Returns the largest difference between two images. */
function largestDifference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  let largest = 0;
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
}

describe.each([
  { name: 'jpeg-js', codecs: {} },
  { name: 'MozJPEG', codecs: mozJpeg },
])('ImageDecoder on JPEG with $name', ({ codecs }) => {
  const decodeJpeg = decodeWith(codecs);

  it.each([
    { width: 1, height: 1 },
    { width: 8, height: 8 },
    { width: 37, height: 21 },
    { width: 64, height: 3 },
  ])('comes close to the image of $width×$height that was encoded', ({ width, height }) => {
    const original = image(width, height, true);
    const file = new Uint8Array(jpeg.encode({ width, height, data: original }, 100).data);
    expect(largestDifference(decodeJpeg('x', file), original)).toBeLessThan(12);
  });

  it('keeps red, green and blue unchanged if the file says so', () => {
    const file = encode(16, 16, 100);
    const adobe = [0xff, 0xee, 0, 14, ...Buffer.from('Adobe'), 0, 100, 0, 0, 0, 0, 0];
    // A segment of JFIF, which the encoder writes first, would say that they are converted.
    const named = Uint8Array.from([...file.subarray(0, 2), ...adobe, ...file.subarray(20)]);
    const rgb = decodeJpeg('x', named);
    const converted = decodeJpeg('x', file);
    const [red, green, blue] = rgb;
    expect(converted[0]).toBeCloseTo(Math.min(255, Math.max(0, red + 1.402 * (blue - 128))), -0.5);
    expect(green).not.toBe(converted[1]);
  });

  it.each([
    { name: 'no scan', cutBytes: 173, message: 'there is no scan' },
    { name: 'a cut header', cutBytes: 300, message: 'a segment extends past the end of the file' },
    { name: 'half its scan', cutBytes: 900, message: 'a scan ends early' },
  ])('refuses an image with $name', ({ cutBytes, message }) => {
    const file = encode(64, 64).slice(0, cutBytes);
    expect(() => decodeJpeg('images[2]', file)).toThrow(
      expect.objectContaining({
        code: 'MODEL_INVALID',
        message: `images[2]: the JPEG is damaged: ${message}`,
      }),
    );
  });

  /** Return the offsets of the frame header and the scan header of an encoded image. */
  const frameAt = (file: Uint8Array): number =>
    Buffer.from(file).indexOf(Uint8Array.of(0xff, 0xc0));
  const scanAt = (file: Uint8Array): number => Buffer.from(file).indexOf(Uint8Array.of(0xff, 0xda));
  const insert = (file: Uint8Array, at: number, bytes: Uint8Array): Uint8Array =>
    new Uint8Array(Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]));

  it('refuses two frame headers', () => {
    const file = encode(24, 24);
    const frame = file.slice(frameAt(file), frameAt(file) + 19);
    expect(() => decodeJpeg('x', insert(file, frameAt(file), frame))).toThrow('two frame headers');
  });

  it('refuses scans without end', () => {
    const file = encode(24, 24);
    const scans = file.subarray(scanAt(file), -2);
    const many = Buffer.concat(Array.from({ length: 64 }, () => scans));
    expect(() => decodeJpeg('x', insert(file, scanAt(file), many))).toThrow('more than 64 scans');
  });

  it('refuses a table that reaches into the next segment', () => {
    const file = encode(24, 24);
    const table = Uint8Array.of(0xff, 0xdb, 0, 12, ...new Uint8Array(10));
    expect(() => decodeJpeg('x', insert(file, 2, table))).toThrow('a table is cut off');
  });

  it('refuses bytes between segments', () => {
    const file = encode(24, 24);
    expect(() => decodeJpeg('x', insert(file, scanAt(file), Uint8Array.of(7)))).toThrow(
      'a segment is not followed by a marker',
    );
  });

  it.each([
    { name: 'lossless coding', change: 1, value: 0xc3, message: 'this coding process' },
    { name: '12 bits', change: 4, value: 12, message: 'this sample precision' },
    { name: 'four channels', change: 9, value: 4, message: 'an image with 4 channels' },
  ])('does not support $name', ({ change, value, message }) => {
    const file = encode(24, 24);
    expect(() => decodeJpeg('x', file.with(frameAt(file) + change, value))).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNSUPPORTED',
        message: `x: JPEG: ${message} is not supported`,
      }),
    );
  });

  it('rejects images that take more memory than allowed', () => {
    const decoder = new ImageDecoder({ ...DEFAULT_GLTF_LIMITS, maxDecodeBytes: 10_000 }, codecs);
    expect(() => decoder.decode('x', encode(64, 64))).toThrow('at most 10000 (maxDecodeBytes)');
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
        decodeJpeg('x', file);
      } catch (error) {
        expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
      }
    }
  });
});

/** Sample model beside the repository with three progressive textures. */
const PROGRESSIVE_MODEL = join(
  import.meta.dirname,
  '../../../../../../shared/models/AlphaBlendModeTest/glTF-Binary/AlphaBlendModeTest.glb',
);

describe.skipIf(!existsSync(PROGRESSIVE_MODEL))('ImageDecoder on progressive textures', () => {
  it('decodes one', () => {
    const { json, binary } = readGlb(new Uint8Array(readFileSync(PROGRESSIVE_MODEL)));
    const { images, bufferViews } = JSON.parse(new TextDecoder().decode(json));
    const { byteOffset, byteLength } = bufferViews[images[2].bufferView];
    const file = binary?.slice(byteOffset, byteOffset + byteLength) ?? new Uint8Array(0);
    const isProgressive = file.some((byte, i) => byte === 0xff && file[i + 1] === 0xc2);
    expect(isProgressive).toBe(true);
    const rgba = decodeWith(mozJpeg)('x', file);
    expect(rgba).toHaveLength(2048 * 2048 * 4);
    expect(new Set(rgba.subarray(0, 4 * 2048)).size).toBeGreaterThan(8);
  });
});
