/** Shaders of desktop GLSL from 1.30 and with GL_EXT_gpu_shader4 that must be accepted. */
import type { ValidShader } from './valid-shaders.ts';

/** All shaders. */
export const DESKTOP_SHADERS: readonly ValidShader[] = [
  {
    title: 'GLSL 1.30 vertex',
    stage: 'vertex',
    source: `#version 130
      in vec4 vertex; attribute vec3 old; in ivec2 cells; in uvec4 bits; uniform usampler1D table; uniform uint mask;
      flat out uint id; noperspective out vec2 uv; centroid out vec4 c; out float gl_ClipDistance[3]; invariant gl_Position;
      struct Pair { int a; float b; }; flat out Pair pair; out vec3 list[2]; flat out vec4 gl_FrontColor; float f(int x);
      float f(int x) { switch (x) { case 0: return 1.0; default: break; } return float(x << 2 & 3); }
      void main() {
        uint u = 3u + 2; float x = u; uvec2 w = ivec2(1) ^ uvec2(~mask); x += f(cells.x % 3) + trunc(x) + sinh(x);
        id = texelFetch(table, cells.y, 0).r | bits.x; uv = vec2(textureSize(table, 0)) + roundEven(old.xy); c = vertex;
        pair = Pair(int(w.x), isnan(x) ? 1.0 : 0.0); list[1] = old; gl_ClipDistance[1] = x; gl_PointSize = gl_VertexID;
        gl_FrontColor = gl_Color; gl_TexCoord[0] = gl_MultiTexCoord0; gl_Position = ftransform();
      }`,
  },
  {
    title: 'GLSL 1.30 fragment',
    stage: 'fragment',
    source: `#version 130
      uniform sampler1DArray strips; uniform sampler1DArrayShadow depths; uniform isampler1DArray rows; uniform isampler2DArray layers; uniform samplerCubeShadow sky;
      flat in uint id; noperspective in vec2 uv; flat in vec4 gl_Color; out vec4 color; out uvec2 ids;
      uniform sampler2D map; uniform int levels = 2; smooth in vec3 list[2];
      void main() {
        color = texture(strips, uv, 0.5) + textureOffset(strips, uv, 1) + textureGrad(strips, uv, uv.x, uv.y) + gl_Color;
        color += texture(depths, list[0]) + vec4(texelFetch(layers, ivec3(1), levels)) + texture(sky, vec4(list[1], 1)) + texture2D(map, uv);
        ids = uvec2(id, textureSize(strips, 0).y); float whole; ids.x += uint(texelFetchOffset(rows, ivec2(id), levels, -1).x); color.a = modf(gl_TexCoord[0].x, whole) + gl_ClipDistance[0]; gl_FragDepth = whole;
      }`,
  },
  {
    title: 'GLSL 1.40 fragment with a block',
    stage: 'fragment',
    source: `#version 140
      layout(std140) uniform; uniform Colors { vec4 tint; layout(row_major) mat4 turn; } colors; layout(packed) uniform Parts { float part[3]; };
      uniform sampler2DRect rect; uniform usampler2DRect counts; out vec4 color;
      void main() {
        color = colors.tint * inverse(colors.turn) + part[1] * texture(rect, gl_FragCoord.xy) + texelFetch(rect, ivec2(1));
        color.r += textureSize(counts).x + textureProjGrad(rect, vec3(1), vec2(1), vec2(2)).x + gl_PointCoord.y;
      }`,
  },
  {
    title: 'GLSL 3.30 vertex with a profile',
    stage: 'vertex',
    source: `#version 330 core
      layout(location = 2) in vec3 p; uniform mat3 m; flat out int i;
      void main() { i = floatBitsToInt(determinant(m)) + gl_InstanceID; gl_Position = vec4(m * p, 1); }`,
  },
  {
    title: 'GLSL 1.50 compatibility fragment',
    stage: 'fragment',
    source: `#version 150 compatibility
      void main() { gl_FragColor = gl_Color * gl_FrontMaterial.diffuse * gl_MaxVaryingComponents; }`,
  },
  {
    title: 'GL_EXT_gpu_shader4 vertex',
    stage: 'vertex',
    source: `#version 110
      #extension GL_EXT_gpu_shader4 : require
      attribute ivec4 cell; uniform usampler2D table; flat varying ivec4 tc; noperspective varying vec2 uv; centroid varying vec4 c;
      void main() {
        unsigned int u = texelFetch2D(table, cell.xy, 0).x >> 1; tc = cell % 3; uv = truncate(gl_Vertex.xy); c = vec4(float(u));
        tc.x += textureSize2D(table, 0).x + gl_VertexID + int(texelFetch2DOffset(table, cell.xy, cell.z, ivec2(1)).x); gl_Position = gl_Vertex;
      }`,
  },
  {
    title: 'GL_EXT_gpu_shader4 fragment',
    stage: 'fragment',
    source: `#version 120
      #extension GL_EXT_gpu_shader4 : enable
      uniform isampler1DArray strips; uniform sampler2DArray layers; uniform sampler2DShadow depth; flat varying ivec4 tc; varying out vec4 color;
      void main() {
        color = vec4(texelFetch1DArray(strips, tc.xy, 0)) + texture2DArray(layers, vec3(1)) + texture2DArrayLod(layers, vec3(1), 1.0);
        color += shadow2DOffset(depth, vec3(0.5), ivec2(1)) + texture2DArrayGrad(layers, vec3(1), vec2(1), vec2(1));
      }`,
  },
];
