/** Sampler parameter of EXT_texture_filter_anisotropic. */
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';

/** Name of the extension. */
export const ANISOTROPY_EXTENSION = 'EXT_texture_filter_anisotropic';
const TEXTURE_MAX_ANISOTROPY = 0x84fe;

/** Returns whether `parameter` is the maximum anisotropy and the extension is enabled. */
export function isMaxAnisotropy(core: ContextCore, parameter: number): boolean {
  return parameter === TEXTURE_MAX_ANISOTROPY && core.extensions.isEnabled(ANISOTROPY_EXTENSION);
}

/** Returns whether the value is at least 1. Raises INVALID_VALUE otherwise. */
export function checkMaxAnisotropy(core: ContextCore, caller: string, value: number): boolean {
  if (value >= 1) return true;
  core.raise(GL.INVALID_VALUE, caller, `a maximum anisotropy of ${value} is less than 1`);
  return false;
}
