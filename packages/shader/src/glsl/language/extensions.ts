/** Extensions that `#extension` accepts in each version. */
import type { ShaderStage } from '../../tree/checked-tree.ts';
import { DESKTOP_VERSIONS, type GlslVersion } from './versions.ts';

/** Behavior in an `#extension` directive. */
export type ExtensionBehavior = 'require' | 'enable' | 'warn' | 'disable';

interface ExtensionEntry {
  readonly versions: readonly GlslVersion[];
  readonly stages: readonly ShaderStage[];
}

const BOTH: readonly ShaderStage[] = ['vertex', 'fragment'];
const ES: readonly GlslVersion[] = [100, 300];
const DESKTOP = DESKTOP_VERSIONS;

/** Every known extension. An extension that is unavailable in a version counts as unknown. */
export const EXTENSIONS = {
  GL_OES_standard_derivatives: { versions: [100], stages: BOTH },
  GL_EXT_shader_texture_lod: { versions: [100], stages: BOTH },
  GL_EXT_frag_depth: { versions: [100], stages: BOTH },
  GL_EXT_draw_buffers: { versions: [100], stages: BOTH },
  GL_ANGLE_clip_cull_distance: { versions: [300], stages: BOTH },
  GL_ANGLE_multi_draw: { versions: ES, stages: BOTH },
  GL_EXT_blend_func_extended: { versions: ES, stages: BOTH },
  GL_EXT_conservative_depth: { versions: [300], stages: BOTH },
  GL_NV_shader_noperspective_interpolation: { versions: [300], stages: BOTH },
  GL_OES_sample_variables: { versions: [300], stages: BOTH },
  GL_OES_shader_multisample_interpolation: { versions: [300], stages: BOTH },
  GL_OVR_multiview2: { versions: [300], stages: BOTH },
  GL_ARB_texture_rectangle: { versions: DESKTOP, stages: BOTH },
  GL_ARB_shader_texture_lod: { versions: DESKTOP, stages: BOTH },
  GL_ARB_draw_buffers: { versions: DESKTOP, stages: BOTH },
  GL_ARB_fragment_program_shadow: { versions: DESKTOP, stages: BOTH },
  GL_ARB_shading_language_100: { versions: DESKTOP, stages: BOTH },
  /**
   * Extension of Tessera: `flat` before a varying, used by the shaders generated for flat shading
   * in fixed-function OpenGL.
   */
  GL_TESSERA_flat_varying: { versions: DESKTOP, stages: BOTH },
  /**
   * Extension of Tessera: `gl_ShapeTESSERA` has the place of a fragment in its line or point, which
   * the shaders generated for smooth and stippled lines and smooth points read.
   */
  GL_TESSERA_shape: { versions: DESKTOP, stages: BOTH },
  GL_3DL_array_objects: { versions: DESKTOP, stages: BOTH },
  GL_EXT_gpu_shader4: { versions: DESKTOP, stages: BOTH },
  GL_EXT_texture_array: { versions: DESKTOP, stages: BOTH },
  GL_ARB_uniform_buffer_object: { versions: DESKTOP, stages: BOTH },
  GL_ARB_explicit_attrib_location: { versions: DESKTOP, stages: BOTH },
  GL_ARB_draw_instanced: { versions: DESKTOP, stages: BOTH },
  GL_ARB_shading_language_packing: { versions: [130, 140, 150, 330], stages: BOTH },
  GL_ARB_shader_bit_encoding: { versions: DESKTOP, stages: BOTH },
  GL_ARB_fragment_coord_conventions: { versions: DESKTOP, stages: BOTH },
} as const satisfies Record<string, ExtensionEntry>;

/** Name of a known extension. */
export type ExtensionName = keyof typeof EXTENSIONS;

/**
 * Returns the names of the extensions that a shader of `version` can enable, restricted to
 * `allowed` if given.
 */
export function availableExtensions(
  version: GlslVersion,
  allowed: readonly string[] | undefined,
): Set<string> {
  const names = Object.entries(EXTENSIONS)
    .filter(([, entry]) => (entry.versions as readonly GlslVersion[]).includes(version))
    .map(([name]) => name);
  return new Set(allowed === undefined ? names : names.filter((name) => allowed.includes(name)));
}
