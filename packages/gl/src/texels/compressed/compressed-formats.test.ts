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

  it('of EAC hold eleven bits', () => {
    // Base 128, multiplier 0, table 13: modifier index 4 adds nothing, index 0 subtracts 1.
    const bytes = [128, 0x0d, 0x80, 0, 0, 0, 0, 0];
    const values = new Float32Array(decodeBlock(0x9270, 4, bytes).buffer);
    expect(values[0]).toBeCloseTo(1028 / 2047, 7);
    expect(values[4]).toBeCloseTo(1027 / 2047, 7);
  });
});
