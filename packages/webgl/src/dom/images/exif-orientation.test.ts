import { describe, expect, it } from 'vitest';
import type { Pixels } from '../../pixels/pixels.ts';
import { readOrientation, turnUpright } from './exif-orientation.ts';

/** Returns the start of a JPEG file with an EXIF orientation. */
function jpegHeader(orientation: number, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(40));
  view.setUint16(0, 0xffd8);
  view.setUint16(2, 0xffe1);
  view.setUint16(4, 34);
  view.setUint32(6, 0x45786966);
  view.setUint16(12, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(14, 42, isLittle);
  view.setUint32(16, 8, isLittle);
  view.setUint16(20, 1, isLittle);
  view.setUint16(22, 0x0112, isLittle);
  view.setUint16(24, 3, isLittle);
  view.setUint32(26, 1, isLittle);
  view.setUint16(30, orientation, isLittle);
  return new Uint8Array(view.buffer);
}

/** Image of 3×2 pixels, numbered from the top left. */
const PIXELS: Pixels = {
  widthPx: 3,
  heightPx: 2,
  rgba: new Uint8ClampedArray(Uint32Array.of(0, 1, 2, 3, 4, 5).buffer),
  isPremultiplied: false,
};

describe('readOrientation', () => {
  it.each([true, false])('reads both byte orders (little: %s)', (isLittle) => {
    expect(readOrientation(jpegHeader(6, isLittle))).toBe(6);
    expect(readOrientation(jpegHeader(9, isLittle))).toBe(1);
  });

  it('treats images without orientation as upright', () => {
    expect(readOrientation(Uint8Array.of(137, 80, 78, 71))).toBe(1);
    expect(readOrientation(jpegHeader(6, true).subarray(0, 24))).toBe(1);
  });
});

describe('turnUpright', () => {
  // Positions of the stored first row and column for orientations 2 to 8, as EXIF names them.
  it.each([
    [1, 3, [0, 1, 2, 3, 4, 5]],
    [2, 3, [2, 1, 0, 5, 4, 3]],
    [3, 3, [5, 4, 3, 2, 1, 0]],
    [4, 3, [3, 4, 5, 0, 1, 2]],
    [5, 2, [0, 3, 1, 4, 2, 5]],
    [6, 2, [3, 0, 4, 1, 5, 2]],
    [7, 2, [5, 2, 4, 1, 3, 0]],
    [8, 2, [2, 5, 1, 4, 0, 3]],
  ] as const)('of %i', (orientation, widthPx, expected) => {
    const turned = turnUpright(PIXELS, orientation);
    expect(turned.widthPx).toBe(widthPx);
    expect([...new Uint32Array(turned.rgba.slice().buffer)]).toEqual([...expected]);
  });
});
