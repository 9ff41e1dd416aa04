/** Texture resources decoded to what the sampler reads: four channels, sRGB turned into linear light. */
import type { TextureFormat, TextureResource } from '@tessera/frame';
import { fullLevelCount, halveLevel, type TexelLevel } from './mipmap.ts';
import { LINEAR16_BY_SRGB8 } from './srgb.ts';

/** What a texel is in memory: RGBA of 8 bits (4 bytes), or of 16 bits in linear light (8 bytes). */
export type TexelClass = 'unorm8' | 'linear16';

export const TEXEL_CLASS_BY_FORMAT: Readonly<Record<TextureFormat, TexelClass>> = {
  r8unorm: 'unorm8',
  rg8unorm: 'unorm8',
  rgba8unorm: 'unorm8',
  'rgba8unorm-srgb': 'linear16',
};

/** Largest value of a channel. */
export const CHANNEL_MAX: Readonly<Record<TexelClass, number>> = { unorm8: 255, linear16: 65535 };

export interface TexelLevels {
  readonly texelClass: TexelClass;
  readonly levels: readonly TexelLevel[];
}

/** Number of levels that the decoded texture has. */
export function levelCountOf(texture: TextureResource): number {
  if (!texture.isMipmapGenerated) return texture.levels.length;
  return fullLevelCount(texture.widthPx, texture.heightPx);
}

/**
 * All levels of `texture`, generated ones included. Generated levels of sRGB textures keep their 16 bits:
 * they are not rounded to 8-bit sRGB in between. Missing channels read 0, a missing alpha 1.
 */
export function decodeTexture(texture: TextureResource): TexelLevels {
  const levels = texture.levels.map((bytes, level) =>
    decodeLevel(
      texture.format,
      Math.max(1, texture.widthPx >> level),
      Math.max(1, texture.heightPx >> level),
      bytes,
    ),
  );
  while (levels.length < levelCountOf(texture)) levels.push(halveLevel(levels.at(-1)!));
  return { texelClass: TEXEL_CLASS_BY_FORMAT[texture.format], levels };
}

function decodeLevel(
  format: TextureFormat,
  widthPx: number,
  heightPx: number,
  bytes: Uint8Array,
): TexelLevel {
  const texelCount = widthPx * heightPx;
  switch (format) {
    case 'rgba8unorm':
      return { widthPx, heightPx, texels: bytes };
    case 'r8unorm': {
      const texels = new Uint8Array(texelCount * 4);
      for (let index = 0; index < texelCount; index++) {
        texels[index * 4] = bytes[index]!;
        texels[index * 4 + 3] = 255;
      }
      return { widthPx, heightPx, texels };
    }
    case 'rg8unorm': {
      const texels = new Uint8Array(texelCount * 4);
      for (let index = 0; index < texelCount; index++) {
        texels[index * 4] = bytes[index * 2]!;
        texels[index * 4 + 1] = bytes[index * 2 + 1]!;
        texels[index * 4 + 3] = 255;
      }
      return { widthPx, heightPx, texels };
    }
    case 'rgba8unorm-srgb': {
      const texels = new Uint16Array(texelCount * 4);
      const linear = LINEAR16_BY_SRGB8;
      for (let index = 0; index < texels.length; index += 4) {
        texels[index] = linear[bytes[index]!]!;
        texels[index + 1] = linear[bytes[index + 1]!]!;
        texels[index + 2] = linear[bytes[index + 2]!]!;
        texels[index + 3] = bytes[index + 3]! * 257;
      }
      return { widthPx, heightPx, texels };
    }
  }
}
