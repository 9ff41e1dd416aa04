/** How a texture slot is read: the sampler state and the texel class, which together choose the code. */
import type { SamplerState, TextureFormat } from '@tessera/frame';
import { TEXEL_CLASS_BY_FORMAT, type TexelClass } from './texel-levels.ts';

/** State that a sample kernel is specialised by. */
export interface SamplingState {
  readonly texelClass: TexelClass;
  readonly sampler: SamplerState;
}

/** The state of a texture of `format` read through `sampler`. */
export function samplingStateOf(format: TextureFormat, sampler: SamplerState): SamplingState {
  return { texelClass: TEXEL_CLASS_BY_FORMAT[format], sampler };
}

/** A string that is equal for equal states; `null` is a slot without texture. */
export function samplingStateKey(state: SamplingState | null): string {
  if (state === null) return 'none';
  const { wrapS, wrapT, magFilter, minFilter, mipmapFilter } = state.sampler;
  return [state.texelClass, wrapS, wrapT, magFilter, minFilter, mipmapFilter].join(' ');
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
 * The level of detail up to which a texture counts as magnified (GL ES 3.0, section 3.8.11): ½ where that
 * avoids that the minified image is sharper than the magnified one, else 0.
 */
export function magnificationLimit({ magFilter, minFilter, mipmapFilter }: SamplerState): number {
  const isSharperMinified = magFilter === 'linear' && minFilter === 'nearest';
  return isSharperMinified && mipmapFilter !== 'none' ? 0.5 : 0;
}
