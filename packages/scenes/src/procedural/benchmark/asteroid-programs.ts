/** Programs of the asteroid belt: instanced rocks, a planet and stars. */
import type { ProgramSource } from '@tessera/frame';
import { OUTDOOR_LIGHT_GLSL, OUTDOOR_VERTEX_SOURCE } from './outdoor-light.ts';

/** Rocks of which each instance has a place, a size, a rotation and a color. */
export const ROCK_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 300 es
precision highp float;

uniform mat4 u_viewProjection;

in vec3 a_position;
in vec3 a_normal;
in vec2 a_texCoord0;
in vec4 a_instancePlace; // position, size
in vec4 a_instanceRotation; // quaternion
in vec4 a_instanceColor;
out vec3 v_worldPosition;
out vec3 v_normal;
out vec2 v_texCoord0;
flat out vec4 v_color;

vec3 rotate(vec4 turn, vec3 v) {
  return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v);
}

void main() {
  vec3 turned = rotate(a_instanceRotation, a_position);
  v_worldPosition = a_instancePlace.xyz + a_instancePlace.w * turned;
  v_normal = rotate(a_instanceRotation, a_normal);
  v_texCoord0 = a_texCoord0;
  v_color = a_instanceColor;
  gl_Position = u_viewProjection * vec4(v_worldPosition, 1.0);
}
`,
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform sampler2D u_texture;

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
flat in vec4 v_color;
out vec4 o_color;

void main() {
  vec4 texel = texture(u_texture, v_texCoord0);
  vec3 toViewer = u_viewerPosition - v_worldPosition;
  float distance = length(toViewer);
  vec3 color = v_color.rgb * (0.45 + 0.9 * texel.r);
  float gloss = 0.4 * v_color.a * texel.g;
  vec3 radiance = lightSurface(color, gloss, normalize(v_normal), toViewer / distance, 1.0);
  o_color = vec4(seenFrom(distance, radiance), 1.0);
}
`,
});

/** A planet with bands of clouds and a rim of air. */
export const PLANET_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: OUTDOOR_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform sampler2D u_texture;

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

void main() {
  vec3 normal = normalize(v_normal);
  vec3 toViewer = normalize(u_viewerPosition - v_worldPosition);
  vec2 shift = texture(u_texture, v_texCoord0 * vec2(6.0, 3.0)).rg - 0.5;
  float band = texture(u_texture, vec2(2.0 * v_texCoord0.x, 2.6 * v_texCoord0.y) + 0.04 * shift).b;
  vec3 clouds = mix(vec3(0.34, 0.17, 0.09), vec3(0.62, 0.50, 0.36), smoothstep(0.3, 0.65, band));
  clouds *= 0.85 + 0.3 * shift.x;
  float sun = dot(normal, u_toSun);
  float rim = 1.0 - max(dot(normal, toViewer), 0.0);
  vec3 air = vec3(0.25, 0.45, 0.9) * (rim * rim * rim) * smoothstep(-0.25, 0.4, sun);
  o_color = vec4(toneMap(clouds * u_sunColor * smoothstep(-0.06, 0.9, sun) + 0.8 * air), 1.0);
}
`,
});

/** Stars and a nebula, by the direction of each pixel. */
export const STARS_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 300 es
precision highp float;

uniform mat4 u_clipToWorld;
uniform vec3 u_viewerPosition;
out vec3 v_direction;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = u_clipToWorld * vec4(corner, 1.0, 1.0);
  v_direction = far.xyz / far.w - u_viewerPosition;
  gl_Position = vec4(corner, 1.0, 1.0);
}
`,
  fragmentSource: `#version 300 es
precision highp float;
precision highp int;

uniform sampler2D u_texture;

in vec3 v_direction;
out vec4 o_color;

uint hash(ivec3 cell) {
  uint h = uint(cell.x) * 0x27d4eb2du ^ uint(cell.y) * 0x165667b1u ^ uint(cell.z) * 0x9e3779b1u;
  h = (h ^ (h >> 15)) * 0x85ebca6bu;
  return h ^ (h >> 13);
}

void main() {
  vec3 direction = normalize(v_direction);
  vec3 scaled = direction * 90.0;
  ivec3 cell = ivec3(floor(scaled));
  uint h = hash(cell);
  vec3 at = vec3(h & 255u, (h >> 8) & 255u, (h >> 16) & 255u) / 255.0;
  float miss = length(scaled - vec3(cell) - 0.25 - 0.5 * at);
  float star = (h >> 24) < 60u ? smoothstep(0.14, 0.0, miss) * (0.3 + at.x) : 0.0;
  float cloud = texture(u_texture, direction.xy * 0.4 + direction.z * 0.17).b;
  float stripe = exp(-18.0 * direction.y * direction.y);
  vec3 nebula = mix(vec3(0.05, 0.03, 0.10), vec3(0.16, 0.10, 0.08), cloud) * cloud * (0.3 + stripe);
  o_color = vec4(sqrt(nebula + vec3(star)), 1.0);
}
`,
});
