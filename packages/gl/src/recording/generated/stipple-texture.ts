/**
 * Polygon stipple as a texture of 32×32 texels, which generated shaders sample by window
 * coordinates.
 */
import type { SamplerState } from '@tessera/frame';
import type { TextureContent } from '../../objects/textures/texture-content.ts';

const EDGE = 32;

/** Sampling of the stipple: nearest texel, repeated. */
export const STIPPLE_SAMPLING: SamplerState = Object.freeze({
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
});

const contentByPattern = new WeakMap<Uint8Array, TextureContent>();

/**
 * Returns the texture of a stipple pattern.
 *
 * @param pattern 128 immutable bytes. Rows start at the bottom, and the most significant bit is
 *   leftmost.
 */
export function stippleTexture(pattern: Uint8Array): TextureContent {
  const known = contentByPattern.get(pattern);
  if (known !== undefined) return known;
  const texels = Uint8Array.from({ length: EDGE * EDGE }, (_, i) =>
    ((pattern[i >> 3]! >> (7 - (i & 7))) & 1) === 1 ? 255 : 0,
  );
  const content: TextureContent = {
    format: 'r8unorm',
    widthPx: EDGE,
    heightPx: EDGE,
    levels: [texels],
    isMipmapGenerated: false,
  };
  contentByPattern.set(pattern, content);
  return content;
}
