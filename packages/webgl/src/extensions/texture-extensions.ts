/** Extensions of textures: formats, filters and wrap modes. */
import type { ContextCore } from '../context/context-core.ts';
import { BOTH, type ExtensionGroup, FIRST, SECOND } from './extension-entry.ts';

function filterFloats({ gl }: ContextCore): void {
  gl.textures.filterRules.isFloat32Filterable = true;
}

function filterHalfFloats({ gl }: ContextCore): void {
  gl.textures.filterRules.isFloat16Filterable = true;
}

/** Extensions of textures. */
export const textureExtensions: ExtensionGroup = {
  EXT_sRGB: { versions: FIRST },
  EXT_texture_filter_anisotropic: { versions: BOTH },
  EXT_texture_mirror_clamp_to_edge: { versions: BOTH },
  OES_texture_float: { versions: FIRST, implies: ['WEBGL_color_buffer_float'] },
  OES_texture_float_linear: { versions: BOTH, enable: filterFloats },
  OES_texture_half_float: { versions: FIRST, implies: ['EXT_color_buffer_half_float'] },
  OES_texture_half_float_linear: { versions: FIRST, enable: filterHalfFloats },
  WEBGL_depth_texture: { versions: FIRST },
  WEBGL_stencil_texturing: { versions: SECOND },
};
