/**
 * State that determines the code for reading a texture slot: sampler state, texel class and
 * dimension.
 */
import {
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
} from '@tessera/frame';
import { TEXEL_CLASS_BY_FORMAT, type TexelClass } from '../layout/texel-levels.ts';

/** State that a sample kernel is specialized for. */
export interface SamplingState {
  readonly texelClass: TexelClass;
  readonly dimension: TextureDimension;
  readonly sampler: SamplerState;
  /**
   * Whether references are clamped to 0…1 before comparison, because depths are normalized
   * integers.
   */
  readonly isReferenceClamped: boolean;
}

/**
 * Returns the state of a texture of `format` read through `sampler`. Integers are never filtered.
 */
export function samplingStateOf(
  format: TextureFormat,
  sampler: SamplerState,
  dimension: TextureDimension = '2d',
): SamplingState {
  const { kind } = TEXTURE_FORMATS[format];
  const isInteger = kind === 'sint' || kind === 'uint';
  return {
    texelClass: TEXEL_CLASS_BY_FORMAT[format],
    dimension,
    sampler: isInteger ? withoutFilter(sampler) : kind === 'depth' ? sampler : colors(sampler),
    isReferenceClamped: kind === 'depth' && format !== 'depth32float',
  };
}

/** Removes the comparison, which only depths have. */
function colors(sampler: SamplerState): SamplerState {
  return sampler.compare === undefined ? sampler : { ...sampler, compare: undefined };
}

function withoutFilter(sampler: SamplerState): SamplerState {
  const mipmapFilter = sampler.mipmapFilter === 'none' ? 'none' : 'nearest';
  return { ...colors(sampler), magFilter: 'nearest', minFilter: 'nearest', mipmapFilter };
}

/** Returns a string that is equal for equal states. `null` is a slot without texture. */
export function samplingStateKey(state: SamplingState | null): string {
  if (state === null) return 'none';
  const { sampler, texelClass, dimension, isReferenceClamped } = state;
  const { wrapS, wrapT, wrapR, magFilter, minFilter, mipmapFilter } = sampler;
  const { compare, lodBias, minLod, maxLod, borderColor, swizzle, isCubeEdgeHard } = sampler;
  const { maxAnisotropy } = sampler;
  return [
    ...[texelClass, dimension, wrapS, wrapT, wrapR, magFilter, minFilter, mipmapFilter],
    ...[compare, isReferenceClamped, lodBias, minLod, maxLod, borderColor, swizzle, isCubeEdgeHard],
    maxAnisotropy,
  ].join(' ');
}

/**
 * Factor of the coordinate on the descending side of a mirrored texture. It is one float below 1,
 * so that a border between texels belongs to the texel mirrored from its right. Wrapping follows
 * rounding down (GL ES 3.0, section 3.8.10).
 */
export const JUST_BELOW_ONE = 1 - 2 ** -24;

/** Returns whether the result depends on the level of detail. */
export function usesLevelOfDetail({ magFilter, minFilter, mipmapFilter }: SamplerState): boolean {
  return mipmapFilter !== 'none' || magFilter !== minFilter;
}

/**
 * Level of detail up to which a texture is magnified (GL ES 3.2, section 8.15). GL ES 3.0 specified
 * ½ for a linear filter with mipmaps whose texels are not filtered. Its conformance tests require 0
 * in that case too.
 */
export const MAGNIFICATION_LIMIT = 0;

/** Returns the border color in the representation of the texel class. */
export function borderTexel(
  texelClass: TexelClass,
  { borderColor = [0, 0, 0, 0] }: SamplerState,
): readonly number[] {
  switch (texelClass) {
    case 'unorm8':
      return borderColor.map((value) => Math.floor(clampToUnit(value) * 255 + 0.5));
    case 'linear16':
      return borderColor.map((value) => Math.floor(clampToUnit(value) * 65535 + 0.5));
    case 'int32':
      return borderColor.map((value) => Math.trunc(value) | 0);
    default:
      return borderColor.map(Math.fround);
  }
}

function clampToUnit(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
