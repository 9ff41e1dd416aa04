/**
 * Shaders that filter an environment for image-based light: split sum (B. Karis, "Real Shading in
 * Unreal Engine 4", 2013) with GGX (Walter et al. 2007). The filter assumes that viewer and normal
 * have the direction of the texel.
 */

/** Number of directions of a texel that is filtered by importance. */
export const IMPORTANCE_SAMPLES = 32;

const HAMMERSLEY_GLSL = `
// Point i of n of a low-discrepancy set (Hammersley).
vec2 hammersley(uint i, uint n) {
  uint bits = (i << 16u) | (i >> 16u);
  bits = ((bits & 0x55555555u) << 1u) | ((bits & 0xAAAAAAAAu) >> 1u);
  bits = ((bits & 0x33333333u) << 2u) | ((bits & 0xCCCCCCCCu) >> 2u);
  bits = ((bits & 0x0F0F0F0Fu) << 4u) | ((bits & 0xF0F0F0F0u) >> 4u);
  bits = ((bits & 0x00FF00FFu) << 8u) | ((bits & 0xFF00FF00u) >> 8u);
  return vec2(float(i) / float(n), float(bits) * 2.3283064365386963e-10);
}
`;

/** Mean of four lookups in a panorama, so that a small bright light keeps its energy. */
export const PANORAMA_FACE_GLSL = `
uniform sampler2D u_panorama;
out vec4 o_radiance;

vec3 panorama(vec3 direction) {
  vec3 d = normalize(direction);
  vec2 at = vec2(atan(d.z, d.x) * 0.15915494309 + 0.5, 0.5 - asin(clamp(d.y, -1.0, 1.0)) * 0.31830988618);
  return textureLod(u_panorama, at, 0.0).rgb;
}

void main() {
  vec2 texel = gl_FragCoord.xy;
  vec3 sum = panorama(faceDirection(texel + vec2(-0.25, -0.25)))
           + panorama(faceDirection(texel + vec2(0.25, -0.25)))
           + panorama(faceDirection(texel + vec2(-0.25, 0.25)))
           + panorama(faceDirection(texel + vec2(0.25, 0.25)));
  o_radiance = vec4(sum * 0.25, 1.0);
}
`;

/** Mean of the four texels of the next larger level. */
export const HALVE_FACE_GLSL = `
uniform samplerCube u_larger;
out vec4 o_radiance;

void main() {
  o_radiance = textureLod(u_larger, faceDirection(gl_FragCoord.xy), 0.0);
}
`;

/**
 * Filters by importance, each direction from the level whose texels have its solid angle (Křivánek
 * and Colbert 2008).
 */
export const IMPORTANCE_FACE_GLSL = `
uniform samplerCube u_source;
uniform float u_roughness;
uniform float u_levelBias; // level of a direction whose density is 1 / 4π
out vec4 o_radiance;
${HAMMERSLEY_GLSL}
void main() {
  vec3 normal = normalize(faceDirection(gl_FragCoord.xy));
  float alpha = u_roughness * u_roughness;
  float alpha2 = alpha * alpha;
  vec3 up = abs(normal.z) < 0.999 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0);
  vec3 tangent = normalize(cross(up, normal));
  vec3 bitangent = cross(normal, tangent);
  vec3 sum = vec3(0.0);
  float weights = 0.0;
  for (uint i = 0u; i < ${IMPORTANCE_SAMPLES}u; i++) {
    vec2 point = hammersley(i, ${IMPORTANCE_SAMPLES}u);
    // Cosine between normal and halfway vector by the distribution of GGX; the light is its mirror.
    float spread = 1.0 / (1.0 - point.x + alpha2 * point.x);
    float cosLight = (1.0 - point.x - alpha2 * point.x) * spread;
    if (cosLight > 0.0) {
      float sinLight = 2.0 * alpha * sqrt(point.x * (1.0 - point.x)) * spread;
      float phi = 6.283185307 * point.y;
      vec3 toLight = normal * cosLight + (tangent * cos(phi) + bitangent * sin(phi)) * sinLight;
      float level = max(log2(alpha * spread) + u_levelBias, 0.0);
      sum += textureLod(u_source, toLight, level).rgb * cosLight;
      weights += cosLight;
    }
  }
  o_radiance = vec4(sum / weights, 1.0);
}
`;

/** Filters with all texels of a small level, weighted by their solid angle and by GGX. */
export const WHOLE_FACE_GLSL = `
uniform samplerCube u_source; // one level
uniform float u_roughness;
uniform int u_sourcePx;
out vec4 o_radiance;

void main() {
  vec3 normal = normalize(faceDirection(gl_FragCoord.xy));
  float alpha = u_roughness * u_roughness;
  float alpha2 = alpha * alpha;
  vec3 sum = vec3(0.0);
  float weights = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    for (int y = 0; y < u_sourcePx; y++) {
      for (int x = 0; x < u_sourcePx; x++) {
        vec2 st = (vec2(x, y) + 0.5) * (2.0 / float(u_sourcePx)) - 1.0;
        vec3 toLight = axis == 0 ? vec3(1.0, st) : axis == 1 ? vec3(st.x, 1.0, st.y) : vec3(st, 1.0);
        // Of two opposite texels one is above the surface.
        float side = dot(normal, toLight);
        toLight = side < 0.0 ? -toLight : toLight;
        float invLength = inversesqrt(1.0 + dot(st, st));
        float cosLight = abs(side) * invLength;
        float slope = 1.0 + alpha2 + (alpha2 - 1.0) * cosLight; // of the halfway vector, times 2
        float weight = cosLight * invLength * invLength * invLength / (slope * slope);
        sum += textureLod(u_source, toLight, 0.0).rgb * weight;
        weights += weight;
      }
    }
  }
  o_radiance = vec4(sum / weights, 1.0);
}
`;

/** Number of directions of an entry of the reflectance table. */
const TABLE_SAMPLES = 256;

/**
 * Reflectance by roughness (x) and cosine of the viewer (y) under uniform light: scale and bias of
 * the reflectance at normal incidence for GGX (Karis 2013).
 */
export const REFLECTANCE_TABLE_GLSL = `
uniform float u_tablePx;
out vec4 o_reflectance;
${HAMMERSLEY_GLSL}
void main() {
  vec2 at = gl_FragCoord.xy / u_tablePx;
  float roughness = at.x;
  float cosViewer = at.y;
  vec3 toViewer = vec3(sqrt(1.0 - cosViewer * cosViewer), 0.0, cosViewer);
  float alpha = roughness * roughness;
  float alpha2 = alpha * alpha;
  vec2 ggx = vec2(0.0);
  for (uint i = 0u; i < ${TABLE_SAMPLES}u; i++) {
    vec2 point = hammersley(i, ${TABLE_SAMPLES}u);
    float phi = 6.283185307 * point.y;
    float cosHalf = sqrt((1.0 - point.x) / (1.0 + (alpha2 - 1.0) * point.x));
    float sinHalf = sqrt(1.0 - cosHalf * cosHalf);
    vec3 halfway = vec3(cos(phi) * sinHalf, sin(phi) * sinHalf, cosHalf);
    float cosHalfViewer = max(dot(toViewer, halfway), 0.0);
    float cosLight = 2.0 * cosHalfViewer * halfway.z - toViewer.z;
    if (cosLight > 0.0) {
      float maskViewer = cosLight * sqrt(cosViewer * cosViewer * (1.0 - alpha2) + alpha2);
      float maskLight = cosViewer * sqrt(cosLight * cosLight * (1.0 - alpha2) + alpha2);
      float visible = 2.0 * cosLight * cosHalfViewer / ((maskViewer + maskLight) * halfway.z);
      float grazing = pow(1.0 - cosHalfViewer, 5.0);
      ggx += vec2(1.0 - grazing, grazing) * visible;
    }
  }
  o_reflectance = vec4(ggx / float(${TABLE_SAMPLES}), 0.0, 1.0);
}
`;
