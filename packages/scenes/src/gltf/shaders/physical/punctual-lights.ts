/** Light of points, spots and distant suns in GLSL (KHR_lights_punctual). */

/** Returns GLSL with `lightAt`, which gives direction and irradiance of light `i`. */
export function writePunctualLights(lightCount: number): string {
  return `
const int LIGHT_COUNT = ${lightCount};
uniform vec4 u_lightPlaces[${lightCount}];  // position and 1, or direction toward the light and 0
uniform vec4 u_lightColors[${lightCount}];  // intensity, and 1 / range or 0
uniform vec4 u_lightAxes[${lightCount}];    // direction of a spot, and scale of its cosine or 0
uniform float u_lightOffsets[${lightCount}]; // offset of the cosine

vec3 lightAt(int i, vec3 position, out vec3 toLight) {
  vec4 place = u_lightPlaces[i];
  vec4 color = u_lightColors[i];
  if (place.w == 0.0) {
    toLight = place.xyz;
    return color.rgb;
  }
  vec3 away = place.xyz - position;
  float distance2 = max(dot(away, away), 1e-4);
  toLight = away * inversesqrt(distance2);
  float share = distance2 * color.w * color.w;
  float fading = clamp(1.0 - share * share, 0.0, 1.0);
  vec4 axis = u_lightAxes[i];
  float cone = axis.w == 0.0 ? 1.0 : clamp(-dot(axis.xyz, toLight) * axis.w + u_lightOffsets[i], 0.0, 1.0);
  return color.rgb * (fading * cone * cone / distance2);
}
`;
}
