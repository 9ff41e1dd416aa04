/** Wrap modes of textures and samplers (WebGL 1.0, section 5.14.8; WebGL 2.0, section 3.7.13). */
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';

const WRAP_PARAMETERS: readonly number[] = [
  GL.TEXTURE_WRAP_S,
  GL.TEXTURE_WRAP_T,
  GL.TEXTURE_WRAP_R,
];
const WRAP_MODES: readonly number[] = [GL.REPEAT, GL.CLAMP_TO_EDGE, GL.MIRRORED_REPEAT];

/** Returns whether `parameter` is a wrap mode and `value` is none that the context has. */
export function isWrongWrapMode(core: ContextCore, parameter: number, value: number): boolean {
  if (!WRAP_PARAMETERS.includes(parameter) || WRAP_MODES.includes(value)) return false;
  const isMirrorClamp = value === GL.MIRROR_CLAMP_TO_EDGE_EXT;
  return !(isMirrorClamp && core.extensions.isEnabled('EXT_texture_mirror_clamp_to_edge'));
}
