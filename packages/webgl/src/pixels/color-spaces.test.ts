import { describe, expect, it } from 'vitest';
import { makeContext2, readPixel } from '../testing/small-context.ts';
import { convertToDisplayP3 } from './color-spaces.ts';

/** Image of one texel. */
const image = (...rgba: number[]) => ({
  widthPx: 1,
  heightPx: 1,
  rgba: Uint8Array.from(rgba),
  isPremultiplied: false,
});

describe('convertToDisplayP3', () => {
  // Values of the Khronos suite (namedColorInColorSpace); greys are equal in both spaces.
  it.each([
    [
      [255, 0, 0, 255],
      [234, 51, 35, 255],
    ],
    [
      [0, 255, 0, 128],
      [117, 251, 76, 128],
    ],
    [
      [77, 77, 77, 0],
      [77, 77, 77, 0],
    ],
  ])('converts %j', (from, to) => {
    expect([...convertToDisplayP3(image(...from)).rgba]).toEqual(to);
  });

  it('converts premultiplied colors, and channels of 16 bits', () => {
    const half = { ...image(128, 0, 0, 128), isPremultiplied: true };
    expect([...convertToDisplayP3(half).rgba]).toEqual([117, 26, 18, 128]);
    const deep = { ...image(255, 0, 0, 255), rgba16: Uint16Array.of(65_535, 0, 0, 65_535) };
    const [red, green, blue] = convertToDisplayP3(deep).rgba16!;
    expect([red! / 257, green! / 257, blue! / 257].map(Math.round)).toEqual([234, 51, 35]);
  });
});

describe('unpackColorSpace', () => {
  it('converts images, but not arrays, and no images without color conversion', () => {
    const gl = makeContext2();
    const read = (source: object | Uint8Array): number[] => {
      const texture = gl.createTexture();
      gl.bindTexture(gl.TEXTURE_2D, texture);
      const format = [gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE] as const;
      gl.texImage2D(gl.TEXTURE_2D, 0, ...format, source as Uint8Array);
      gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
      const target = [gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0] as const;
      gl.framebufferTexture2D(gl.FRAMEBUFFER, ...target);
      return readPixel(gl);
    };
    const red = { width: 1, height: 1, data: Uint8ClampedArray.of(255, 0, 0, 255) };
    expect(gl.unpackColorSpace).toBe('srgb');
    expect(read(red)).toEqual([255, 0, 0, 255]);
    gl.unpackColorSpace = 'display-p3';
    expect(read(red)).toEqual([234, 51, 35, 255]);
    expect(read(Uint8Array.of(255, 0, 0, 255))).toEqual([255, 0, 0, 255]);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    expect(read(red)).toEqual([255, 0, 0, 255]);
    // An unknown value changes nothing (WebIDL, section 3.6.8).
    gl.unpackColorSpace = 'rec2020' as PredefinedColorSpace;
    expect(gl.unpackColorSpace).toBe('display-p3');
    gl.drawingBufferColorSpace = 'display-p3';
    expect(gl.drawingBufferColorSpace).toBe('srgb');
  });
});
