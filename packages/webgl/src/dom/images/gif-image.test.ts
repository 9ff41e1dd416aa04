import { expect, it } from 'vitest';
import { decodeGif, isGif } from './gif-image.ts';

const PALETTE = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [9, 9, 9],
];

interface GifOptions {
  readonly canvas?: readonly [number, number];
  readonly offset?: readonly [number, number];
  readonly transparent?: number;
  readonly isInterlaced?: boolean;
}

/**
 * Encodes an image of four colors, with a clear code before each index, so that codes have 3 bits.
 */
function encode(
  width: number,
  height: number,
  indices: readonly number[],
  options: GifOptions = {},
) {
  const [canvasWidth, canvasHeight] = options.canvas ?? [width, height];
  const [left, top] = options.offset ?? [0, 0];
  const codes = [...indices.flatMap((index) => [4, index]), 5];
  const packed = new Uint8Array(Math.ceil((codes.length * 3) / 8));
  codes.forEach((code, k) => {
    for (let bit = 0; bit < 3; bit++) {
      const place = 3 * k + bit;
      packed[place >> 3]! |= ((code >> bit) & 1) << (place & 7);
    }
  });
  const control =
    options.transparent === undefined ? [] : [0x21, 0xf9, 4, 1, 0, 0, options.transparent, 0];
  return Uint8Array.from([
    ...Buffer.from('GIF89a'),
    ...[canvasWidth, 0, canvasHeight, 0, 0x81, 0, 0],
    ...PALETTE.flat(),
    ...control,
    ...[0x2c, left, 0, top, 0, width, 0, height, 0, options.isInterlaced === true ? 0x40 : 0],
    ...[2, packed.length, ...packed, 0, 0x3b],
  ]);
}

/** Returns the indices of an image's pixels; -1 for transparent ones. */
function indicesOf(file: Uint8Array): number[] {
  const { rgba } = decodeGif(file);
  return Array.from({ length: rgba.length / 4 }, (_, pixel) => {
    const [r, g, b, alpha] = rgba.subarray(4 * pixel, 4 * pixel + 4);
    return alpha === 0 ? -1 : PALETTE.findIndex((color) => color.join() === [r, g, b].join());
  });
}

it('decodes pixels', () => {
  const file = encode(3, 2, [0, 1, 2, 3, 2, 1]);
  expect(isGif(file)).toBe(true);
  const { widthPx, heightPx } = decodeGif(file);
  expect([widthPx, heightPx]).toEqual([3, 2]);
  expect(indicesOf(file)).toEqual([0, 1, 2, 3, 2, 1]);
});

it('decodes strings of codes that grow', () => {
  // Ten pixels of index 1 as strings of 1, 2, 3 and 4 pixels; the fourth code has one more bit.
  const codes: readonly (readonly [code: number, bits: number])[] = [
    [4, 3],
    [1, 3],
    [6, 3],
    [7, 3],
    [8, 4],
    [5, 4],
  ];
  let [bits, count] = [0, 0];
  for (const [code, length] of codes) {
    bits |= code << count;
    count += length;
  }
  const data = [bits & 255, (bits >> 8) & 255, (bits >> 16) & 255];
  const head = encode(10, 1, []).subarray(0, 13 + 12 + 10);
  const file = Uint8Array.from([...head, 2, data.length, ...data, 0, 0x3b]);
  expect(indicesOf(file)).toEqual(new Array(10).fill(1));
});

it('leaves transparent and uncovered pixels empty', () => {
  const file = encode(2, 1, [0, 1], { canvas: [3, 2], offset: [1, 1], transparent: 1 });
  expect(indicesOf(file)).toEqual([-1, -1, -1, -1, 0, -1]);
});

it('orders the rows of interlaced images', () => {
  const rows = [0, 1, 2, 3, 0, 1, 2, 3, 0];
  const stored = [0, 8, 4, 2, 6, 1, 3, 5, 7].map((row) => rows[row]!);
  expect(indicesOf(encode(1, 9, stored, { isInterlaced: true }))).toEqual(rows);
});

it('refuses damaged files', () => {
  const file = encode(3, 2, [0, 1, 2, 3, 2, 1]);
  for (const length of [8, 20, 30, file.length - 4]) {
    expect(() => decodeGif(file.slice(0, length)), `${length} bytes`).toThrow('damaged');
  }
});
