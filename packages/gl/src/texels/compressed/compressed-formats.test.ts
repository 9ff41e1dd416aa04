/** Blocks made by hand from the formats' specifications. */
import { describe, expect, it } from 'vitest';
import { compressedBytes, compressedFormatOf, decompress } from './compressed-formats.ts';

function decodeBlock(format: number, texelBytes: number, bytes: readonly number[]): Uint8Array {
  return decompress(compressedFormatOf(format)!, texelBytes, 4, 4, Uint8Array.from(bytes));
}

const texel = (texels: Uint8Array, i: number): number[] => [...texels.subarray(i * 4, i * 4 + 4)];

describe('compressed textures', () => {
  it('take whole blocks at edges', () => {
    const dxt1 = compressedFormatOf(0x83f0)!;
    expect(compressedBytes(dxt1, 5, 4)).toBe(16);
    expect(compressedBytes(dxt1, 1, 1)).toBe(8);
    const red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
    const bytes = Uint8Array.from([...red, 0xe0, 0x07, 0, 0, 0, 0, 0, 0]);
    const texels = decompress(dxt1, 4, 5, 1, bytes);
    expect(texel(texels, 3)).toEqual([255, 0, 0, 255]);
    expect(texel(texels, 4)).toEqual([0, 255, 0, 255]);
  });

  it('of DXT1 have four colors, or three and none', () => {
    const four = decodeBlock(0x83f1, 4, [0x00, 0xf8, 0x1f, 0x00, 0b11_10_01_00, 0, 0, 0]);
    expect([0, 1, 2, 3].map((i) => texel(four, i))).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
      [170, 0, 85, 255],
      [85, 0, 170, 255],
    ]);
    const three = decodeBlock(0x83f1, 4, [0x1f, 0x00, 0x00, 0xf8, 0b11_10_01_00, 0, 0, 0]);
    expect(texel(three, 2)).toEqual([127, 0, 127, 255]);
    expect(texel(three, 3)).toEqual([0, 0, 0, 0]);
  });

  it('of DXT3 and DXT5 have an alpha of their own', () => {
    const color = [0xff, 0xff, 0, 0, 0, 0, 0, 0];
    const dxt3 = decodeBlock(0x83f2, 4, [0x4f, 0, 0, 0, 0, 0, 0, 0, ...color]);
    expect([0, 1, 2].map((i) => dxt3[i * 4 + 3])).toEqual([255, 68, 0]);
    const dxt5 = decodeBlock(0x83f3, 4, [210, 0, 0b10_001_000, 0, 0, 0, 0, 0, ...color]);
    expect([0, 1, 2].map((i) => dxt5[i * 4 + 3])).toEqual([210, 0, 180]);
    const six = decodeBlock(0x83f3, 4, [0, 50, 0b10_111_110, 0, 0, 0, 0, 0, ...color]);
    expect([0, 1, 2].map((i) => six[i * 4 + 3])).toEqual([0, 255, 10]);
  });

  it('of RGTC have signed channels as well', () => {
    const signed = decodeBlock(0x8dbc, 1, [0x81, 0x7f, 0b00_111_110, 0, 0, 0, 0, 0]);
    expect([...new Int8Array(signed.buffer).subarray(0, 3)]).toEqual([-127, 127, -127]);
  });

  it('of ETC1 have two halves with modifiers', () => {
    // Individual mode with 0x88 and 0x44 gray and tables 0 and 7, side by side. All indices are 0
    // except that of pixel 8, which is 3.
    const block = [0x84, 0x84, 0x84, 0x1c, 0x01, 0x00, 0x01, 0x00];
    const texels = decodeBlock(0x8d64, 4, block);
    expect(texel(texels, 0)).toEqual([138, 138, 138, 255]);
    expect(texel(texels, 3)).toEqual([115, 115, 115, 255]);
    expect(texel(texels, 2)).toEqual([0, 0, 0, 255]);
  });

  it('of BC7 have indices for color and for alpha', () => {
    // Mode 5: rotation 0, red from 0 to 127 of 127, green and blue 0, alpha 255 and 0.
    const bytes = [0x20, 0x80, 0x3f, 0, 0, 0, 0xfc, 3, 0b1000, 0, 0, 0, 0b1100, 0, 0, 0];
    const texels = decodeBlock(0x8e8c, 4, bytes);
    expect(texel(texels, 0)).toEqual([0, 0, 0, 255]);
    expect(texel(texels, 1)).toEqual([84, 0, 0, 0]);
  });

  it('of BC6H are half floats', () => {
    // Mode 3: red of both endpoints is the largest of 10 bits, green and blue are 0.
    const bytes = [0xe3, 0x7f, 0, 0, 0xf8, 0x1f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const texels = new Uint16Array(decodeBlock(0x8e8f, 8, bytes).buffer);
    expect([...texels.subarray(0, 4)]).toEqual([0x7bff, 0, 0, 0x3c00]);
  });

  it('of ASTC have blocks of other sizes than 4×4 texels', () => {
    const astc = compressedFormatOf(0x93b1)!;
    expect(compressedBytes(astc, 11, 5)).toBe(96);
    const voidExtent = [0xfc, 0xfd, 255, 255, 255, 255, 255, 255, 0, 64, 0, 128, 0, 192, 0, 255];
    const bytes = Uint8Array.from([...new Uint8Array(16), ...voidExtent]);
    const texels = decompress(astc, 4, 6, 2, bytes);
    expect(texel(texels, 4)).toEqual([255, 0, 255, 255]);
    expect(texel(texels, 5)).toEqual([64, 128, 192, 255]);
    expect(texel(texels, 11)).toEqual([64, 128, 192, 255]);
  });

  it('of EAC hold eleven bits', () => {
    // Base 128, multiplier 0, table 13: modifier index 4 adds nothing, index 0 subtracts 1.
    const bytes = [128, 0x0d, 0x80, 0, 0, 0, 0, 0];
    const values = new Float32Array(decodeBlock(0x9270, 4, bytes).buffer);
    expect(values[0]).toBeCloseTo(1028 / 2047, 7);
    expect(values[4]).toBeCloseTo(1027 / 2047, 7);
  });
});
