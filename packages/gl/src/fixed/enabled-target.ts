/** Texture target that the fixed functions sample at a unit. */
import { GL } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { UnitTarget } from './program-key.ts';

/**
 * Texture targets in the order of precedence when several are enabled (OpenGL 2.1, section 3.8.15).
 */
const TARGETS: readonly (readonly [number, UnitTarget])[] = [
  [GL.TEXTURE_CUBE_MAP, 'cube'],
  [GL.TEXTURE_3D, '3d'],
  [FIXED.TEXTURE_RECTANGLE, '2d-rect'],
  [GL.TEXTURE_2D, '2d'],
  [FIXED.TEXTURE_1D, '1d'],
];

/** Returns the enumeration and the name of a unit's target, or `null` if none is enabled. */
export function enabledTarget(
  capabilities: Capabilities,
  unit: number,
): readonly [number, UnitTarget] | null {
  return TARGETS.find(([target]) => capabilities.hasUnit(target, unit)) ?? null;
}
