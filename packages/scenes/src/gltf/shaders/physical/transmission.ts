/**
 * Light that passes through a surface in GLSL (KHR_materials_transmission, _volume, _ior,
 * _dispersion): refracted lookups in the image of what is behind.
 */

/**
 * Cubic B-spline filter with four linear lookups (C. Sigg and M. Hadwiger, "Fast Third-Order
 * Texture Filtering", GPU Gems 2, 2005), so that large texels of rough surfaces stay smooth.
 */
const BEHIND_GLSL = `
uniform sampler2D u_behind; // linear radiance of the opaque surfaces, with smaller levels
uniform float u_lastBehind; // its smallest level
uniform mat4 u_worldToClip;

vec4 cubicLookup(vec2 at, float level) {
  vec2 size = vec2(textureSize(u_behind, int(level)));
  vec2 texel = at * size - 0.5;
  vec2 f = fract(texel);
  vec2 base = texel - f;
  vec2 f2 = f * f;
  vec2 f3 = f2 * f;
  vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0;
  vec2 w1 = (3.0 * f3 - 6.0 * f2 + 4.0) / 6.0;
  vec2 w3 = f3 / 6.0;
  vec2 near = w0 + w1;
  vec2 far = 1.0 - near;
  vec2 a = (base - 0.5 + w1 / near) / size;
  vec2 b = (base + 1.5 + w3 / far) / size;
  return mix(
    mix(textureLod(u_behind, b, level), textureLod(u_behind, vec2(a.x, b.y), level), near.x),
    mix(textureLod(u_behind, vec2(b.x, a.y), level), textureLod(u_behind, a, level), near.x),
    near.y);
}

// What is behind a point of the image, blurred by the roughness of the surface.
vec4 behindAt(vec3 exit, float roughness, float ior) {
  vec4 clip = u_worldToClip * vec4(exit, 1.0);
  vec2 at = clip.xy / clip.w * 0.5 + 0.5;
  // Without refraction, microfacets do not bend the light.
  float blur = roughness * clamp(ior * 2.0 - 2.0, 0.0, 1.0);
  float level = min(log2(float(textureSize(u_behind, 0).x)) * blur, u_lastBehind);
  float lower = floor(level);
  vec4 larger = cubicLookup(at, lower);
  // Smooth surfaces read one level.
  return level == lower ? larger : mix(larger, cubicLookup(at, lower + 1.0), level - lower);
}
`;

const VOLUME_GLSL = `
// Share of the light that is left (Beer and Lambert).
vec3 attenuation(float distance, vec3 color, float attenuationDistance) {
  return attenuationDistance == 0.0 ? vec3(1.0) : pow(color, vec3(distance / attenuationDistance));
}
`;

const TRANSMIT_GLSL = `
// Radiance that a volume of this thickness lets through.
vec3 transmit(vec3 position, vec3 normal, vec3 toViewer, float roughness, float ior, vec3 thickness,
              vec3 tint, vec3 attenuationColor, float attenuationDistance) {
  vec3 path = normalize(refract(-toViewer, normal, 1.0 / max(ior, 1.0))) * thickness;
  vec3 light = behindAt(position + path, roughness, ior).rgb;
  return light * tint * attenuation(length(path), attenuationColor, attenuationDistance);
}
`;

const DISPERSE_GLSL = `
// As transmit, with an index of refraction for each of red, green and blue.
vec3 disperse(vec3 position, vec3 normal, vec3 toViewer, float roughness, float ior, vec3 thickness,
              vec3 tint, vec3 attenuationColor, float attenuationDistance, float dispersion) {
  float spread = (ior - 1.0) * 0.025 * dispersion;
  vec3 light;
  for (int i = 0; i < 3; i++) {
    light[i] = transmit(position, normal, toViewer, roughness, ior + spread * float(i - 1), thickness,
                        tint, attenuationColor, attenuationDistance)[i];
  }
  return light;
}
`;

/** Returns GLSL with `transmit`, and `disperse` if the material disperses. */
export function writeTransmission(isDispersing: boolean): string {
  return BEHIND_GLSL + VOLUME_GLSL + TRANSMIT_GLSL + (isDispersing ? DISPERSE_GLSL : '');
}
