/** Shaders that must be accepted. Together they use the whole language of each version. */
import type { ShaderStage } from '../tree/checked-tree.ts';

/** Shader with the options to check it with. */
export interface ValidShader {
  readonly title: string;
  readonly stage: ShaderStage;
  readonly restrictLoops?: boolean;
  readonly source: string;
}

/** All shaders. */
export const VALID_SHADERS: readonly ValidShader[] = [
  {
    title: 'ES 1.00 vertex',
    stage: 'vertex',
    source: `
      attribute vec4 position; attribute mat3 frame;
      uniform mat4 matrices[4]; uniform sampler2D heights; uniform int count;
      varying vec2 uv; varying mat2 turn; varying float parts[3];
      invariant gl_Position; invariant uv;
      const int SIZE = 2 * 3 - 1;
      const float TABLE = sin(1.0);
      struct Light { vec3 direction; float weights[SIZE]; };
      struct Scene { Light lights[2]; bool isOn; };
      uniform Scene scene;
      float f(float x); float f(vec2 x) { return x.s + x.t; }
      float f(in float x) { return x * float(SIZE); }
      void g(const in vec3 a, out vec3 b, inout float c) { b = a; c += 1.0; }
      void main() {
        vec3 a = vec3(position.xyz), b; float c = .5e1 + 1.e-2 + 010.0 + TABLE;
        g(a, b, c); b.xz = a.zx; b[1] = -a.y; b.rgb *= frame; ivec3 i = ivec3(1, true, 2.5);
        for (int n = 0; n < 4; n++) { if (n == count) break; else continue; }
        int k = 0; while (k < 3) { ++k; } do k--; while (k > 0);
        bvec2 test = lessThan(a.xy, b.xy); if (any(test) ^^ !test.x || k == 0x1F && scene.isOn) return;
        mat2 m = mat2(1.0, 2, 3, true); m[0] = m * m[1]; m[1][0] += 1.0; turn = matrixCompMult(m, m);
        uv = k > 1 ? a.xy : b.xy, parts[0] = f(c), parts[1] = f(uv);
        gl_Position = matrices[count] * texture2DLod(heights, uv, 0.0) + scene.lights[k].weights[1];
        gl_PointSize = float(gl_MaxVertexAttribs) + gl_DepthRange.diff; ; {}
      }`,
  },
  {
    title: 'ES 1.00 fragment with extensions',
    stage: 'fragment',
    source: `#version 100
      #extension GL_OES_standard_derivatives : enable
      #extension GL_EXT_shader_texture_lod : require
      #extension GL_EXT_frag_depth : enable
      #extension GL_EXT_draw_buffers : enable
      #extension GL_FOO_unknown : enable
      #ifdef GL_FRAGMENT_PRECISION_HIGH
      precision highp float;
      #else
      precision mediump float;
      #endif
      uniform samplerCube sky; uniform lowp sampler2D images[2]; varying vec3 n;
      float sin(float a, float b) { return a + b; }
      void main() {
        lowp float flag = gl_FrontFacing ? 1.0 : 0.0; vec2 p = gl_PointCoord;
        vec4 c = textureCube(sky, n, 0.5) + texture2DProj(images[1], n) + texture2DLodEXT(images[0], p, 1.);
        if (c.a < 0.5) discard;
        gl_FragData[0] = c * fwidth(p.x) + sin(flag, 1.0); gl_FragData[1] = vec4(dFdx(p), dFdy(p));
        gl_FragDepthEXT = gl_FragCoord.z;
      }`,
  },
  {
    title: 'ES 1.00 names of later versions',
    stage: 'fragment',
    source: `precision mediump float;
      float texture, smooth, uint, layout, centroid, sample, image2D;
      struct S { float case_; } s; void f(int a) { float a; }
      void main() { float sin = 1.0; { float s = sin; texture = s; } s.case_ = uint; gl_FragColor = vec4(texture); }`,
  },
  {
    title: 'appendix A loops',
    stage: 'fragment',
    restrictLoops: true,
    source: `precision mediump float; uniform vec4 a[4]; uniform float b[4];
      void main() { vec4 sum = vec4(0.0);
        for (int i = 0; i < 4; i++) { for (float f = 1.0; f >= 0.0; f -= .25) sum += a[i] * f; sum[i] += b[3 - i]; }
        gl_FragColor = sum; }`,
  },
  {
    title: 'preprocessor',
    stage: 'fragment',
    source: `#define EMPTY
      #define ADD(a, b) ((a) + (b))
      #define NEST(x) ADD(x, ADD(x, 1))
      #define self self
      #define CALL ADD
      # /* null with comment */
      #
      #if defined(ADD) && !defined FOO && (0 || 1 << 2 == 4) /*
      */
      #define OK 1
      #endif
      #undef FOO
      #if 0
        #error not here @
        #if UNDEFINED ( / 0
        #else
        #endif
      #elif OK == 1 && __VERSION__ == 100 && GL_ES == 1
        #pragma STDGL invariant(all)
        #pragma anything at all
        int self;
        #line 100 2
        #ifndef OK
        #elif __LINE__ == 101
        EMPTY
        int value = NEST(CALL (1, 2));
        #endif
      #else
        #error wrong branch
      #endif
      void main() { self = value + __FILE__; }`,
  },
  {
    title: 'ES 3.00 vertex',
    stage: 'vertex',
    source: `#version 300 es
      layout(location = 0) in vec3 position; layout(location = 1) in ivec4 bones; in uint id; in mat4 model;
      flat out ivec2 flags; smooth centroid out vec2 uv; invariant out vec4 tint; out float list[2];
      struct Pair { vec2 a; float b; }; out Pair pair;
      layout(std140, row_major) uniform; 
      layout(std140) uniform Camera { mat4 view; layout(column_major) mat3 normal; highp vec3 eye[2]; } camera;
      uniform Lights { Pair pairs[4]; uint count; };
      uniform Bones { mat4 matrices[8]; } bonesets[2];
      uniform highp sampler2DArray layers; uniform mediump usampler2D ids;
      const float[3] A = float[](1.0, 2.0, 3.0); const int LENGTH = A.length(); const Pair Q = Pair(vec2(1), 2.0);
      vec2[2] swap(const vec2 a[2]) { return vec2[2](a[1], a[0]); }
      int g(int a) { switch (a) { case 0: return 1; case 1 + 1: a++; break; default: { a = -1; } } return a; }
      void main() {
        float t[LENGTH]; t[int(Q.b)] = A[1]; vec2 p[2] = vec2[](vec2(0), vec2(1)), q[2]; q = swap(p);
        if (p == q || Q != pairs[1]) t[0] = 1.0f; uint u = 0xFFu << 2u; u ^= 3u; u %= 5u; int s = ~7 >> 1;
        mat2x3 m = outerProduct(vec3(1), vec2(2)); mat3x2 r = transpose(m); mat2 d = r * m; d = inverse(d) * determinant(d);
        uvec4 w = texelFetch(ids, ivec2(1, 2), 0) + uvec4(bones); ivec3 size = textureSize(layers, 0);
        flags = ivec2(gl_VertexID, gl_InstanceID) + g(s); uv = textureLodOffset(layers, vec3(1), 0.0, ivec2(-8, 7)).xy;
        float ip; tint = vec4(modf(2.5, ip), roundEven(ip), uintBitsToFloat(w.x), unpackHalf2x16(u).y); list = float[2](1.0, 2.0);
        pair = Pair(uv, isnan(ip) ? 1.0 : 0.0); for (int i = 0, j = 2; bool(j); i++, --j) continue; while (bool go = u > 3u) { u--; }
        gl_Position = camera.view * (bonesets[1]).matrices[bones.x] * vec4(mix(position, (camera).eye[0], bvec3(true)), int(count) + bonesets.length());
      }`,
  },
  {
    title: 'ES 3.00 fragment',
    stage: 'fragment',
    source: `#version 300 es
      precision highp float; precision highp int; precision highp sampler2DShadow; precision mediump isampler3D;
      uniform sampler2D map; uniform sampler2DShadow shadow; uniform isampler3D volume; uniform sampler2D maps[2];
      in vec2 uv; flat in ivec2 flags;
      layout(location = 0) out vec4 color; layout(location = 1) out uvec2 ids[2];
      void main() { color = vec4(0); }`,
  },
  {
    title: 'ES 3.00 fragment, one output',
    stage: 'fragment',
    source: `#version 300 es
      precision highp float; precision highp sampler2DShadow;
      uniform sampler2D map; uniform sampler2DShadow shadow; uniform sampler2D maps[2]; in vec2 uv; out vec4 color;
      void main() {
        vec4 c = texture(map, uv, 0.5) + textureGrad(map, uv, dFdx(uv), dFdy(uv)) + textureProj(map, vec3(uv, 1));
        c *= texture(shadow, vec3(uv, 0.5)) + texture(maps[1], uv).r; if (!gl_FrontFacing) discard;
        color = c; color.a = fwidth(uv.x) + tanh(1.0); gl_FragDepth = gl_FragCoord.z;
      }`,
  },
  {
    title: 'GLSL 1.10 vertex',
    stage: 'vertex',
    source: `#version 110
      varying vec3 normal; attribute vec3 tangent; uniform sampler1D ramp; varying vec4 gl_TexCoord[4];
      float list[]; float list[3];
      void main() {
        normal = gl_NormalMatrix * gl_Normal; vec4 p = gl_ModelViewMatrix * gl_Vertex; list[2] = gl_Fog.density;
        gl_FrontColor = gl_FrontMaterial.diffuse * max(dot(normal, gl_LightSource[0].position.xyz), 0.0) + gl_Color;
        gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0; gl_TexCoord[3] = gl_MultiTexCoord7; gl_ClipVertex = p;
        gl_FogFragCoord = abs(p.z) + texture1D(ramp, 0.5).x + noise1(p); gl_Position = ftransform();
        gl_PointSize = gl_Point.size; gl_BackColor = gl_LightModel.ambient + gl_FrontLightModelProduct.sceneColor;
      }`,
  },
  {
    title: 'GLSL 1.10 fragment',
    stage: 'fragment',
    source: `#version 110
      #extension GL_ARB_texture_rectangle : enable
      uniform sampler2DRect rect; uniform sampler3D volume; uniform sampler2DShadow shadow; varying vec3 normal;
      #ifdef GL_ES
      precision mediump float;
      #endif
      void main() {
        vec4 c = texture2DRect(rect, gl_FragCoord.xy) + texture3D(volume, normal) + shadow2D(shadow, normal);
        gl_FragColor = mix(gl_Fog.color, c * gl_Color, gl_FogFragCoord) + gl_TexCoord[1]; gl_FragDepth = fwidth(c.x);
      }`,
  },
  {
    title: 'GLSL 1.20 with conversions',
    stage: 'fragment',
    source: `#version 120
      uniform float scale = 2; uniform vec3 axis = vec3(0, 1, 0); centroid varying vec2 uv; invariant varying vec4 v;
      const float[3] TABLE = float[3](1, 2.0, 3); float half_(float x) { return x / 2; } float one() { return 1; }
      void main() {
        float x = 1; x += 1; x = max(1, 2.0) + half_(4) * TABLE.length(); vec2 a = ivec2(1) * uv; a *= 2;
        mat2x3 m = mat2x3(1.0); vec3 b = m * a; float list[2] = float[2](1, x); list[1] = true ? 1 : 2.0;
        if (x < 2) b = axis; if (x == 1) discard; mat3x2 t = transpose(m); gl_FragColor = vec4(b, 1) + gl_PointCoord.x + v;
      }`,
  },
];
