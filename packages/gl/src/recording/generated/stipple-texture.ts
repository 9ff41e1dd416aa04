/** The polygon stipple as a texture of 32 × 32 texels, that generated shaders sample by window coordinates. */
import type { SamplerState } from '@tessera/frame';
import type { TextureContent } from '../../objects/textures/texture-object.ts';

const EDGE = 32;

export const STIPPLE_SAMPLING: SamplerState = Object.freeze({
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'nearest',
  minFilter: 'nearest',
  mipmapFilter: 'none',
});

const contentByPattern = new WeakMap<Uint8Array, TextureContent>();

/** @param pattern 128 bytes, rows from below, the most significant bit leftmost; it never changes. */
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
