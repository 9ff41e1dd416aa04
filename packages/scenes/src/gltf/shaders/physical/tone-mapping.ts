/** Mapping of linear radiance to the colors of a display, in GLSL. */
import type { ToneMapping } from '../../features/tone-mappings.ts';
import { ENCODE_SRGB_GLSL, NEUTRAL_TONE_MAPPING_GLSL } from '../common/output-color.ts';

/**
 * Fit of the ACES reference and output transforms (S. Hill, for "BakingLab", 2016), with exposure
 * divided by 0.6 for a bright surround, as three.js and model-viewer do.
 */
const ACES_GLSL = `
vec3 toneMap(vec3 color) {
  const mat3 INPUT = mat3(
    0.59719, 0.07600, 0.02840,
    0.35458, 0.90834, 0.13383,
    0.04823, 0.01566, 0.83777);
  const mat3 OUTPUT = mat3(
    1.60475, -0.10208, -0.00327,
    -0.53108, 1.10813, -0.07276,
    -0.07367, -0.00605, 1.07602);
  vec3 v = INPUT * (color / 0.6);
  vec3 a = v * (v + 0.0245786) - 0.000090537;
  vec3 b = v * (0.983729 * v + 0.4329510) + 0.238081;
  return OUTPUT * (a / b);
}
`;

/**
 * AgX (T. Sobotka 2022) with the polynomial of B. Wrensch ("Minimal AgX Implementation", 2023) and
 * the matrices of Blender 4 for the primaries of Rec. 2020.
 */
const AGX_GLSL = `
vec3 toneMap(vec3 color) {
  const mat3 TO_REC2020 = mat3(0.6274, 0.0691, 0.0164, 0.3293, 0.9195, 0.0880, 0.0433, 0.0113, 0.8956);
  const mat3 FROM_REC2020 = mat3(1.6605, -0.1246, -0.0182, -0.5876, 1.1329, -0.1006, -0.0728, -0.0083, 1.1187);
  const mat3 INSET = mat3(
    0.856627153315983, 0.137318972929847, 0.11189821299995,
    0.0951212405381588, 0.761241990602591, 0.0767994186031903,
    0.0482516061458583, 0.101439036467562, 0.811302368396859);
  const mat3 OUTSET = mat3(
    1.1271005818144368, -0.1413297634984383, -0.14132976349843826,
    -0.11060664309660323, 1.157823702216272, -0.11060664309660294,
    -0.016493938717834573, -0.016493938717834257, 1.2519364065950405);
  const float LOW = -12.47393; // log2 of the darkest and of the brightest radiance
  const float HIGH = 4.026069;
  vec3 x = log2(max(INSET * (TO_REC2020 * color), vec3(1e-10)));
  x = clamp((x - LOW) / (HIGH - LOW), 0.0, 1.0);
  vec3 x2 = x * x;
  vec3 x4 = x2 * x2;
  x = 15.5 * x4 * x2 - 40.14 * x4 * x + 31.96 * x4 - 6.868 * x2 * x + 0.4298 * x2 + 0.1191 * x - 0.00232;
  return FROM_REC2020 * pow(max(OUTSET * x, vec3(0.0)), vec3(2.2));
}
`;

const LINEAR_GLSL = `
vec3 toneMap(vec3 color) {
  return color;
}
`;

const OPERATORS: Readonly<Record<ToneMapping, string>> = {
  neutral: NEUTRAL_TONE_MAPPING_GLSL,
  aces: ACES_GLSL,
  agx: AGX_GLSL,
  linear: LINEAR_GLSL,
};

/** Returns GLSL with `displayColor`, which maps radiance to encoded color. */
export function writeDisplayColor(toneMapping: ToneMapping): string {
  return `${OPERATORS[toneMapping]}${ENCODE_SRGB_GLSL}
uniform float u_exposure;

vec3 displayColor(vec3 radiance) {
  return encodeSrgb(toneMap(radiance * u_exposure));
}
`;
}
