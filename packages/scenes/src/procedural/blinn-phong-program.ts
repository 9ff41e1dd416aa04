/** Shader of the plain scenes: one texture, one directional light, Blinn-Phong. */
import type { ProgramSource } from '@tessera/frame';

/**
 * Program with inputs `a_position`, `a_normal`, `a_texCoord0`; matrices and light in world space.
 */
export const BLINN_PHONG_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 300 es
precision highp float;

uniform mat4 u_modelViewProjection;
uniform mat4 u_model; // turns and moves, without uneven scale

in vec3 a_position;
in vec3 a_normal;
in vec2 a_texCoord0;
out vec3 v_worldPosition;
out vec3 v_normal;
out vec2 v_texCoord0;

void main() {
  gl_Position = u_modelViewProjection * vec4(a_position, 1.0);
  v_worldPosition = (u_model * vec4(a_position, 1.0)).xyz;
  v_normal = mat3(u_model) * a_normal;
  v_texCoord0 = a_texCoord0;
}
`,
  fragmentSource: `#version 300 es
precision highp float;

uniform sampler2D u_texture;
uniform vec3 u_viewerPosition;
uniform vec3 u_toLight; // of length 1
uniform vec4 u_color;

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

void main() {
  vec3 normal = normalize(v_normal);
  vec3 toViewer = normalize(u_viewerPosition - v_worldPosition);
  vec3 halfway = normalize(u_toLight + toViewer);
  float diffuse = max(dot(normal, u_toLight), 0.0);
  float specular = pow(max(dot(normal, halfway), 0.0), 32.0);
  vec4 color = texture(u_texture, v_texCoord0) * u_color;
  o_color = vec4(color.rgb * (0.25 + 0.75 * diffuse) + 0.25 * specular, color.a);
}
`,
});
