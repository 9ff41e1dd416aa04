/** Extensions of the shading language. */
import { GL } from '../interface/constants.ts';
import { BOTH, type ExtensionGroup, FIRST, SECOND } from './extension-entry.ts';

const CLIP_DISTANCES = Array.from({ length: 8 }, (_, i) => GL.CLIP_DISTANCE0_WEBGL + i);

/** Extensions of shaders. */
export const shaderExtensions: ExtensionGroup = {
  EXT_conservative_depth: { versions: SECOND, shaderName: 'GL_EXT_conservative_depth' },
  EXT_frag_depth: { versions: FIRST, shaderName: 'GL_EXT_frag_depth' },
  EXT_shader_texture_lod: { versions: FIRST, shaderName: 'GL_EXT_shader_texture_lod' },
  NV_shader_noperspective_interpolation: {
    versions: SECOND,
    shaderName: 'GL_NV_shader_noperspective_interpolation',
  },
  OES_sample_variables: { versions: SECOND, shaderName: 'GL_OES_sample_variables' },
  OES_shader_multisample_interpolation: {
    versions: SECOND,
    shaderName: 'GL_OES_shader_multisample_interpolation',
  },
  OES_standard_derivatives: { versions: FIRST, shaderName: 'GL_OES_standard_derivatives' },
  WEBGL_blend_func_extended: { versions: BOTH, shaderName: 'GL_EXT_blend_func_extended' },
  WEBGL_clip_cull_distance: {
    versions: SECOND,
    shaderName: 'GL_ANGLE_clip_cull_distance',
    capabilities: CLIP_DISTANCES,
  },
};
