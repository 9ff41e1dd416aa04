/** The fragment shader of all surfaces: material, normal, lighting, tone mapping, sRGB. */

import { ENCODE_SRGB_GLSL, NEUTRAL_TONE_MAPPING_GLSL } from './common/output-color.ts';
import { VARYINGS_GLSL } from './common/varyings.ts';
import { LIGHTING_GLSL } from './lighting.ts';

const INPUTS_GLSL = `precision highp float;

uniform vec4 u_baseColorFactor;
uniform float u_alphaCutoff;
#ifdef BASE_COLOR_TEX_COORD
uniform sampler2D u_baseColorTexture;
#endif
#ifdef HAS_BASE_COLOR_MATRIX
uniform mat3 u_baseColorTexCoordMatrix;
#endif
${VARYINGS_GLSL}out vec4 o_color;
`;

const LIT_INPUTS_GLSL = `
uniform vec4 u_viewer; // position and 1, or direction and 0
uniform float u_metallicFactor;
uniform float u_roughnessFactor;
uniform vec3 u_emissiveFactor;
#ifdef METALLIC_ROUGHNESS_TEX_COORD
uniform sampler2D u_metallicRoughnessTexture;
#endif
#ifdef HAS_METALLIC_ROUGHNESS_MATRIX
uniform mat3 u_metallicRoughnessTexCoordMatrix;
#endif
#ifdef NORMAL_TEX_COORD
uniform sampler2D u_normalTexture;
uniform float u_normalScale;
#endif
#ifdef HAS_NORMAL_MATRIX
uniform mat3 u_normalTexCoordMatrix;
#endif
#ifdef OCCLUSION_TEX_COORD
uniform sampler2D u_occlusionTexture;
uniform float u_occlusionStrength;
#endif
#ifdef HAS_OCCLUSION_MATRIX
uniform mat3 u_occlusionTexCoordMatrix;
#endif
#ifdef EMISSIVE_TEX_COORD
uniform sampler2D u_emissiveTexture;
#endif
#ifdef HAS_EMISSIVE_MATRIX
uniform mat3 u_emissiveTexCoordMatrix;
#endif
in vec3 v_worldPosition;
`;

/** Computes the normal that faces the viewer, perturbed by the normal map. */
const NORMAL_GLSL = `
vec3 shadingNormal() {
  float facing = gl_FrontFacing ? 1.0 : -1.0;
  vec3 acrossX = dFdx(v_worldPosition);
  vec3 acrossY = dFdy(v_worldPosition);
#ifdef HAS_NORMALS
  vec3 normal = normalize(v_normal) * facing;
#else
  vec3 normal = normalize(cross(acrossX, acrossY)); // flat, towards the viewer as it is
#endif
#ifdef NORMAL_TEX_COORD
  vec3 bent = texture(u_normalTexture, NORMAL_TEX_COORD).xyz * 2.0 - 1.0;
  bent.xy *= u_normalScale;
#ifdef HAS_TANGENTS
  vec3 tangent = normalize(v_tangent.xyz);
  vec3 bitangent = cross(normal * facing, tangent) * v_tangent.w;
#else
  // No tangents: the directions in which the texture coordinates grow, from their derivatives.
  vec2 coord = NORMAL_TEX_COORD;
  vec2 coordX = dFdx(coord);
  vec2 coordY = dFdy(coord);
  vec3 slopeX = cross(acrossY, normal);
  vec3 slopeY = cross(normal, acrossX);
  vec3 tangent = slopeX * coordX.x + slopeY * coordY.x;
  vec3 bitangent = -(slopeX * coordX.y + slopeY * coordY.y); // v grows downwards in glTF
  float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
  float scale = longest > 0.0 ? inversesqrt(longest) : 0.0;
  tangent *= scale;
  bitangent *= scale;
#endif
  normal = normalize(facing * (tangent * bent.x + bitangent * bent.y) + normal * bent.z);
#endif
  return normal;
}
`;

const BASE_COLOR_GLSL = `
vec4 baseColor() {
  vec4 color = u_baseColorFactor;
#ifdef BASE_COLOR_TEX_COORD
  color *= texture(u_baseColorTexture, BASE_COLOR_TEX_COORD);
#endif
#ifdef HAS_COLORS
  color *= v_color;
#endif
#ifdef IS_ALPHA_MASKED
  if (color.a < u_alphaCutoff) {
    discard;
  }
#endif
#ifndef IS_ALPHA_BLENDED
  color.a = 1.0;
#endif
  return color;
}
`;

const LIT_MAIN_GLSL = `
void main() {
  // The textures are sampled before anything is discarded, where derivatives are defined.
  vec3 normal = shadingNormal();
  vec2 metallicRoughness = vec2(u_metallicFactor, u_roughnessFactor);
#ifdef METALLIC_ROUGHNESS_TEX_COORD
  metallicRoughness *= texture(u_metallicRoughnessTexture, METALLIC_ROUGHNESS_TEX_COORD).bg;
#endif
  float occlusion = 1.0;
#ifdef OCCLUSION_TEX_COORD
  float unoccluded = texture(u_occlusionTexture, OCCLUSION_TEX_COORD).r;
  occlusion = 1.0 + u_occlusionStrength * (unoccluded - 1.0);
#endif
  vec3 emission = u_emissiveFactor;
#ifdef EMISSIVE_TEX_COORD
  emission *= texture(u_emissiveTexture, EMISSIVE_TEX_COORD).rgb;
#endif
  vec4 color = baseColor();

  Surface surface;
  surface.normal = normal;
  surface.toViewer = normalize(u_viewer.xyz - v_worldPosition * u_viewer.w);
  surface.diffuseColor = color.rgb * (1.0 - metallicRoughness.x);
  surface.specularColor = mix(vec3(0.04), color.rgb, metallicRoughness.x);
  surface.roughness = clamp(metallicRoughness.y, 0.045, 1.0);

  vec3 radiance = shadeDirectional(surface, LIGHT_DIRECTION) * LIGHT_COLOR
                + shadeEnvironment(surface) * occlusion
                + emission;
  o_color = vec4(encodeSrgb(toneMap(radiance)), color.a);
}
`;

const UNLIT_MAIN_GLSL = `
void main() {
  vec4 color = baseColor();
  o_color = vec4(encodeSrgb(color.rgb), color.a);
}
`;

/** Returns GLSL ES 3.00 without version line and defines. */
export function writeSurfaceFragmentShader(isUnlit: boolean): string {
  return isUnlit
    ? INPUTS_GLSL + NEUTRAL_TONE_MAPPING_GLSL + ENCODE_SRGB_GLSL + BASE_COLOR_GLSL + UNLIT_MAIN_GLSL
    : INPUTS_GLSL +
        LIT_INPUTS_GLSL +
        LIGHTING_GLSL +
        NEUTRAL_TONE_MAPPING_GLSL +
        ENCODE_SRGB_GLSL +
        BASE_COLOR_GLSL +
        NORMAL_GLSL +
        LIT_MAIN_GLSL;
}

/**
 * Normals of triangles in the space of the camera: GLSL ES 3.00 without version line and defines.
 * Lines and points face the viewer.
 */
export const NORMAL_FRAGMENT_GLSL = `${INPUTS_GLSL}${BASE_COLOR_GLSL}
in vec3 v_worldPosition;
uniform mat3 u_worldToView;

void main() {
  vec3 place = u_worldToView * v_worldPosition;
  vec3 slope = cross(dFdx(place), dFdy(place));
  float squared = dot(slope, slope);
  baseColor();
  o_color = vec4(squared > 0.0 ? slope * inversesqrt(squared) : vec3(0.0, 0.0, 1.0), 1.0);
}
`;
