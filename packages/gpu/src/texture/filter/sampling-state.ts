/** How a texture slot is read: sampler state, texel class and dimension, which together choose the code. */
import {
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureDimension,
  type TextureFormat,
} from '@tessera/frame';
import { TEXEL_CLASS_BY_FORMAT, type TexelClass } from '../layout/texel-levels.ts';

/** State that a sample kernel is specialised by. */
export interface SamplingState {
  readonly texelClass: TexelClass;
  readonly dimension: TextureDimension;
  readonly sampler: SamplerState;
  /** Whether references are clamped to 0…1 before they are compared: depths are normalised integers. */
  readonly isReferenceClamped: boolean;
}

/** The state of a texture of `format` read through `sampler`. Integers are never filtered. */
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

/** Only depths are compared. */
function colors(sampler: SamplerState): SamplerState {
  return sampler.compare === undefined ? sampler : { ...sampler, compare: undefined };
}

function withoutFilter(sampler: SamplerState): SamplerState {
  const mipmapFilter = sampler.mipmapFilter === 'none' ? 'none' : 'nearest';
  return { ...colors(sampler), magFilter: 'nearest', minFilter: 'nearest', mipmapFilter };
}

/** A string that is equal for equal states; `null` is a slot without texture. */
export function samplingStateKey(state: SamplingState | null): string {
  if (state === null) return 'none';
  const { sampler, texelClass, dimension, isReferenceClamped } = state;
  const { wrapS, wrapT, wrapR, magFilter, minFilter, mipmapFilter } = sampler;
  const { compare, lodBias, minLod, maxLod, borderColor, swizzle, isCubeEdgeHard } = sampler;
  return [
    ...[texelClass, dimension, wrapS, wrapT, wrapR, magFilter, minFilter, mipmapFilter],
    ...[compare, isReferenceClamped, lodBias, minLod, maxLod, borderColor, swizzle, isCubeEdgeHard],
  ].join(' ');
}

/**
 * Factor of the coordinate on the falling side of a mirrored texture. It steps down by one float, so that a
 * border between texels belongs to the one that is mirrored from the right of it: wrapping comes after
 * rounding down (GL ES 3.0, section 3.8.10).
 */
export const JUST_BELOW_ONE = 1 - 2 ** -24;

/** Whether the result depends on the level of detail. */
export function usesLevelOfDetail({ magFilter, minFilter, mipmapFilter }: SamplerState): boolean {
  return mipmapFilter !== 'none' || magFilter !== minFilter;
}

/**
 * The level of detail up to which a texture counts as magnified (GL ES 3.2, section 8.15). GL ES 3.0 had ½ for a
 * linear filter above mipmaps whose texels are not filtered; its conformance tests want 0 as well.
 */
export const MAGNIFICATION_LIMIT = 0;

/** The border colour as texels of the class hold it. */
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
