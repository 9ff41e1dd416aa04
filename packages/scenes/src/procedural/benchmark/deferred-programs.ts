/**
 * Programs of deferred lighting (M. Deering et al., "The triangle processor and normal vector
 * shader", 1988; T. Saito and T. Takahashi, "Comprehensible Rendering of 3-D Shapes", 1990) and of
 * the glow around bright pixels.
 */
import type { ProgramSource } from '@tessera/frame';
import { OUTDOOR_VERTEX_SOURCE } from './outdoor-light.ts';

/** Number of lights that the lighting program adds up. */
export const MAX_LIGHTS = 96;

const COVERING_VERTEX_SOURCE = `#version 300 es
precision highp float;

out vec2 v_texCoord;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  v_texCoord = corner * 0.5 + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}
`;

/** Writes albedo and roughness, normal and metalness, and emitted light. */
export const SURFACE_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: OUTDOOR_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;

uniform sampler2D u_texture; // alpha is roughness
uniform vec3 u_tint;
uniform vec2 u_material; // metalness, emitted light

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
layout(location = 0) out vec4 o_albedo;
layout(location = 1) out vec4 o_normal;
layout(location = 2) out vec4 o_emitted;

void main() {
  vec4 surface = texture(u_texture, v_texCoord0);
  vec3 albedo = surface.rgb * u_tint;
  o_albedo = vec4(albedo, surface.a);
  o_normal = vec4(normalize(v_normal) * 0.5 + 0.5, u_material.x);
  o_emitted = vec4(albedo * u_material.y, 1.0);
}
`,
});

/** Lights every pixel with all lamps (B. Karis, "Real Shading in Unreal Engine 4", 2013). */
export const LIGHTING_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: COVERING_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;

uniform sampler2D u_albedo;
uniform sampler2D u_normal;
uniform sampler2D u_emitted;
uniform highp sampler2D u_depth;
uniform mat4 u_clipToWorld;
uniform vec3 u_viewerPosition;
uniform int u_lightCount;
uniform vec4 u_lightPlaces[${MAX_LIGHTS}]; // position, radius
uniform vec3 u_lightColors[${MAX_LIGHTS}];

in vec2 v_texCoord;
out vec4 o_color;

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(u_depth, at, 0).r;
  vec3 emitted = texelFetch(u_emitted, at, 0).rgb;
  if (depth == 1.0) {
    o_color = vec4(mix(vec3(0.012, 0.016, 0.035), vec3(0.001, 0.002, 0.008), v_texCoord.y), 1.0);
    return;
  }
  vec4 albedo = texelFetch(u_albedo, at, 0);
  vec4 packed = texelFetch(u_normal, at, 0);
  vec4 world = u_clipToWorld * vec4(vec3(v_texCoord, depth) * 2.0 - 1.0, 1.0);
  vec3 position = world.xyz / world.w;
  vec3 normal = normalize(packed.xyz * 2.0 - 1.0);
  vec3 toViewer = normalize(u_viewerPosition - position);
  float metalness = packed.w;
  float alpha = albedo.a * albedo.a;
  vec3 reflectance = mix(vec3(0.04), albedo.rgb, metalness);
  vec3 diffuse = albedo.rgb * (1.0 - metalness);
  vec3 radiance = emitted + albedo.rgb * mix(0.006, 0.014, normal.y * 0.5 + 0.5);
  for (int i = 0; i < u_lightCount; i++) {
    vec3 toLight = u_lightPlaces[i].xyz - position;
    float square = dot(toLight, toLight);
    float radius = u_lightPlaces[i].w;
    if (square >= radius * radius) continue;
    vec3 direction = toLight * inversesqrt(square);
    float cosine = dot(normal, direction);
    if (cosine <= 0.0) continue;
    float window = 1.0 - square * square / (radius * radius * radius * radius);
    float falloff = window * window / (square + 0.2);
    vec3 halfway = normalize(direction + toViewer);
    float normalHalf = max(dot(normal, halfway), 0.0);
    float spread = normalHalf * normalHalf * (alpha * alpha - 1.0) + 1.0;
    float facets = alpha * alpha / (spread * spread);
    float geometry = 1.0 / (4.0 * mix(cosine * max(dot(normal, toViewer), 0.05), 1.0, alpha));
    vec3 specular = reflectance * min(facets * geometry, 30.0);
    radiance += u_lightColors[i] * (diffuse + specular) * cosine * falloff;
  }
  o_color = vec4(radiance, 1.0);
}
`,
});

/** Reduces an image to a quarter of its edges and keeps what is brighter than 1. */
export const BRIGHT_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: COVERING_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;

uniform sampler2D u_image;
uniform vec2 u_texel;

in vec2 v_texCoord;
out vec4 o_color;

void main() {
  vec3 sum = vec3(0.0);
  for (int y = -1; y <= 1; y += 2) {
    for (int x = -1; x <= 1; x += 2) {
      vec3 color = texture(u_image, v_texCoord + vec2(x, y) * u_texel).rgb;
      sum += min(max(color - 0.9, 0.0), 8.0);
    }
  }
  o_color = vec4(sum * 0.25, 1.0);
}
`,
});

/** Blurs an image along one axis. */
export const BLUR_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: COVERING_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;

uniform sampler2D u_image;
uniform vec2 u_step;

in vec2 v_texCoord;
out vec4 o_color;

void main() {
  vec3 sum = vec3(0.0);
  float total = 0.0;
  for (int i = -6; i <= 6; i++) {
    float weight = exp(-float(i * i) / 14.0);
    sum += weight * texture(u_image, v_texCoord + float(i) * u_step).rgb;
    total += weight;
  }
  o_color = vec4(sum / total, 1.0);
}
`,
});

/** Adds the glow and maps radiance to the screen (K. Narkowicz, 2015). */
export const TONE_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: COVERING_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;

uniform sampler2D u_image;
uniform sampler2D u_glow;

in vec2 v_texCoord;
out vec4 o_color;

void main() {
  vec3 radiance = texelFetch(u_image, ivec2(gl_FragCoord.xy), 0).rgb;
  radiance = 1.1 * (radiance + 0.6 * texture(u_glow, v_texCoord).rgb);
  vec3 upper = radiance * (2.51 * radiance + 0.03);
  vec3 lower = radiance * (2.43 * radiance + 0.59) + 0.14;
  vec2 aside = v_texCoord - 0.5;
  float vignette = 1.0 - 0.5 * dot(aside, aside);
  o_color = vec4(sqrt(clamp(upper / lower, 0.0, 1.0)) * vignette, 1.0);
}
`,
});
