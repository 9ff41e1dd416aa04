import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { replay, startCapture, swap } from '../testing/small-capture.ts';

/** Bits of two bytes, from the left: 11010000 00000001. */
const ROW = Uint8Array.of(0b1101_0000, 0b0000_0001);

/** Returns the rows of ones and zeros that a bitmap of one row draws. */
function drawnBits(isLeastBitFirst: number): string {
  const writer = startCapture()
    .call('glUseProgram', { program: 0 })
    .call('glPixelStorei', { pname: GL.UNPACK_ALIGNMENT, param: 1 })
    .call('glPixelStorei', { pname: GL.UNPACK_LSB_FIRST, param: isLeastBitFirst })
    .call('glRasterPos2f', { x: 0, y: 0 })
    .call('glBitmap', {
      ...{ width: 16, height: 1, xorig: 0, yorig: 0, xmove: 0, ymove: 0, bitmap: ROW },
    });
  const { frame } = replay(swap(writer));
  const [texture] = frame.textures;
  return Array.from(texture!.levels[0]!, (texel) => (texel === 0 ? '0' : '1')).join('');
}

describe('order of the bits of bitmaps (OpenGL 2.1, section 3.6.4)', () => {
  it('begins with the most significant bit, or the least if the program says so', () => {
    expect(drawnBits(0)).toBe('1101000000000001');
    expect(drawnBits(1)).toBe('0000101110000000');
  });

  it('holds for polygon stipples', () => {
    const stipple = (isLeastBitFirst: number) => {
      const mask = new Uint8Array(128);
      mask.set(ROW);
      const writer = startCapture()
        .call('glUseProgram', { program: 0 })
        .call('glPixelStorei', { pname: GL.UNPACK_LSB_FIRST, param: isLeastBitFirst })
        .call('glEnable', { cap: 0x0b42 })
        .call('glPolygonStipple', { mask })
        .call('glRectf', { x1: 0, y1: 0, x2: 1, y2: 1 });
      const { frame } = replay(swap(writer));
      const texels = frame.textures[0]!.levels[0]!.subarray(0, 16);
      return Array.from(texels, (texel) => (texel === 0 ? '0' : '1')).join('');
    };
    expect(stipple(0)).toBe('1101000000000001');
    expect(stipple(1)).toBe('0000101110000000');
  });
});
