/** Conversion of linear radiance to the bytes of the image, in GLSL. */

/**
 * Khronos PBR Neutral tone mapping (2024), which keeps base colors below 0.8 and compresses
 * brighter ones.
 */
export const NEUTRAL_TONE_MAPPING_GLSL = `
vec3 toneMap(vec3 color) {
  const float START = 0.8 - 0.04;
  const float DESATURATION = 0.15;
  float low = min(color.r, min(color.g, color.b));
  float offset = low < 0.08 ? low - 6.25 * low * low : 0.04;
  color -= offset;
  float peak = max(color.r, max(color.g, color.b));
  if (peak < START) {
    return color;
  }
  float range = 1.0 - START;
  float newPeak = 1.0 - range * range / (peak + range - START);
  color *= newPeak / peak;
  float whiteShare = 1.0 - 1.0 / (DESATURATION * (peak - newPeak) + 1.0);
  return mix(color, vec3(newPeak), whiteShare);
}
`;

/** The sRGB transfer function (IEC 61966-2-1). */
export const ENCODE_SRGB_GLSL = `
vec3 encodeSrgb(vec3 linear) {
  vec3 bounded = clamp(linear, 0.0, 1.0);
  vec3 curved = 1.055 * pow(bounded, vec3(1.0 / 2.4)) - 0.055;
  return mix(curved, 12.92 * bounded, vec3(lessThanEqual(bounded, vec3(0.0031308))));
}
`;
