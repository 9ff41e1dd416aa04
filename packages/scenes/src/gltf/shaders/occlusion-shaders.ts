/**
 * Shaders of ambient occlusion from the depth of the image: J. Jimenez, X. Wu, A. Pesce, A. Jarabo,
 * "Practical Realtime Strategies for Accurate Indirect Occlusion" (2016).
 */
import { VIEW_POSITION_GLSL, VIEW_Z_GLSL } from './common/view-position.ts';

/** Slices through a pixel, which the noise turns by sixteen different angles. */
const SLICES = 2;
/** Lookups on each side of a pixel in a slice. */
const STEPS = 6;

/**
 * Visibility of the hemisphere around the normal, weighted by the cosine, and z. Without a surface
 * z is 0.
 */
export const VISIBILITY_GLSL = `
uniform highp sampler2D u_depth;
uniform highp sampler2D u_normal; // in the space of the camera
uniform float u_radius;           // distance in the world beyond which nothing occludes
out vec4 o_color;
${VIEW_Z_GLSL}${VIEW_POSITION_GLSL}
const float PI = 3.141592653589793;

// Sine of the elevation of the horizon on one side, above the plane of the surface. Texels are not
// exactly in the slice, so an angle from the viewer would raise the horizon of a plane.
float horizon(vec3 place, vec3 normal, ivec2 texel, vec2 stepPx, float start) {
  float highest = 0.0;
  ivec2 size = ivec2(u_sizePx);
  for (int i = 0; i < ${STEPS}; i++) {
    float share = (float(i) + start) / ${STEPS}.0;
    vec2 away = stepPx * (share * share);
    // Never the texel itself.
    ivec2 other = texel + ivec2(round(away + normalize(stepPx)));
    if (any(lessThan(other, ivec2(0))) || any(greaterThanEqual(other, size))) {
      break;
    }
    float depth = texelFetch(u_depth, other, 0).r;
    if (depth == 1.0) {
      continue; // no surface
    }
    vec3 toOther = viewPosition(other, viewZ(depth)) - place;
    float distance = length(toOther);
    // Occlusion of a low horizon is about the square of its sine.
    float weight = sqrt(clamp(2.0 - 2.0 * distance / u_radius, 0.0, 1.0));
    highest = max(highest, dot(toOther, normal) / distance * weight);
  }
  return highest;
}

// Integral from the viewer to the horizon, in the plane of a slice.
float arc(float angle, float normalAngle, float cosNormal, float sinNormal) {
  return (cosNormal - cos(2.0 * angle - normalAngle) + 2.0 * angle * sinNormal) / 4.0;
}

void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(u_depth, texel, 0).r;
  if (depth == 1.0) {
    o_color = vec4(1.0, 0.0, 0.0, 1.0);
    return;
  }
  float z = viewZ(depth);
  vec3 place = viewPosition(texel, z);
  vec3 normal = normalize(texelFetch(u_normal, texel, 0).xyz);
  vec3 toViewer = u_lens.z == 0.0 ? vec3(0.0, 0.0, 1.0) : normalize(-place);
  float radiusPx = u_radius / (u_lens.y * viewW(z)) * u_sizePx.y * 0.5;

  // Noise in squares of 4×4 texels.
  float turn = float(((texel.x + texel.y) & 3) * 4 + (texel.x & 3)) / 16.0;
  float start = float((texel.y - texel.x) & 3) / 4.0;

  float visible = 0.0;
  float all = 0.0;
  for (int i = 0; i < ${SLICES}; i++) {
    float angle = PI * (float(i) + turn) / ${SLICES}.0;
    vec2 along = vec2(cos(angle), sin(angle));
    // The slice contains the viewer, and the normal is projected into it.
    vec3 across = normalize(vec3(along, 0.0) - toViewer * dot(vec3(along, 0.0), toViewer));
    vec3 axis = cross(across, toViewer);
    vec3 projected = normal - axis * dot(normal, axis);
    float size = length(projected);
    float sinNormal = clamp(dot(projected, across) / max(size, 1e-6), -1.0, 1.0);
    float cosNormal = sqrt(1.0 - sinNormal * sinNormal);
    float normalAngle = asin(sinNormal);
    vec2 stepPx = along * radiusPx;
    float high = min(horizon(place, normal, texel, stepPx, start) / max(size, 1e-6), 1.0);
    float low = min(horizon(place, normal, texel, -stepPx, start) / max(size, 1e-6), 1.0);
    float ahead = max(normalAngle + acos(high), 0.0);
    float behind = min(normalAngle - acos(low), 0.0);
    visible += size * (arc(ahead, normalAngle, cosNormal, sinNormal)
                     + arc(behind, normalAngle, cosNormal, sinNormal));
    // Without occlusion the horizons are perpendicular to the normal.
    all += size * (cosNormal + normalAngle * sinNormal);
  }
  o_color = vec4(clamp(visible / max(all, 1e-6), 0.0, 1.0), z, 0.0, 1.0);
}
`;

/**
 * Mean of visibility over the noise in one direction. Texels count if they are in the plane of the
 * surface.
 */
export const SMOOTH_VISIBILITY_GLSL = `
uniform highp sampler2D u_visibility;
uniform highp sampler2D u_normal;
uniform float u_tolerance; // distance from the plane from which on texels do not count
uniform ivec2 u_step;      // from a texel to the next one
out vec4 o_color;
${VIEW_POSITION_GLSL}
void main() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  vec2 center = texelFetch(u_visibility, texel, 0).rg;
  vec3 place = viewPosition(texel, center.g);
  vec3 normal = texelFetch(u_normal, texel, 0).xyz;
  float sum = 0.0;
  float weights = 0.0;
  for (int i = -2; i <= 2; i++) {
    ivec2 other = clamp(texel + u_step * i, ivec2(0), ivec2(u_sizePx) - 1);
    vec2 value = texelFetch(u_visibility, other, 0).rg;
    float distance = abs(dot(normal, viewPosition(other, value.g) - place));
    // Each of the four places of the noise has the same weight: the outermost two are one place.
    float weight = (abs(i) == 2 ? 1.0 : 2.0) * clamp(2.0 - 2.0 * distance / u_tolerance, 0.0, 1.0);
    if (value.g == 0.0) {
      weight = 0.0;
    }
    sum += value.r * weight;
    weights += weight;
  }
  o_color = vec4(weights > 0.0 ? sum / weights : 1.0, center.g, 0.0, 1.0);
}
`;
