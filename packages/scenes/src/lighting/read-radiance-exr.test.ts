import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readRadianceExr } from './read-radiance-exr.ts';

const LIMITS = { maxPixels: 2000 };
const SIZE = { widthPx: 32, heightPx: 40 } as const;

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/** Radiance of a pixel, up to some thousands. */
const radiance = (x: number, y: number, c: number): number =>
  2 ** (((x * 7 + y * 3 + c * 5) % 24) - 12) * (1 + ((x + 2 * y) % 8) / 8);

/** Has ffmpeg write an image of {@link radiance}. */
function encode(...options: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-exr-'));
  try {
    const { widthPx, heightPx } = SIZE;
    const planes = new Float32Array(3 * widthPx * heightPx);
    let at = 0;
    for (const c of [1, 2, 0]) {
      for (let y = 0; y < heightPx; y++) {
        for (let x = 0; x < widthPx; x++) planes[at++] = radiance(x, y, c);
      }
    }
    const [raw, exr] = [join(folder, 'raw'), join(folder, 'image.exr')];
    writeFileSync(raw, planes);
    const input = ['-f', 'rawvideo', '-pix_fmt', 'gbrpf32le', '-s', '32x40', '-i', raw];
    const all = ['-v', 'error', ...input, '-c:v', 'exr', ...options, exr];
    const { status, stderr } = spawnSync('ffmpeg', all, { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return new Uint8Array(readFileSync(exr));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function expectValues(
  file: Uint8Array,
  value: (x: number, y: number, c: number) => number,
  precision: number,
): void {
  const { widthPx, heightPx, rgb } = readRadianceExr(file, LIMITS);
  expect({ widthPx, heightPx }).toEqual(SIZE);
  for (let i = 0; i < rgb.length; i++) {
    const pixel = Math.floor(i / 3);
    const expected = value(pixel % widthPx, Math.floor(pixel / widthPx), i % 3);
    expect(Math.abs(rgb[i]! - expected)).toBeLessThanOrEqual(expected * precision);
  }
}

describe.skipIf(!hasFfmpeg)('readRadianceExr', () => {
  let zip: Uint8Array;
  beforeAll(() => {
    zip = encode('-compression', 'zip16', '-format', 'half');
  });

  it.each(['none', 'rle', 'zip1', 'zip16'])('reads %s', (compression) => {
    expectValues(encode('-compression', compression, '-format', 'float'), radiance, 0);
    expectValues(encode('-compression', compression, '-format', 'half'), radiance, 0);
  });

  it('refuses images above the limit before it reads them', () => {
    expect(() => readRadianceExr(zip, { maxPixels: 1000 })).toThrow('32×40 pixels; at most 1000');
  });

  it.each([
    { name: 'tiles', text: null, after: 5, value: 2, message: 'only one part with rows' },
    {
      name: 'another compression',
      text: 'compression\0compression\0',
      after: 4,
      value: 8,
      message: 'compression 8; supported are none, rle, zips, zip',
    },
    {
      name: 'values of several types',
      text: '\0chlist\0',
      after: 6,
      value: 2,
      message: 'values of different types',
    },
    {
      name: 'a part of the image',
      text: 'displayWindow\0box2i\0',
      after: 12,
      value: 90,
      message: 'not the whole image',
    },
    {
      name: 'less than a value per pixel',
      text: '\0chlist\0',
      after: 14,
      value: 2,
      message: 'channel B has less than a value per pixel',
    },
  ])('does not support $name', ({ text, after, value, message }) => {
    const start = text === null ? 0 : Buffer.from(zip).indexOf(text, 0, 'latin1') + text.length;
    const file = zip.with(start + after, value);
    expect(() => readRadianceExr(file, LIMITS)).toThrow(
      expect.objectContaining({
        code: 'MODEL_UNSUPPORTED',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('does not expand a chunk beyond its rows', () => {
    const file = zip.slice();
    const view = new DataView(file.buffer);
    // An image of fewer rows has less to expand.
    for (const name of ['dataWindow', 'displayWindow']) {
      const place = Buffer.from(file).indexOf(`${name}\0box2i\0`) + name.length + 1 + 6 + 4 + 12;
      view.setInt32(place, 14, true);
    }
    expect(() => readRadianceExr(file, LIMITS)).toThrow('chunk 0 does not have its rows');
  });

  it('throws nothing but RenderError whatever bytes are changed or cut off', () => {
    const files = [zip, encode('-compression', 'rle'), encode('-compression', 'none')];
    let state = 26;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    for (const original of files) {
      for (let round = 0; round < 500; round++) {
        const file = Uint8Array.from(original);
        for (let change = 0; change <= round % 4; change++) {
          file[4 + next(file.length - 4)] = next(256);
        }
        try {
          readRadianceExr(round % 5 === 0 ? file.slice(0, next(file.length)) : file, LIMITS);
        } catch (error) {
          expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
        }
      }
    }
  });
});
