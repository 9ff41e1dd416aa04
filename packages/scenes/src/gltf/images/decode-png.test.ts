import { deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';
import { decodePng } from './decode-png.ts';

/** A chunk with a zero checksum: the decoder does not compare them. */
function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
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

describe('decodePng', () => {
  it.each([
    { colorType: 0 as const, name: 'grey' },
    { colorType: 2 as const, name: 'colour' },
    { colorType: 4 as const, name: 'grey with alpha' },
    { colorType: 6 as const, name: 'colour with alpha' },
  ])('agrees with pngjs on $name under all five filters', async ({ colorType }) => {
    const png = new PNG({ width: 37, height: 23 });
    for (let i = 0; i < png.data.length; i++) {
      const isAlpha = i % 4 === 3;
      const pixel = Math.floor(i / 4);
      const isGrey = colorType === 0 || colorType === 4;
      png.data[i] = isAlpha ? (pixel * 7) & 255 : ((isGrey ? pixel : i) * 31 + (i >> 5)) & 255;
    }
    for (const filterType of [0, 1, 2, 3, 4]) {
      const file = PNG.sync.write(png, { colorType, filterType, inputHasAlpha: true });
      const expected = PNG.sync.read(file);
      const rgba = await decodePng('images[0]', new Uint8Array(file));
      expect(Buffer.from(rgba).equals(expected.data)).toBe(true);
    }
  });

  it.each([1, 2, 4, 8])('reads %i-bit palettes with transparency', async (bitDepth) => {
    // Two pixels of the colours 1 and 0 in one row.
    const row = bitDepth === 8 ? [0, 1, 0] : [0, 1 << (8 - bitDepth)];
    const file = makePng({
      ...{ width: 2, height: 1, bitDepth, colorType: 3, rows: Uint8Array.from(row) },
      palette: [10, 20, 30, 40, 50, 60],
      transparency: [128],
    });
    expect([...(await decodePng('x', file))]).toEqual([40, 50, 60, 255, 10, 20, 30, 128]);
  });

  it.each([
    { bitDepth: 1, byte: 0b1000_0000, first: 255, second: 0 },
    { bitDepth: 2, byte: 0b1001_0000, first: 170, second: 85 },
    { bitDepth: 4, byte: 0b1000_0011, first: 136, second: 51 },
  ])('spreads $bitDepth-bit grey over 0 to 255', async ({ bitDepth, byte, first, second }) => {
    const file = makePng({
      ...{ width: 2, height: 1, bitDepth, colorType: 0 },
      rows: Uint8Array.of(0, byte),
    });
    expect([...(await decodePng('x', file))]).toEqual([
      ...[first, first, first, 255],
      ...[second, second, second, 255],
    ]);
  });

  it('keeps the upper byte of 16-bit samples and compares whole samples with the key colour', async () => {
    const file = makePng({
      ...{ width: 2, height: 1, bitDepth: 16, colorType: 2 },
      transparency: [1, 2, 3, 4, 5, 6],
      rows: Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7),
    });
    expect([...(await decodePng('x', file))]).toEqual([1, 3, 5, 0, 1, 3, 5, 255]);
  });

  it('puts the seven passes of an interlaced picture in place', async () => {
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
    const rgba = await decodePng('x', makePng({ ...parts, rows: Uint8Array.from(rows) }));
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) expect(rgba[(y * width + x) * 4]).toBe(grey(x, y));
    }
  });

  const good = { width: 2, height: 2, bitDepth: 8, colorType: 0, rows: new Uint8Array(6) };
  it.each([
    { name: 'too few pixels', file: makePng({ ...good, rows: new Uint8Array(5) }) },
    { name: 'too many pixels', file: makePng({ ...good, rows: new Uint8Array(50_000_000) }) },
    { name: 'an unknown filter', file: makePng({ ...good, rows: new Uint8Array(6).fill(9) }) },
    { name: 'an unknown colour type', file: makePng({ ...good, colorType: 5 }) },
    { name: 'a colour past the palette', file: makePng({ ...good, colorType: 3, palette: [] }) },
    { name: 'no end', file: makePng(good).slice(0, -5) },
    { name: 'a header alone', file: makePng(good).slice(0, 33) },
  ])('refuses a picture with $name', async ({ name, file }) => {
    const rows = name === 'a colour past the palette' ? 'colour 0 is not in the palette' : '';
    await expect(decodePng('images[3]', file)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining(`images[3]: the PNG is damaged: ${rows}`),
    });
  });
});
