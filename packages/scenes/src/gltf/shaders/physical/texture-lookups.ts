/** Lookups of a material's textures in GLSL. */
import type { SurfaceFeatures, TextureSlot } from '../../features/surface-features.ts';

/** Returns the declarations of the samplers and matrices of all textures of a material. */
export function declareTextures({ textures }: SurfaceFeatures): string {
  return Object.entries(textures)
    .map(([slot, use]) => {
      const matrix = use.isTransformed ? `uniform mat3 u_${slot}TexCoordMatrix;\n` : '';
      return `uniform sampler2D u_${slot}Texture;\n${matrix}`;
    })
    .join('');
}

/** Returns the expression of the coordinates of a texture; `null` if the material lacks it. */
export function coordinatesOf({ textures }: SurfaceFeatures, slot: TextureSlot): string | null {
  const use = textures[slot];
  if (use === undefined) return null;
  const coord = `v_texCoord${use.texCoord}`;
  return use.isTransformed ? `(u_${slot}TexCoordMatrix * vec3(${coord}, 1.0)).xy` : coord;
}

/**
 * Returns the expression of a factor times the texture of the slot, or the factor alone.
 *
 * @param channels Channels of the texel, such as `.rgb`.
 */
export function scaled(
  features: SurfaceFeatures,
  factor: string,
  slot: TextureSlot,
  channels: string,
): string {
  const at = coordinatesOf(features, slot);
  return at === null ? factor : `${factor} * texture(u_${slot}Texture, ${at})${channels}`;
}
