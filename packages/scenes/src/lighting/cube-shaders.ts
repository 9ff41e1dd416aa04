/** Shaders of passes that draw all texels of a face of a cube, or of a whole image. */
import type { ProgramSource } from '@tessera/frame';

/** One triangle that covers the target. */
const COVERING_VERTEX_GLSL = `#version 300 es
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
`;

/**
 * Direction of a texel of a face (OpenGL 4.6, table 8.19). Faces are numbered +x, −x, +y, −y, +z,
 * −z.
 */
const FACE_DIRECTION_GLSL = `
uniform int u_face;
uniform float u_facePx;

vec3 faceDirection(vec2 texel) {
  vec2 st = texel * (2.0 / u_facePx) - 1.0;
  switch (u_face) {
    case 0: return vec3(1.0, -st.y, -st.x);
    case 1: return vec3(-1.0, -st.y, st.x);
    case 2: return vec3(st.x, 1.0, st.y);
    case 3: return vec3(st.x, -1.0, -st.y);
    case 4: return vec3(st.x, -st.y, 1.0);
    default: return vec3(-st.x, -st.y, -1.0);
  }
}
`;

/**
 * Returns the program of a pass over all texels of an image.
 *
 * @param fragment GLSL ES 3.00 after the version line.
 */
export function coveringProgram(fragment: string): ProgramSource {
  return {
    vertexSource: COVERING_VERTEX_GLSL,
    fragmentSource: `#version 300 es\nprecision highp float;\nprecision highp int;\n${fragment}`,
  };
}

/**
 * Returns the program of a pass over a face, whose fragment shader has `faceDirection`.
 *
 * @param fragment GLSL ES 3.00 after the version line.
 */
export function faceProgram(fragment: string): ProgramSource {
  return coveringProgram(FACE_DIRECTION_GLSL + fragment);
}
