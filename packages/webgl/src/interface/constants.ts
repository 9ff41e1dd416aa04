/** WebGL's constants by name, and their names by value for messages. */
import { NEWER_EXTENSIONS } from './newer-extensions.ts';
import { WEBGL_CONSTANTS, WEBGL_EXTENSIONS, WEBGL2_CONSTANTS } from './webgl-interface.ts';

/** Constants of both versions, and constants of extensions that calls check. */
export const GL = {
  ...WEBGL_CONSTANTS,
  ...WEBGL2_CONSTANTS,
  ...WEBGL_EXTENSIONS.EXT_sRGB.constants,
  ...WEBGL_EXTENSIONS.OES_texture_half_float.constants,
  ...WEBGL_EXTENSIONS.OVR_multiview2.constants,
  ...WEBGL_EXTENSIONS.WEBGL_debug_renderer_info.constants,
  ...NEWER_EXTENSIONS.EXT_clip_control.constants,
  ...NEWER_EXTENSIONS.EXT_depth_clamp.constants,
  ...NEWER_EXTENSIONS.EXT_disjoint_timer_query.constants,
  ...NEWER_EXTENSIONS.EXT_polygon_offset_clamp.constants,
  ...NEWER_EXTENSIONS.EXT_texture_mirror_clamp_to_edge.constants,
  ...NEWER_EXTENSIONS.OES_shader_multisample_interpolation.constants,
  ...NEWER_EXTENSIONS.WEBGL_blend_func_extended.constants,
  ...NEWER_EXTENSIONS.WEBGL_clip_cull_distance.constants,
  ...NEWER_EXTENSIONS.WEBGL_polygon_mode.constants,
  ...NEWER_EXTENSIONS.WEBGL_provoking_vertex.constants,
  ...NEWER_EXTENSIONS.WEBGL_stencil_texturing.constants,
} as const;

const NAME_BY_VALUE = new Map<number, string>(
  Object.entries(GL)
    .map(([name, value]): [number, string] => [value, name])
    .reverse(),
);

/** Returns the name of an enumeration value, or the value in hexadecimal if it has none. */
export function enumName(value: number): string {
  return NAME_BY_VALUE.get(value) ?? `0x${(value >>> 0).toString(16)}`;
}
