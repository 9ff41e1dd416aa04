import { describe, expect, it } from 'vitest';
import { GL } from '../constants.ts';
import type { GlContext } from '../gl-context.ts';
import { bytesOf, makeContext } from '../testing/small-context.ts';

const D2 = GL.TEXTURE_2D;

interface Image {
  internal?: number;
  format?: number;
  type?: number;
  size?: readonly [number, number];
  bytes?: readonly number[] | Uint8Array | null;
  level?: number;
}

function upload(gl: GlContext, image: Image): void {
  const { format = GL.RGBA, type = GL.UNSIGNED_BYTE, size = [1, 1], bytes = null } = image;
  gl.texImage2D(image.internal ?? format, {
    target: D2,
    level: image.level ?? 0,
    widthPx: size[0],
    heightPx: size[1],
    format,
    type,
    bytes: bytes === null ? null : Uint8Array.from(bytes),
  });
}

function level(gl: GlContext, index = 0) {
  return gl.textures.bound(0, D2).level(index);
}

function texels(gl: GlContext, index = 0): number[] {
  return [...level(gl, index)!.texels];
}

function useNearest(gl: GlContext): void {
  gl.texParameter(D2, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
}

function words(...values: number[]): number[] {
  return [...bytesOf(Uint16Array.from(values))];
}

describe('texture uploads', () => {
  it.each<[string, number, number, number[], number[]]>([
    ['RGBA', GL.RGBA, GL.UNSIGNED_BYTE, [1, 2, 3, 4], [1, 2, 3, 4]],
    ['RGB', GL.RGB, GL.UNSIGNED_BYTE, [1, 2, 3], [1, 2, 3, 255]],
    ['ALPHA', GL.ALPHA, GL.UNSIGNED_BYTE, [7], [0, 0, 0, 7]],
    ['LUMINANCE', GL.LUMINANCE, GL.UNSIGNED_BYTE, [7], [7, 7, 7, 255]],
    ['LUMINANCE_ALPHA', GL.LUMINANCE_ALPHA, GL.UNSIGNED_BYTE, [7, 8], [7, 7, 7, 8]],
    ['BGRA', GL.BGRA, GL.UNSIGNED_BYTE, [1, 2, 3, 4], [3, 2, 1, 4]],
    [
      '5-6-5',
      GL.RGB,
      GL.UNSIGNED_SHORT_5_6_5,
      words((31 << 11) | (32 << 5) | 1),
      [255, 130, 8, 255],
    ],
    ['4-4-4-4', GL.RGBA, GL.UNSIGNED_SHORT_4_4_4_4, words(0xf18a), [255, 17, 136, 170]],
    [
      '5-5-5-1',
      GL.RGBA,
      GL.UNSIGNED_SHORT_5_5_5_1,
      words((31 << 11) | (1 << 6) | 1),
      [255, 8, 0, 255],
    ],
    ['float', GL.RGBA, GL.FLOAT, [...bytesOf(Float32Array.of(0.5, 2, -1, 1))], [128, 255, 0, 255]],
  ])('%s becomes 8 bits a channel', (_what, format, type, bytes, expected) => {
    const { gl, messages } = makeContext();
    upload(gl, { format, type, bytes });
    expect(messages).toEqual([]);
    expect(texels(gl)).toEqual(expected);
  });

  it.each<[string, number, number, number[], number[]]>([
    ['RGBA kept as RGB', GL.RGB8, GL.RGBA, [1, 2, 3, 4], [1, 2, 3, 255]],
    ['RGBA kept as luminance', GL.LUMINANCE8, GL.RGBA, [1, 2, 3, 4], [1, 1, 1, 255]],
    ['luminance kept as intensity', GL.INTENSITY8, GL.LUMINANCE, [9], [9, 9, 9, 9]],
    ['BGR', 3, GL.BGR, [1, 2, 3], [3, 2, 1, 255]],
    ['red', GL.R8, GL.RED, [5], [5]],
    ['red and green', GL.RG8, GL.RG, [5, 6], [5, 6]],
    ['sRGB', GL.SRGB8_ALPHA8, GL.RGBA, [1, 2, 3, 4], [1, 2, 3, 4]],
  ])(
    '%s follows the internal format on the desktop',
    (_what, internal, format, bytes, expected) => {
      const { gl, messages } = makeContext('gl');
      upload(gl, { internal, format, bytes });
      expect(messages).toEqual([]);
      expect(texels(gl)).toEqual(expected);
    },
  );

  it('obeys alignment, row length and skipped texels', () => {
    const { gl } = makeContext('gl');
    const rows = [1, 1, 1, 2, 2, 2, 0, 0, 3, 3, 3, 4, 4, 4];
    upload(gl, { format: GL.RGB, size: [2, 2], bytes: rows });
    expect(texels(gl)).toEqual([1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255, 4, 4, 4, 255]);
    gl.pixelStorei(GL.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(GL.UNPACK_ROW_LENGTH, 3);
    gl.pixelStorei(GL.UNPACK_SKIP_PIXELS, 1);
    gl.pixelStorei(GL.UNPACK_SKIP_ROWS, 1);
    upload(gl, { format: GL.LUMINANCE, size: [2, 1], bytes: [0, 0, 0, 0, 5, 6] });
    expect(texels(gl)).toEqual([5, 5, 5, 255, 6, 6, 6, 255]);
  });

  it('replace a rectangle and leave what draws have seen', () => {
    const { gl } = makeContext();
    useNearest(gl);
    upload(gl, { format: GL.LUMINANCE, size: [2, 2], bytes: [1, 2, 0, 0, 3, 4] });
    const seen = gl.textures.bound(0, D2).contentForSampling(false)!;
    gl.texSubImage2D(1, 1, {
      target: D2,
      level: 0,
      widthPx: 1,
      heightPx: 1,
      format: GL.LUMINANCE,
      type: GL.UNSIGNED_BYTE,
      bytes: Uint8Array.of(9),
    });
    expect(texels(gl).filter((_, i) => i % 4 === 0)).toEqual([1, 2, 3, 9]);
    expect(seen.levels[0]![12]).toBe(4);
  });

  it.each<[string, number, Image]>([
    ['an internal format other than the format', GL.INVALID_OPERATION, { internal: GL.RGB }],
    ['an unknown internal format', GL.INVALID_VALUE, { internal: 0x1234 }],
    ['a type that does not fit', GL.INVALID_OPERATION, { type: GL.UNSIGNED_SHORT_5_6_5 }],
    ['too few bytes', GL.INVALID_OPERATION, { bytes: [1, 2, 3] }],
    ['a size past the limit', GL.INVALID_VALUE, { size: [8193, 1] }],
  ])('refuse %s', (_what, error, image) => {
    const { gl } = makeContext();
    upload(gl, image);
    expect(gl.getError()).toBe(error);
    expect(level(gl)).toBeNull();
  });
});

describe('texture completeness', () => {
  const content = (gl: GlContext, isPowerOfTwoOnly = false) =>
    gl.textures.bound(0, D2).contentForSampling(isPowerOfTwoOnly);
  const white = (size: readonly [number, number]) =>
    new Uint8Array(size[0] * size[1] * 4).fill(255);

  it('asks for all levels where the filter reads them', () => {
    const { gl } = makeContext();
    upload(gl, { size: [4, 2], bytes: white([4, 2]) });
    expect(content(gl)).toBeNull();
    upload(gl, { size: [2, 1], bytes: white([2, 1]), level: 1 });
    expect(content(gl)).toBeNull();
    upload(gl, { size: [1, 1], bytes: white([1, 1]), level: 2 });
    expect(content(gl)?.levels).toHaveLength(3);
    upload(gl, { size: [2, 2], bytes: white([2, 2]), level: 1 });
    expect(content(gl)).toBeNull();
    useNearest(gl);
    expect(content(gl)?.levels).toHaveLength(1);
  });

  it('is met by generated levels, until the base changes', () => {
    const { gl } = makeContext();
    upload(gl, { size: [3, 3], bytes: white([3, 3]) });
    gl.generateMipmap(D2);
    expect(content(gl)).toMatchObject({ isMipmapGenerated: true });
    upload(gl, { size: [3, 3], bytes: white([3, 3]) });
    expect(() => content(gl)).toThrow(/levels changed since glGenerateMipmap/);
    gl.generateMipmap(D2);
    expect(content(gl)).toMatchObject({ isMipmapGenerated: true });
  });

  it('restricts other sizes than powers of two where the API does', () => {
    const { gl } = makeContext();
    useNearest(gl);
    upload(gl, { size: [3, 2], bytes: white([3, 2]) });
    expect(content(gl, false)).not.toBeNull();
    expect(content(gl, true)).toBeNull();
    gl.texParameter(D2, GL.TEXTURE_WRAP_S, GL.CLAMP_TO_EDGE);
    gl.texParameter(D2, GL.TEXTURE_WRAP_T, GL.CLAMP_TO_EDGE);
    expect(content(gl, true)).not.toBeNull();
  });

  it('translates the sampler', () => {
    const { gl } = makeContext();
    const texture = gl.textures.bound(0, D2);
    expect(texture.sampler()).toEqual({
      wrapS: 'repeat',
      wrapT: 'repeat',
      magFilter: 'linear',
      minFilter: 'nearest',
      mipmapFilter: 'linear',
    });
    gl.texParameter(D2, GL.TEXTURE_MIN_FILTER, GL.LINEAR_MIPMAP_NEAREST);
    gl.texParameter(D2, GL.TEXTURE_WRAP_T, GL.MIRRORED_REPEAT);
    expect(texture.sampler()).toMatchObject({
      wrapT: 'mirrored-repeat',
      minFilter: 'linear',
      mipmapFilter: 'nearest',
    });
    gl.texParameter(D2, GL.TEXTURE_MIN_FILTER, GL.REPEAT);
    expect(gl.getError()).toBe(GL.INVALID_ENUM);
  });

  it('refuses to sample with what chiplets do not have', () => {
    const { gl } = makeContext('gl');
    gl.texParameter(D2, GL.TEXTURE_MAX_ANISOTROPY, 16);
    expect(() => gl.textures.bound(0, D2).sampler()).toThrow(/ANISOTROPY 16/);
    gl.texParameter(D2, GL.TEXTURE_MAX_ANISOTROPY, 1);
    gl.texParameter(D2, GL.TEXTURE_WRAP_S, GL.CLAMP);
    expect(() => gl.textures.bound(0, D2).sampler()).toThrow(/GL_CLAMP/);
  });
});
