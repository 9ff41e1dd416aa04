/** The extensions that `#extension` knows, by language version. */
import type { ShaderStage } from '../../tree/checked-tree.ts';

export type GlslVersion = 100 | 110 | 120 | 300;

export type ExtensionBehavior = 'require' | 'enable' | 'warn' | 'disable';

interface ExtensionEntry {
  readonly versions: readonly GlslVersion[];
  readonly stages: readonly ShaderStage[];
}

const BOTH: readonly ShaderStage[] = ['vertex', 'fragment'];
const DESKTOP: readonly GlslVersion[] = [110, 120];

/** Every known extension. Being unavailable in a version is the same as being unknown. */
export const EXTENSIONS = {
  GL_OES_standard_derivatives: { versions: [100], stages: BOTH },
  GL_EXT_shader_texture_lod: { versions: [100], stages: BOTH },
  GL_EXT_frag_depth: { versions: [100], stages: BOTH },
  GL_EXT_draw_buffers: { versions: [100], stages: BOTH },
  GL_ARB_texture_rectangle: { versions: DESKTOP, stages: BOTH },
  GL_ARB_shader_texture_lod: { versions: DESKTOP, stages: BOTH },
  GL_ARB_draw_buffers: { versions: DESKTOP, stages: BOTH },
  GL_ARB_fragment_program_shadow: { versions: DESKTOP, stages: BOTH },
  GL_ARB_shading_language_100: { versions: DESKTOP, stages: BOTH },
  /** Ours: `flat` before a varying, which fixed functions with flat shading are generated with. */
  GL_TESSERA_flat_varying: { versions: DESKTOP, stages: BOTH },
  GL_3DL_array_objects: { versions: DESKTOP, stages: BOTH },
} as const satisfies Record<string, ExtensionEntry>;

export type ExtensionName = keyof typeof EXTENSIONS;

/** Names of the extensions that a shader of `version` can turn on, narrowed to `allowed` if given. */
export function availableExtensions(
  version: GlslVersion,
  allowed: readonly string[] | undefined,
): Set<string> {
  const names = Object.entries(EXTENSIONS)
    .filter(([, entry]) => (entry.versions as readonly GlslVersion[]).includes(version))
    .map(([name]) => name);
  return new Set(allowed === undefined ? names : names.filter((name) => allowed.includes(name)));
}
