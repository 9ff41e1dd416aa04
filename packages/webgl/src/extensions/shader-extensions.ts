/** Extensions of the shading language. */
import { type ExtensionGroup, FIRST } from './extension-entry.ts';

/** Extensions of shaders. */
export const shaderExtensions: ExtensionGroup = {
  EXT_frag_depth: { versions: FIRST, shaderName: 'GL_EXT_frag_depth' },
  EXT_shader_texture_lod: { versions: FIRST, shaderName: 'GL_EXT_shader_texture_lod' },
  OES_standard_derivatives: { versions: FIRST, shaderName: 'GL_OES_standard_derivatives' },
};
