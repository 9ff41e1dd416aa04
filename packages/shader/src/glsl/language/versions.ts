/**
 * Versions of the language and the abilities that they share. `#version` 100 and 300 are GLSL ES;
 * the others are desktop GLSL. Desktop versions from 1.30 have what GLSL ES 3.00 has, and the
 * compatibility profile's variables and functions of GLSL 1.20.
 */

/** Language version as `#version` names it. */
export type GlslVersion = 100 | 110 | 120 | 130 | 140 | 150 | 300 | 330;

/** Versions of desktop GLSL. */
export const DESKTOP_VERSIONS: readonly GlslVersion[] = [110, 120, 130, 140, 150, 330];
/** Versions of desktop GLSL without integers, `in` and `out`. */
export const EARLY_DESKTOP_VERSIONS: readonly GlslVersion[] = [110, 120];
/** Versions of desktop GLSL with integers, `in` and `out`. */
export const LATER_DESKTOP_VERSIONS: readonly GlslVersion[] = [130, 140, 150, 330];
/** All versions. */
export const ALL_VERSIONS: readonly GlslVersion[] = [100, ...DESKTOP_VERSIONS, 300];

/** Whether `version` is GLSL ES. */
export function isEsVersion(version: GlslVersion): boolean {
  return version === 100 || version === 300;
}

/** Whether the core of `version` has integers, `in` and `out`, `switch` and interpolation. */
export function isLaterVersion(version: GlslVersion): boolean {
  return version >= 130;
}
