/**
 * Stencil values of depth and stencil textures, as lookups return them (WEBGL_stencil_texturing).
 */
import type { TextureLevel } from './texture-levels.ts';

/** Size of a texel of format depth24unorm-stencil8, whose last byte is the stencil value. */
const TEXEL_BYTES = 4;

/** Properties that a level of stencil values has in place of those of its depths. */
export const STENCIL_STORAGE = { base: 'red', format: 'r8uint' } as const satisfies Pick<
  TextureLevel,
  'base' | 'format'
>;

/** Returns the stencil values of texels of format depth24unorm-stencil8, one byte each. */
export function stencilValuesOf(texels: Uint8Array): Uint8Array {
  const values = new Uint8Array(texels.length / TEXEL_BYTES);
  for (let i = 0; i < values.length; i++) values[i] = texels[i * TEXEL_BYTES + 3]!;
  return values;
}
