import type { SamplerParameters } from '../samplers/sampler-parameters.ts';
import type { TextureLevel } from './texture-levels.ts';

/**
 * Returns whether OpenGL ES 2.0 rejects a size with these parameters (section 3.8.2). It rejects
 * sizes other than powers of two with repeated wrapping or mipmaps.
 */
export function isRestrictedSize(
  { widthPx, heightPx }: TextureLevel,
  parameters: SamplerParameters,
): boolean {
  if (isPowerOfTwo(widthPx) && isPowerOfTwo(heightPx)) return false;
  return !parameters.isClamped || parameters.reading.mipmapFilter !== 'none';
}

function isPowerOfTwo(size: number): boolean {
  return (size & (size - 1)) === 0;
}
