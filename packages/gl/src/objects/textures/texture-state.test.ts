import type { TextureFormat } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import type { GlContext } from '../../context.ts';
import { bytesOf, makeContext } from '../../testing/small-context.ts';
import type { Upload } from './texture-uploads.ts';

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
  gl.textures.uploads.image(image.internal ?? format, {
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
  gl.textures.setParameter(D2, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
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
    gl.textures.pixelStore.set(GL.UNPACK_ALIGNMENT, 1);
    gl.textures.pixelStore.set(GL.UNPACK_ROW_LENGTH, 3);
    gl.textures.pixelStore.set(GL.UNPACK_SKIP_PIXELS, 1);
    gl.textures.pixelStore.set(GL.UNPACK_SKIP_ROWS, 1);
    upload(gl, { format: GL.LUMINANCE, size: [2, 1], bytes: [0, 0, 0, 0, 5, 6] });
    expect(texels(gl)).toEqual([5, 5, 5, 255, 6, 6, 6, 255]);
  });

  it('replace a rectangle and leave what draws have seen', () => {
    const { gl } = makeContext();
    useNearest(gl);
    upload(gl, { format: GL.LUMINANCE, size: [2, 2], bytes: [1, 2, 0, 0, 3, 4] });
    const seen = gl.textures.bound(0, D2).contentForSampling()!;
    gl.textures.uploads.subImage(1, 1, {
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
    expect(gl.errors.take()).toBe(error);
    expect(level(gl)).toBeNull();
  });
});

describe('sizes of stored blocks', () => {
  const blockBytes = (gl: GlContext) => gl.textures.bound(0, D2).contentForSampling()?.blockBytes;
  const compressed = (internalFormat: number, bytes: number): GlContext => {
    const { gl } = makeContext();
    useNearest(gl);
    const size = { widthPx: 4, heightPx: 4 };
    const image = { target: D2, level: 0, ...size, bytes: new Uint8Array(bytes) };
    gl.textures.uploads.compressed.image(internalFormat, image);
    return gl;
  };

  it.each([
    ['DXT1', 0x83f0, 8],
    ['DXT5', 0x83f3, 16],
    ['RGTC1', 0x8dbb, 8],
    ['ETC2', 0x9274, 8],
    ['ETC2 with EAC', 0x9278, 16],
    ['EAC of 11 bits', 0x9270, 8],
    ['BC7', 0x8e8c, 16],
    ['BC6H', 0x8e8f, 16],
    ['ASTC', 0x93b0, 16],
  ])('are those of %s', (_, internalFormat, bytes) => {
    expect(blockBytes(compressed(internalFormat, bytes))).toBe(bytes);
  });

  it('have the width and height of ASTC blocks', () => {
    const content = compressed(0x93d6, 16).textures.bound(0, D2).contentForSampling();
    expect(content).toMatchObject({ blockBytes: 16, blockWidthPx: 8, blockHeightPx: 6 });
    const square = compressed(0x93b0, 16).textures.bound(0, D2).contentForSampling();
    expect(square).not.toHaveProperty('blockWidthPx');
  });

  it('limit the places of partial updates', () => {
    const gl = compressed(0x93b7, 16);
    const whole = { widthPx: 20, heightPx: 16, bytes: new Uint8Array(96) };
    gl.textures.uploads.compressed.image(0x93b7, { target: D2, level: 0, ...whole });
    const update = (x: number, widthPx: number) => {
      const part = { target: D2, level: 0, widthPx, heightPx: 8, bytes: new Uint8Array(48) };
      gl.textures.uploads.compressed.subImage(x, 8, 0x93b7, part);
      return gl.errors.take();
    };
    expect([update(8, 8), update(8, 12), update(0, 20)]).toEqual([0, 0, 0]);
    expect([update(4, 8), update(0, 4)]).toEqual([GL.INVALID_OPERATION, GL.INVALID_OPERATION]);
    // ASTC 8×8 with sRGB, and DXT5, whose texels have the same format.
    for (const other of [0x93d7, 0x83f3]) {
      const part = { target: D2, level: 0, widthPx: 8, heightPx: 8, bytes: new Uint8Array(64) };
      gl.textures.uploads.compressed.subImage(8, 8, other, part);
      expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    }
  });

  it.each<[string, Image, number | undefined]>([
    ['RGBA', {}, undefined],
    ['RGB', { format: GL.RGB }, undefined],
    ['ALPHA', { format: GL.ALPHA }, 16],
    ['LUMINANCE', { format: GL.LUMINANCE }, 16],
    ['LUMINANCE_ALPHA', { format: GL.LUMINANCE_ALPHA }, 32],
    ['5-6-5', { format: GL.RGB, type: GL.UNSIGNED_SHORT_5_6_5 }, 32],
    ['4-4-4-4', { type: GL.UNSIGNED_SHORT_4_4_4_4 }, 32],
    ['half floats of luminance', { format: GL.LUMINANCE, type: GL.HALF_FLOAT_OES }, 32],
  ])('are those of %s in OpenGL ES 2.0', (_, image, expected) => {
    const { gl } = makeContext();
    useNearest(gl);
    upload(gl, image);
    expect(blockBytes(gl)).toBe(expected);
  });

  it('are kept by updates and generated levels', () => {
    const gl = compressed(0x83f0, 8);
    const part = { target: D2, level: 0, widthPx: 4, heightPx: 4, bytes: new Uint8Array(8) };
    gl.textures.uploads.compressed.subImage(0, 0, 0x83f0, part);
    expect(blockBytes(gl)).toBe(8);
    gl.textures.bound(0, D2).generateMipmaps();
    expect(blockBytes(gl)).toBe(8);
  });

  it('are those of the format if a pass draws into the texture', () => {
    const { gl } = makeContext();
    useNearest(gl);
    upload(gl, { format: GL.RGB, type: GL.UNSIGNED_SHORT_5_6_5 });
    const texture = gl.textures.bound(0, D2);
    expect(blockBytes(gl)).toBe(32);
    expect(texture.contentForDrawing()?.blockBytes).toBeUndefined();
    expect(blockBytes(gl)).toBeUndefined();
  });
});

describe('texture completeness', () => {
  const content = (gl: GlContext) => gl.textures.bound(0, D2).contentForSampling();
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

  it('is met by generated levels, which stay when the base or another level changes', () => {
    const { gl } = makeContext();
    upload(gl, { size: [4, 4], bytes: white([4, 4]) });
    gl.textures.uploads.generateMipmap(D2);
    expect(content(gl)).toMatchObject({ isMipmapGenerated: true });
    upload(gl, { size: [4, 4], bytes: new Uint8Array(64) });
    const firstBytes = () => content(gl)?.levels.map(([byte]) => byte);
    expect(firstBytes()).toEqual([0, 255, 255]);
    gl.textures.uploads.generateMipmap(D2);
    upload(gl, { size: [2, 2], bytes: new Uint8Array(16).fill(7), level: 1 });
    expect(firstBytes()).toEqual([0, 7, 0]);
    gl.textures.uploads.generateMipmap(D2);
    expect(content(gl)).toMatchObject({ isMipmapGenerated: true });
  });

  it('restricts other sizes than powers of two where the API does', () => {
    const isComplete = { gles2: false, webgl1: false };
    for (const dialect of ['gles2', 'webgl1'] as const) {
      const { gl } = makeContext(dialect);
      useNearest(gl);
      upload(gl, { size: [3, 2], bytes: white([3, 2]) });
      isComplete[dialect] = content(gl) !== null;
      gl.textures.setParameter(D2, GL.TEXTURE_WRAP_S, GL.CLAMP_TO_EDGE);
      gl.textures.setParameter(D2, GL.TEXTURE_WRAP_T, GL.CLAMP_TO_EDGE);
      expect(content(gl)).not.toBeNull();
    }
    expect(isComplete).toEqual({ gles2: true, webgl1: false });
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
    gl.textures.setParameter(D2, GL.TEXTURE_MIN_FILTER, GL.LINEAR_MIPMAP_NEAREST);
    gl.textures.setParameter(D2, GL.TEXTURE_WRAP_T, GL.MIRRORED_REPEAT);
    expect(texture.sampler()).toMatchObject({
      wrapT: 'mirrored-repeat',
      minFilter: 'linear',
      mipmapFilter: 'nearest',
    });
    gl.textures.setParameter(D2, GL.TEXTURE_MIN_FILTER, GL.REPEAT);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
  });

  it('translates limits of the level of detail, borders and comparisons', () => {
    const { gl } = makeContext('gl');
    const texture = gl.textures.bound(0, D2);
    gl.textures.setParameter(D2, GL.TEXTURE_MAX_ANISOTROPY, 16);
    gl.textures.setParameter(D2, GL.TEXTURE_MIN_LOD, 1.5);
    gl.textures.setParameter(D2, GL.TEXTURE_LOD_BIAS, -0.5);
    gl.textures.setParameter(D2, GL.TEXTURE_MAX_LEVEL, 3);
    gl.textures.setParameter(D2, GL.TEXTURE_WRAP_S, GL.CLAMP);
    gl.textures.setBorderColor(D2, [1, 0, 0, 1]);
    expect(texture.sampler()).toMatchObject({
      maxAnisotropy: 16,
      ...{ wrapS: 'clamp', minLod: 1.5, lodBias: -0.5, maxLod: 3, borderColor: [1, 0, 0, 1] },
    });
    gl.textures.setParameter(D2, GL.TEXTURE_MAX_ANISOTROPY, 2.5);
    expect(texture.sampler().maxAnisotropy).toBe(2);
    gl.textures.setParameter(D2, GL.TEXTURE_MAX_ANISOTROPY, 64);
    expect(texture.sampler().maxAnisotropy).toBe(16);
    gl.textures.setParameter(D2, GL.TEXTURE_MIN_FILTER, GL.LINEAR);
    expect(texture.sampler().maxAnisotropy).toBeUndefined();
    expect(texture.sampler().compare).toBeUndefined();
    upload(gl, { format: GL.DEPTH_COMPONENT, type: GL.UNSIGNED_SHORT, bytes: words(0x8000) });
    gl.textures.setParameter(D2, GL.TEXTURE_COMPARE_MODE, 0x884e);
    expect(texture.sampler()).toMatchObject({
      compare: 'less-equal',
    });
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    gl.textures.setParameter(D2, GL.TEXTURE_COMPARE_MODE, 1);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
  });
});

describe('other textures', () => {
  const WORD = GL.UNSIGNED_INT;
  const put = (gl: GlContext, target: number, internal: number, given: Partial<Upload>) =>
    gl.textures.uploads.image(internal, {
      ...{ target, level: 0, widthPx: 1, heightPx: 1, bytes: null },
      ...{ format: GL.RGBA, type: GL.UNSIGNED_BYTE },
      ...given,
    });
  const float = (...values: number[]) => bytesOf(Float32Array.from(values));

  it.each<[string, number, number, number, Uint8Array, TextureFormat, number[]]>([
    [
      'floats',
      0x8814,
      GL.RGBA,
      GL.FLOAT,
      float(1, -2, 0, 4),
      'rgba32float',
      [...float(1, -2, 0, 4)],
    ],
    [
      'floats of three',
      0x8815,
      GL.RGB,
      GL.FLOAT,
      float(1, 2, 3),
      'rgba32float',
      [...float(1, 2, 3, 1)],
    ],
    ['halves', 0x822d, GL.RED, GL.FLOAT, float(1.5), 'r16float', [0, 0x3e]],
    [
      'floats without a size',
      GL.LUMINANCE,
      GL.LUMINANCE,
      GL.FLOAT,
      float(2),
      'rgba32float',
      [...float(2, 2, 2, 1)],
    ],
    ['signed bytes', 0x8f94, GL.RED, GL.BYTE, Uint8Array.of(0x81), 'r8snorm', [0x81]],
    [
      'integers',
      0x8d8e,
      0x8d99,
      GL.BYTE,
      Uint8Array.of(1, 255, 128, 7),
      'rgba8sint',
      [1, 255, 128, 7],
    ],
    ['words', 0x8236, 0x8d94, WORD, Uint8Array.of(1, 2, 3, 4), 'r32uint', [1, 2, 3, 4]],
    [
      'packed tens',
      0x8059,
      GL.RGBA,
      0x8368,
      Uint8Array.of(255, 3, 0, 0xc0),
      'rgb10a2unorm',
      [255, 3, 0, 0xc0],
    ],
    [
      'packed floats',
      0x8c3a,
      GL.RGB,
      0x8c3b,
      Uint8Array.of(1, 2, 3, 4),
      'rg11b10ufloat',
      [1, 2, 3, 4],
    ],
    [
      'shared exponents of floats',
      0x8c3d,
      GL.RGB,
      GL.FLOAT,
      float(1, 0.5, 0),
      'rgb9e5ufloat',
      [0, 1, 1, 0x80],
    ],
    [
      'depth',
      GL.DEPTH_COMPONENT16,
      GL.DEPTH_COMPONENT,
      GL.UNSIGNED_SHORT,
      Uint8Array.of(255, 255),
      'depth24unorm-stencil8',
      [255, 255, 255, 0],
    ],
    [
      'depth and stencil',
      GL.DEPTH24_STENCIL8,
      GL.DEPTH_STENCIL,
      0x84fa,
      Uint8Array.of(9, 1, 2, 3),
      'depth24unorm-stencil8',
      [1, 2, 3, 9],
    ],
  ])('store %s', (_what, internal, format, type, bytes, stored, expected) => {
    const { gl, messages } = makeContext();
    put(gl, D2, internal, { format, type, bytes });
    expect(messages).toEqual([]);
    expect(level(gl)!.format).toBe(stored);
    expect(texels(gl)).toEqual(expected);
  });

  it('are cubes once all faces are there and alike', () => {
    const { gl } = makeContext();
    const cube = gl.textures.bound(0, GL.TEXTURE_CUBE_MAP);
    cube.setParameter(GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    for (let face = 0; face < 6; face++) {
      expect(cube.contentForSampling()).toBeNull();
      put(gl, GL.TEXTURE_CUBE_MAP_POSITIVE_X + face, GL.RGBA, {
        bytes: Uint8Array.of(face, 0, 0, 0),
      });
    }
    const content = cube.contentForSampling()!;
    expect(cube.sampler()).toMatchObject({ isCubeEdgeHard: true });
    expect(content).toMatchObject({ dimension: 'cube', sliceCount: 6, widthPx: 1 });
    expect([0, 4, 20].map((at) => content.levels[0]![at])).toEqual([0, 1, 5]);
    put(gl, GL.TEXTURE_CUBE_MAP_POSITIVE_X + 3, GL.RGB, { format: GL.RGB });
    expect(cube.isComplete()).toBe(false);
    put(gl, GL.TEXTURE_CUBE_MAP_POSITIVE_X + 3, GL.RGBA, {});
    expect(cube.isComplete()).toBe(true);
    put(gl, GL.TEXTURE_CUBE_MAP_POSITIVE_X, GL.RGBA, { widthPx: 2 });
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
  });

  it('are 3D, with skipped slices and boxes that are replaced', () => {
    const { gl, messages } = makeContext();
    const target = 0x806f;
    const red = { format: GL.LUMINANCE, type: GL.UNSIGNED_BYTE };
    gl.textures.pixelStore.set(GL.UNPACK_ALIGNMENT, 1);
    gl.textures.pixelStore.set(0x806e, 2);
    const bytes = Uint8Array.of(1, 0, 2, 0, 3, 0);
    put(gl, target, GL.LUMINANCE, { ...red, depthPx: 3, bytes });
    const box = { ...red, target, level: 0, widthPx: 1, heightPx: 1 };
    gl.textures.uploads.subImage(0, 0, { ...box, bytes: Uint8Array.of(9) }, 1);
    const volume = gl.textures.bound(0, target);
    volume.setParameter(GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    const content = volume.contentForSampling()!;
    expect(messages).toEqual([]);
    expect(content).toMatchObject({ dimension: '3d', sliceCount: 3 });
    expect([0, 4, 8].map((at) => content.levels[0]![at])).toEqual([1, 9, 3]);
    // Images of a client's volume are skipped for a single slice too, and not for a 2D upload.
    gl.textures.pixelStore.set(0x806d, 2);
    const third = { ...box, depthPx: 1, bytes: Uint8Array.of(4, 0, 5, 0, 6) };
    gl.textures.uploads.subImage(0, 0, third, 0);
    gl.textures.uploads.subImage(0, 0, { ...box, bytes: Uint8Array.of(7) }, 1);
    const { levels } = volume.contentForSampling()!;
    expect([0, 4, 8].map((at) => levels[0]![at])).toEqual([6, 7, 3]);
    gl.textures.uploads.subImage(0, 0, { ...box, bytes: Uint8Array.of(9) }, 3);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
  });

  it('of integers are not filtered', () => {
    const { gl } = makeContext();
    put(gl, D2, 0x8d7c, { format: 0x8d99 });
    const texture = gl.textures.bound(0, D2);
    texture.setParameter(GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    expect(texture.contentForSampling()).toBeNull();
    texture.setParameter(GL.TEXTURE_MAG_FILTER, GL.NEAREST);
    expect(texture.contentForSampling()?.format).toBe('rgba8uint');
    gl.textures.uploads.generateMipmap(D2);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
  });
});
