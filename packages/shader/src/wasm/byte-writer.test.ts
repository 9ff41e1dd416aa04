import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';

function written(write: (bytes: ByteWriter) => void, capacityBytes?: number): number[] {
  const bytes = new ByteWriter(capacityBytes);
  write(bytes);
  return [...bytes.toBytes()];
}

describe('ByteWriter', () => {
  it.each([
    [0, [0x00]],
    [127, [0x7f]],
    [128, [0x80, 0x01]],
    [624_485, [0xe5, 0x8e, 0x26]],
    [2 ** 31, [0x80, 0x80, 0x80, 0x80, 0x08]],
    [2 ** 32 - 1, [0xff, 0xff, 0xff, 0xff, 0x0f]],
  ])('writes %i as unsigned LEB128', (value, expected) => {
    expect(written((bytes) => bytes.writeU32(value))).toEqual(expected);
  });

  it.each([
    [0, [0x00]],
    [63, [0x3f]],
    [64, [0xc0, 0x00]],
    [-1, [0x7f]],
    [-64, [0x40]],
    [-65, [0xbf, 0x7f]],
    [-123_456, [0xc0, 0xbb, 0x78]],
    [2 ** 31 - 1, [0xff, 0xff, 0xff, 0xff, 0x07]],
    [-(2 ** 31), [0x80, 0x80, 0x80, 0x80, 0x78]],
  ])('writes %i as signed LEB128 of 32 and of 64 bits', (value, expected) => {
    expect(written((bytes) => bytes.writeS32(value))).toEqual(expected);
    expect(written((bytes) => bytes.writeS64(BigInt(value)))).toEqual(expected);
  });

  it('writes the ends of the 64-bit range', () => {
    const nineOnes = new Array(9).fill(0xff);
    const nineZeros = new Array(9).fill(0x80);
    expect(written((bytes) => bytes.writeS64(2n ** 63n - 1n))).toEqual([...nineOnes, 0x00]);
    expect(written((bytes) => bytes.writeS64(-(2n ** 63n)))).toEqual([...nineZeros, 0x7f]);
    expect(written((bytes) => bytes.writeS64(2n ** 64n - 1n))).toEqual([0x7f]);
  });

  it('grows over every kind of write', () => {
    const write = (bytes: ByteWriter) => {
      bytes.writeByte(1);
      bytes.writeF32(1);
      bytes.writeF64(-2);
      bytes.writeBytes([1, 2, 3, 4, 5, 6, 7, 8, 9]);
      bytes.writeName('größe');
      bytes.writeSized(() => bytes.writeU32(300));
    };
    expect(written(write, 1)).toEqual(written(write, 1000));
  });

  it('puts a padded length before sized content', () => {
    const content = new Uint8Array(200);
    const bytes = written((writer) => writer.writeSized(() => writer.writeBytes(content)));
    expect(bytes.slice(0, 5)).toEqual([0xc8, 0x81, 0x80, 0x80, 0x00]);
    expect(bytes).toHaveLength(205);
  });
});
