import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { DEFAULT_GLTF_LIMITS } from '../format/gltf-limits.ts';
import { ImageDecoder } from './decode-image.ts';

const decodePng = (path: string, file: Uint8Array): Uint8Array =>
  new ImageDecoder(DEFAULT_GLTF_LIMITS).decode(path, file).rgba;

function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), 8 + content.length);
  return bytes;
}

interface PngParts {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: number;
  readonly colorType: number;
  readonly isInterlaced?: boolean;
  readonly palette?: number[];
  readonly transparency?: number[];
  readonly rows: Uint8Array;
}

function makePng(parts: PngParts): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(parts.width, 0);
  header.writeUInt32BE(parts.height, 4);
  header.set([parts.bitDepth, parts.colorType, 0, 0, parts.isInterlaced ? 1 : 0], 8);
  const { palette, transparency } = parts;
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
      chunk('IHDR', header),
      ...(palette ? [chunk('PLTE', Uint8Array.from(palette))] : []),
      ...(transparency ? [chunk('tRNS', Uint8Array.from(transparency))] : []),
      chunk('IDAT', deflateSync(parts.rows)),
      chunk('IEND', new Uint8Array(0)),
    ]),
  );
}

describe('ImageDecoder on PNG', () => {
  it.each([
    { colorType: 0 as const, name: 'grey' },
    { colorType: 2 as const, name: 'color' },
    { colorType: 4 as const, name: 'grey with alpha' },
    { colorType: 6 as const, name: 'color with alpha' },
  ])('gives back $name under all five filters', ({ colorType }) => {
    const png = new PNG({ width: 37, height: 23 });
    const hasAlpha = colorType === 4 || colorType === 6;
    for (let pixel = 0; pixel < 37 * 23; pixel++) {
      const grey = (pixel * 31 + (pixel >> 3)) & 255;
      const isGrey = colorType === 0 || colorType === 4;
      png.data.set(isGrey ? [grey, grey, grey] : [grey, 255 - grey, (pixel * 5) & 255], pixel * 4);
      png.data[4 * pixel + 3] = hasAlpha ? (pixel * 7) & 255 : 255;
    }
    for (const filterType of [0, 1, 2, 3, 4]) {
      const file = PNG.sync.write(png, { colorType, filterType, inputHasAlpha: true });
      const rgba = decodePng('images[0]', new Uint8Array(file));
      expect(Buffer.from(rgba).equals(png.data)).toBe(true);
    }
  });

  it.each([1, 2, 4, 8])('reads %i-bit palettes with transparency', (bitDepth) => {
    // Two pixels of the colors 1 and 0 in one row.
    const row = bitDepth === 8 ? [0, 1, 0] : [0, 1 << (8 - bitDepth)];
    const file = makePng({
      width: 2,
      height: 1,
      bitDepth,
      colorType: 3,
      rows: Uint8Array.from(row),
      palette: [10, 20, 30, 40, 50, 60],
      transparency: [128],
    });
    expect([...decodePng('x', file)]).toEqual([40, 50, 60, 255, 10, 20, 30, 128]);
  });

  it.each([
    { bitDepth: 1, byte: 0b1000_0000, first: 255, second: 0 },
    { bitDepth: 2, byte: 0b1001_0000, first: 170, second: 85 },
    { bitDepth: 4, byte: 0b1000_0011, first: 136, second: 51 },
  ])('spreads $bitDepth-bit grey over 0 to 255', ({ bitDepth, byte, first, second }) => {
    const file = makePng({
      width: 2,
      height: 1,
      bitDepth,
      colorType: 0,
      rows: Uint8Array.of(0, byte),
    });
    expect([...decodePng('x', file)]).toEqual([
      first,
      first,
      first,
      255,
      second,
      second,
      second,
      255,
    ]);
  });

  it('rounds 16-bit samples and compares whole samples with the key color', () => {
    const file = makePng({
      width: 2,
      height: 1,
      bitDepth: 16,
      colorType: 2,
      transparency: [1, 2, 3, 4, 5, 6],
      rows: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 200, 5, 7),
    });
    expect([...decodePng('x', file)]).toEqual([1, 3, 5, 0, 1, 4, 5, 255]);
  });

  it('puts the seven passes of an interlaced image in place', () => {
    const [width, height] = [11, 9];
    const grey = (x: number, y: number): number => y * 16 + x;
    const passes = [
      [0, 0, 8, 8],
      [4, 0, 8, 8],
      [0, 4, 4, 8],
      [2, 0, 4, 4],
      [0, 2, 2, 4],
      [1, 0, 2, 2],
      [0, 1, 1, 2],
    ];
    const rows: number[] = [];
    for (const [x0, y0, dx, dy] of passes) {
      for (let y = y0; y < height; y += dy) {
        rows.push(0);
        for (let x = x0; x < width; x += dx) rows.push(grey(x, y));
      }
    }
    const parts = { width, height, bitDepth: 8, colorType: 0, isInterlaced: true };
    const rgba = decodePng('x', makePng({ ...parts, rows: Uint8Array.from(rows) }));
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) expect(rgba[(y * width + x) * 4]).toBe(grey(x, y));
    }
  });

  const CHANNELS = new Map([
    [0, 1],
    [2, 3],
    [3, 1],
    [4, 2],
    [6, 4],
  ]);
  const layouts = [
    ...[1, 2, 4, 8, 16].map((bitDepth) => ({ colorType: 0, bitDepth })),
    ...[8, 16].map((bitDepth) => ({ colorType: 2, bitDepth })),
    ...[1, 2, 4, 8].map((bitDepth) => ({ colorType: 3, bitDepth })),
    ...[8, 16].map((bitDepth) => ({ colorType: 4, bitDepth })),
    ...[8, 16].map((bitDepth) => ({ colorType: 6, bitDepth })),
  ].flatMap((layout) => [
    { ...layout, isInterlaced: false },
    { ...layout, isInterlaced: true },
  ]);

  it.each(layouts)('decodes random samples: %o', ({ colorType, bitDepth, isInterlaced }) => {
    const [width, height] = [13, 10];
    const channels = CHANNELS.get(colorType) ?? 0;
    let state = 100 * colorType + bitDepth;
    const sample = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * 2 ** bitDepth);
    };
    const samples = Array.from({ length: width * height * channels }, sample);
    const pixelAt = (x: number, y: number): number[] =>
      samples.slice((y * width + x) * channels, (y * width + x + 1) * channels);

    // 1. Write the rows of each pass, most significant bits first.
    const passes = isInterlaced
      ? [
          [0, 0, 8, 8],
          [4, 0, 8, 8],
          [0, 4, 4, 8],
          [2, 0, 4, 4],
          [0, 2, 2, 4],
          [1, 0, 2, 2],
          [0, 1, 1, 2],
        ]
      : [[0, 0, 1, 1]];
    const rows: number[] = [];
    for (const [x0, y0, dx, dy] of passes) {
      for (let y = y0; y < height && x0 < width; y += dy) {
        let bits = '';
        for (let x = x0; x < width; x += dx) {
          bits += pixelAt(x, y)
            .map((value) => value.toString(2).padStart(bitDepth, '0'))
            .join('');
        }
        rows.push(0);
        for (let at = 0; at < bits.length; at += 8) {
          rows.push(Number.parseInt(bits.slice(at, at + 8).padEnd(8, '0'), 2));
        }
      }
    }

    // 2. The color of the first pixel is transparent, or the palette has alpha.
    const bytesOf = (value: number): number[] => [value >> 8, value & 255];
    const palette = Array.from({ length: 3 * 2 ** bitDepth }, (_, i) => (i * 37) & 255);
    const alphas = Array.from({ length: 2 ** bitDepth - 1 }, (_, i) => 255 - ((i * 11) & 255));
    const key = pixelAt(0, 0);
    const transparency =
      colorType === 3 ? alphas : colorType < 3 ? key.flatMap(bytesOf) : undefined;
    const file = makePng({
      ...{ width, height, bitDepth, colorType, isInterlaced, rows: Uint8Array.from(rows) },
      ...(colorType === 3 ? { palette } : {}),
      ...(transparency === undefined ? {} : { transparency }),
    });

    // 3. Compare with the samples.
    const to8 = (value: number): number => Math.round((value * 255) / (2 ** bitDepth - 1));
    const expected = Array.from({ length: width * height }, (_, i) => {
      const pixel = pixelAt(i % width, Math.floor(i / width));
      if (colorType === 3) {
        const [index] = pixel;
        return [...palette.slice(3 * index, 3 * index + 3), alphas[index] ?? 255];
      }
      const isKey = transparency !== undefined && pixel.every((value, c) => value === key[c]);
      const color = channels < 3 ? [pixel[0], pixel[0], pixel[0]] : pixel.slice(0, 3);
      const alpha = channels % 2 === 0 ? to8(pixel[channels - 1]) : isKey ? 0 : 255;
      return [...color.map(to8), alpha];
    });
    expect([...decodePng('x', file)]).toEqual(expected.flat());
  });

  const good = { width: 2, height: 2, bitDepth: 8, colorType: 0, rows: new Uint8Array(6) };
  it.each([
    { name: 'too few pixels', file: makePng({ ...good, rows: new Uint8Array(5) }) },
    { name: 'too many pixels', file: makePng({ ...good, rows: new Uint8Array(7) }) },
    {
      name: 'too many interlaced pixels',
      file: makePng({ ...good, isInterlaced: true, rows: new Uint8Array(50_000_000) }),
    },
    { name: 'an unknown filter', file: makePng({ ...good, rows: new Uint8Array(6).fill(9) }) },
    { name: 'an unknown color type', file: makePng({ ...good, colorType: 5 }) },
    {
      name: 'a color past the palette',
      file: makePng({
        ...good,
        colorType: 3,
        palette: [1, 2, 3],
        rows: Uint8Array.of(0, 0, 0, 0, 1, 0),
      }),
    },
    { name: 'a palette without colors', file: makePng({ ...good, colorType: 3, palette: [] }) },
    {
      name: 'a palette without end',
      file: makePng({ ...good, colorType: 3, palette: new Array(1_000_000).fill(0) }),
    },
    { name: 'no end', file: makePng(good).slice(0, -5) },
    { name: 'a header alone', file: makePng(good).slice(0, 33) },
    { name: 'a wrong checksum', file: makePng(good).with(30, 1) },
  ])('refuses an image with $name', ({ file }) => {
    expect(() => decodePng('images[3]', file)).toThrow(
      expect.objectContaining({
        code: 'MODEL_INVALID',
        message: expect.stringContaining('images[3]: the PNG is damaged: '),
      }),
    );
  });

  it.each([false, true])('takes little memory for a bomb, interlaced: %s', (isInterlaced) => {
    const file = makePng({ ...good, isInterlaced, rows: new Uint8Array(400_000_000) });
    const before = process.resourceUsage().maxRSS;
    expect(() => decodePng('x', file)).toThrow('its pixels do not inflate to');
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(8 * 1024); // kilobytes
  });

  it('ignores bytes after the last chunk', () => {
    const file = Buffer.concat([makePng(good), Buffer.from('something else')]);
    expect(decodePng('x', file)).toHaveLength(16);
  });

  it('rejects images that take more memory than allowed', () => {
    const decoder = new ImageDecoder({ ...DEFAULT_GLTF_LIMITS, maxDecodeBytes: 30 });
    expect(() => decoder.decode('x', makePng(good))).toThrow(
      'x: decoding takes 34 bytes; at most 30 (maxDecodeBytes)',
    );
  });
});
