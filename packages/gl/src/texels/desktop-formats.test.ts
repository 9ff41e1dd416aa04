import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { makeContext } from '../testing/small-context.ts';

/** Uploads one texel and returns what the level stores. */
function upload(internalFormat: number, format: number, type: number, bytes: Uint8Array) {
  const { gl, messages } = makeContext('gl');
  gl.textures.bind(GL.TEXTURE_2D, 1);
  const size = { level: 0, widthPx: 1, heightPx: 1 };
  gl.textures.uploads.image(internalFormat, {
    target: GL.TEXTURE_2D,
    ...size,
    format,
    type,
    bytes,
  });
  expect(messages).toEqual([]);
  const { format: stored, texels } = gl.textures.bound(0, GL.TEXTURE_2D).level(0)!;
  return { stored, texels: [...texels] };
}

describe('internal formats of desktop OpenGL', () => {
  it.each([
    ['R16', 0x822a, 'r8unorm', [10]],
    ['RG16_SNORM', 0x8f99, 'rg8snorm', [5, 10]],
    ['SLUMINANCE8_ALPHA8', 0x8c45, 'rgba8unorm-srgb', [10, 10, 10, 40]],
    ['COMPRESSED_INTENSITY', 0x84ec, 'rgba8unorm', [10, 10, 10, 10]],
    ['COMPRESSED_RGB_S3TC_DXT1', 0x83f0, 'rgba8unorm', [10, 20, 30, 255]],
  ] as const)('stores %s', (_name, internalFormat, stored, texels) => {
    const bytes = Uint8Array.of(10, 20, 30, 40);
    expect(upload(internalFormat, GL.RGBA, GL.UNSIGNED_BYTE, bytes)).toEqual({ stored, texels });
  });

  it.each([
    ['ALPHA8I', 0x8d90, 'rgba8sint', [0, 0, 0, 40]],
    ['INTENSITY8UI', 0x8d7f, 'rgba8uint', [10, 10, 10, 10]],
    ['LUMINANCE8UI', 0x8d80, 'rgba8uint', [10, 10, 10, 1]],
    ['LUMINANCE_ALPHA8I', 0x8d93, 'rgba8sint', [10, 10, 10, 40]],
    ['ALPHA16UI', 0x8d78, 'rgba16uint', [0, 0, 0, 0, 0, 0, 40, 0]],
    ['LUMINANCE32I', 0x8d86, 'rgba32sint', [10, 0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0]],
  ] as const)('stores %s', (_name, internalFormat, stored, texels) => {
    const bytes = Uint8Array.of(10, 20, 30, 40);
    expect(upload(internalFormat, 0x8d99, GL.BYTE, bytes)).toEqual({ stored, texels });
  });

  it('rounds to the channels of narrow formats', () => {
    const bytes = Uint8Array.of(100, 100, 100, 100);
    // 7, 7 and 3 are the largest values: 3/7, 3/7 and 1/3 are nearest to 100/255.
    expect(upload(GL.R3_G3_B2, GL.RGBA, GL.UNSIGNED_BYTE, bytes).texels).toEqual([
      109, 109, 85, 255,
    ]);
  });
});

describe('formats and types of uploads', () => {
  it.each([
    ['GREEN', GL.GREEN, GL.UNSIGNED_BYTE, [7], [0, 7, 0, 255]],
    ['ABGR', GL.ABGR_EXT, GL.UNSIGNED_BYTE, [1, 2, 3, 4], [4, 3, 2, 1]],
    ['3_3_2', GL.RGB, GL.UNSIGNED_BYTE_3_3_2, [0b111_000_11], [255, 0, 255, 255]],
    ['2_3_3_REV', GL.RGB, GL.UNSIGNED_BYTE_2_3_3_REV, [0b00_111_000], [0, 255, 0, 255]],
    ['10_10_10_2', GL.RGBA, GL.UNSIGNED_INT_10_10_10_2, [1, 0, 0xc0, 0xff], [255, 0, 0, 85]],
  ] as const)('reads %s', (_name, format, type, bytes, texels) => {
    expect(upload(GL.RGBA8, format, type, Uint8Array.from(bytes)).texels).toEqual(texels);
  });

  it.each([
    ['GREEN_INTEGER', 0x8d95, [7], [0, 7, 0, 1]],
    ['ALPHA_INTEGER', 0x8d97, [7], [0, 0, 0, 7]],
    ['BGRA_INTEGER', 0x8d9b, [1, 2, 3, 4], [3, 2, 1, 4]],
    ['LUMINANCE_ALPHA_INTEGER', 0x8d9d, [1, 2], [1, 1, 1, 2]],
  ] as const)('reads %s', (_name, format, bytes, texels) => {
    const { texels: read } = upload(0x8d7c, format, GL.UNSIGNED_BYTE, Uint8Array.from(bytes));
    expect(read).toEqual(texels);
  });

  it('stores a packed type in a float format', () => {
    const { texels } = upload(0x8814, GL.RGB, GL.UNSIGNED_BYTE_3_3_2, Uint8Array.of(0b111_000_00));
    expect([...new Float32Array(Uint8Array.from(texels).buffer)]).toEqual([1, 0, 0, 1]);
  });
});

describe('samplers of textures', () => {
  it('swizzles, mirrors about 0 and has the border of the base format', () => {
    const { gl, messages } = makeContext('gl');
    const target = GL.TEXTURE_2D;
    gl.textures.bind(target, 1);
    gl.textures.uploads.image(GL.LUMINANCE8, {
      ...{ target, level: 0, widthPx: 1, heightPx: 1, format: GL.LUMINANCE },
      ...{ type: GL.UNSIGNED_BYTE, bytes: Uint8Array.of(1) },
    });
    gl.textures.setParameter(target, GL.TEXTURE_WRAP_S, 0x8912);
    gl.textures.setParameter(target, 0x8e42, GL.ALPHA);
    gl.textures.setParameter(target, 0x8e45, 0);
    gl.textures.setBorderColor(target, [0.5, 0.25, 0.125, 0]);
    expect(messages).toEqual([]);
    expect(gl.textures.bound(0, target).sampler()).toMatchObject({
      wrapS: 'mirror-clamp-to-border',
      swizzle: ['alpha', 'green', 'blue', 'zero'],
      borderColor: [0.5, 0.5, 0.5, 1],
    });
  });
});
