/**
 * Decodes texture resources for the sampler: converts sRGB to linear light and generates levels.
 */
import {
  fullLevelCountOf,
  levelSizeOf,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
  type TextureResource,
} from '@tessera/frame';
import { decodeTexels } from './decode-texels.ts';
import { halveLevel, type TexelLevel } from './mipmap.ts';

/**
 * Representation of a texel in memory: RGBA with 8 bits (4 bytes), 16 bits of linear light (8),
 * 16-bit floats (8), 32-bit floats or integers (16); or one 32-bit float (4), read as red.
 */
export type TexelClass = 'unorm8' | 'linear16' | 'float16' | 'float32' | 'single32' | 'int32';

/** Texel class of each texture format. */
export const TEXEL_CLASS_BY_FORMAT: Readonly<Record<TextureFormat, TexelClass>> = {
  r8unorm: 'unorm8',
  rg8unorm: 'unorm8',
  rgba8unorm: 'unorm8',
  'rgba8unorm-srgb': 'linear16',
  r8snorm: 'float32',
  rg8snorm: 'float32',
  rgba8snorm: 'float32',
  rgb10a2unorm: 'linear16',
  r16float: 'float16',
  rg16float: 'float16',
  rgba16float: 'float16',
  r32float: 'single32',
  rg32float: 'float32',
  rgba32float: 'float32',
  // All values of the two packed formats are 16-bit floats.
  rg11b10ufloat: 'float16',
  rgb9e5ufloat: 'float16',
  r8uint: 'int32',
  rg8uint: 'int32',
  rgba8uint: 'int32',
  r16uint: 'int32',
  rg16uint: 'int32',
  rgba16uint: 'int32',
  r32uint: 'int32',
  rg32uint: 'int32',
  rgba32uint: 'int32',
  rgb10a2uint: 'int32',
  r8sint: 'int32',
  rg8sint: 'int32',
  rgba8sint: 'int32',
  r16sint: 'int32',
  rg16sint: 'int32',
  rgba16sint: 'int32',
  r32sint: 'int32',
  rg32sint: 'int32',
  rgba32sint: 'int32',
  depth16unorm: 'single32',
  'depth24unorm-stencil8': 'single32',
  depth32float: 'single32',
};

/** Largest stored value of a channel, which represents 1. */
export const CHANNEL_MAX: Readonly<Record<TexelClass, number>> = {
  unorm8: 255,
  linear16: 65535,
  float16: 1,
  float32: 1,
  single32: 1,
  int32: 1,
};

/** Decoded texture. */
export interface TexelLevels {
  readonly texelClass: TexelClass;
  readonly dimension: TextureDimension;
  readonly levels: readonly TexelLevel[];
}

/** Returns the number of levels of the decoded texture. */
export function levelCountOf(texture: TextureResource): number {
  if (texture.isMipmapGenerated) return fullLevelCountOf(texture);
  return texture.levelCount ?? texture.levels.length;
}

/**
 * Returns all levels of `texture`, including generated ones. Generated levels of sRGB textures keep
 * 16 bits and are not rounded to 8-bit sRGB. A missing channel is 0, a missing alpha 1.
 */
export function decodeTexture(texture: TextureResource): TexelLevels {
  const { format, dimension = '2d' } = texture;
  const levels: TexelLevel[] = [];
  for (let level = 0; level < levelCountOf(texture); level++) {
    const given = texture.levels[level];
    if (given === undefined && texture.isMipmapGenerated) {
      levels.push(halveLevel(levels.at(-1)!, dimension === '3d'));
      continue;
    }
    const size = levelSizeOf(texture, level);
    const texelCount = size.widthPx * size.heightPx * size.sliceCount;
    const bytes = given ?? new Uint8Array(texelCount * TEXTURE_FORMATS[format].bytesPerTexel);
    levels.push({ ...size, texels: decodeTexels(format, bytes) });
  }
  return { texelClass: TEXEL_CLASS_BY_FORMAT[format], dimension, levels };
}
