/**
 * Shaders that must be rejected, one per line. ` ⏎ ` is a line break. A number and a bar in front
 * give the line of the case on which the first error is expected (1 by default).
 *
 * - `raw`: the whole source.
 * - `global`: preceded by three lines, followed by an empty `main`.
 * - `main`: the statements of `main`, preceded by four lines.
 *
 * One file because it is one table.
 */
import type { ShaderStage } from '../tree/checked-tree.ts';

/** Cases with the same stage, version and place. */
export interface CaseGroup {
  readonly title: string;
  readonly stage: ShaderStage;
  readonly version: 100 | 110 | 120 | 300;
  readonly place: 'raw' | 'global' | 'main';
  readonly restrictLoops?: boolean;
  readonly isWebGl?: boolean;
  readonly allowedVersions?: readonly [100];
  readonly cases: string;
}

const DECLARATIONS =
  'uniform sampler2D tex; uniform vec4 u; struct S { float f; vec2 v[2]; }; struct P { int i; }; const int N = 3;';

/** Returns the source of one case and the line of its case text. */
export function buildCase(group: CaseGroup, text: string): { source: string; line: number } {
  const marked = /^(\d+)\| ?(.*)$/.exec(text);
  const inCase = marked === null ? 1 : Number(marked[1]);
  const body = (marked === null ? text : marked[2]!).replaceAll(/ ?⏎ ?/g, '\n');
  if (group.place === 'raw') return { source: body, line: inCase };
  const isEs = group.version === 100 || group.version === 300;
  const head = `#version ${group.version}${group.version === 300 ? ' es' : ''}\n${
    isEs ? 'precision mediump float;' : ''
  }\n${DECLARATIONS}\n`;
  return group.place === 'global'
    ? { source: `${head}${body}\nvoid main() {}\n`, line: 3 + inCase }
    : { source: `${head}void main() {\n${body}\n}\n`, line: 4 + inCase };
}

/** Returns the cases of a group, without empty lines. */
export function casesOf(group: CaseGroup): string[] {
  return group.cases
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** All cases. */
export const INVALID_SHADERS: readonly CaseGroup[] = [
  {
    title: 'preprocessor',
    stage: 'vertex',
    version: 100,
    place: 'raw',
    cases: `
      #foo ⏎ void main() {}
      #if 1 ⏎ void main() {}
      2| void main() {} ⏎ #endif
      2| void main() {} ⏎ #else ⏎ #endif
      #if FOO ⏎ #endif ⏎ void main() {}
      #if 1 / 0 ⏎ #endif ⏎ void main() {}
      #if 1 + ⏎ #endif ⏎ void main() {}
      #if (1 ⏎ #endif ⏎ void main() {}
      #if 1.0 ⏎ #endif ⏎ void main() {}
      2| #if 1 ⏎ #endif extra ⏎ void main() {}
      2| #if 1 ⏎ #else extra ⏎ #endif ⏎ void main() {}
      #ifdef ⏎ #endif ⏎ void main() {}
      #ifdef A B ⏎ #endif ⏎ void main() {}
      #ifdef 1 ⏎ #endif ⏎ void main() {}
      3| #if 0 ⏎ #else ⏎ #else ⏎ #endif ⏎ void main() {}
      3| #if 1 ⏎ #else ⏎ #elif 1 ⏎ #endif ⏎ void main() {}
      #error stop ⏎ void main() {}
      #define GL_FOO 1 ⏎ void main() {}
      #define defined 1 ⏎ void main() {}
      #define __LINE__ 1 ⏎ void main() {}
      #undef GL_ES ⏎ void main() {}
      #define ⏎ void main() {}
      #define 1 2 ⏎ void main() {}
      #define f(a, a) a ⏎ void main() {}
      #define f(1) a ⏎ void main() {}
      #define f(a ⏎ void main() {}
      2| #define A 1 ⏎ #define A 2 ⏎ void main() {}
      2| #define f(a) a ⏎ #define f(b) b ⏎ void main() {}
      2| #define f(a) a ⏎ void main() { int i = f(1, 2); }
      2| #define f(a, b) a ⏎ void main() { int i = f(1); }
      2| #define f(a) a ⏎ void main() { int i = f(1; }
      2| void main() {} ⏎ #version 100
      #version 300 ⏎ void main() {}
      #version 310 es ⏎ void main() {}
      #version 100 foo ⏎ void main() {}
      #version abc ⏎ void main() {}
      2| ⏎ #version 300 es ⏎ void main() {}
      #extension GL_FOO_bar : require ⏎ void main() {}
      #extension GL_OES_standard_derivatives : maybe ⏎ void main() {}
      #extension GL_OES_standard_derivatives ⏎ void main() {}
      #extension all : enable ⏎ void main() {}
      #line foo ⏎ void main() {}
      #line 1 2 3 ⏎ void main() {}
      /* never closed
      void main() { int a = 1 @ 2; }
      void main() { "text"; }
      void main() { int a = 08; }
      void main() { int a = 0x; }
      void main() { float a = 1.0.0; }
      void main() { float a = 1.0f; }
      void main() { int a = 1u; }
      void main() { int a = 12345678901; }`,
  },
  {
    title: 'whole shaders',
    stage: 'fragment',
    version: 100,
    place: 'raw',
    cases: `
      float f;
      varying vec2 v; ⏎ void main() {}
      void main() { float f = 1.0; }
      float f() { return 1.0; } ⏎ void main() {}
      2| precision mediump float; ⏎ int main() { return 1; }
      2| precision mediump float; ⏎ void main(int i) {}
      2| precision mediump float; ⏎ void f(); void main() { f(); }
      2| precision mediump float; ⏎ void f() { f(); } ⏎ void main() { f(); }
      2| void f(); ⏎ void g() { f(); } ⏎ void f() { g(); } ⏎ void main() {}
      2| void main() { ⏎ }}
      2| void main() { ⏎
      void main() {} ;
      3| ⏎ ⏎ void main() { foo(); }
      precision mediump vec2; void main() {}
      precision mediump bool; void main() {}
      precision float; void main() {}
      2| precision mediump float ⏎ void main() {}`,
  },
  {
    title: 'declarations',
    stage: 'fragment',
    version: 100,
    place: 'global',
    cases: `
      attribute vec4 a;
      in vec4 a;
      out vec4 a;
      varying int i;
      varying P p;
      varying bool b;
      uniform float x = 1.0;
      varying float x = 1.0;
      const float x;
      const float x = u.x;
      const vec2 x = vec3(1.0);
      float x = 1;
      int x = 1.0;
      bool x = 1;
      float x[2] = float[2](1.0, 2.0);
      float[2] x;
      float x[0];
      float x[-1];
      float x[2.0];
      float x[u.x];
      float x[];
      float x[2][2];
      float x, x;
      float x; int x;
      struct S { int i; };
      struct T { int i; int i; };
      struct T { };
      struct T { T t; };
      struct T { int i = 1; };
      struct T { uniform int i; };
      struct T { struct V { int i; } v; };
      struct T { void v; };
      2| struct T { int i; }
      void x;
      sampler2D s;
      struct T { sampler2D s; }; T t;
      invariant float x;
      invariant foo;
      uniform invariant float x;
      highp uniform float x;
      const uniform float x;
      highp highp float x;
      lowp bool x;
      varying uniform float x;
      float gl_x;
      float a__b;
      float class;
      float switch;
      float flat;
      float sampler3D;
      float 1x;
      float for;
      uint x;
      foo x;
      layout(location = 0) varying vec4 v;
      float f(float a, float a) { return a; }
      float f(void a) { return 1.0; }
      float f(float a[]) { return 1.0; }
      float f(varying float a) { return a; }
      float f(out const float a) { return a; }
      void f(out sampler2D s) {}
      sampler2D f() { return tex; }
      float[2] f() { }
      S f() { S s; return s; }
      float f() { return 1; }
      float f() { return; }
      void f() { return 1.0; }
      void f() {} void f() {}
      void f(); void f();
      void f(int a); int f(int a) { return a; }
      void f(in int a); void f(out int a) { a = 1; }
      float f; void f() {}
      float sin(float a) { return a; }
      void f() { float a; } void g() { a = 1.0; }
      float x = sin(gl_FragCoord.x);
      float g() { return 1.0; } float x = g();`,
  },
  {
    title: 'statements',
    stage: 'fragment',
    version: 100,
    place: 'main',
    cases: `
      foo = 1;
      foo();
      2| float x = 1.0 ⏎ float y;
      float x = (1.0;
      float x = 1.0);
      float x = ;
      1 = 2;
      N = 4;
      u.x = 1.0;
      u = vec4(1.0);
      gl_FragCoord.x = 1.0;
      vec2 a; a.xx = vec2(1.0);
      vec2 a; a.z = 1.0;
      vec2 a; a.xg = vec2(1.0);
      vec2 a; a.foo = 1.0;
      vec2 a; a.xyxyx;
      float a; a.x = 1.0;
      S s; s.g = 1.0;
      S s, t; s = t;
      S s, t; bool b = s == t;
      S s = S(1.0, 2.0);
      P p = P(1.0);
      P p = P(1, 2);
      P p; p + p;
      float a[2], b[2]; a = b;
      float a[2]; bool b = a == a;
      float a[2]; a[2] = 1.0;
      float a[2]; a[-1] = 1.0;
      float a[2]; a[1.0] = 1.0;
      float a[2]; a.length();
      vec3 a; a[3] = 1.0;
      mat3 a; a[3] = vec3(1.0);
      mat3 a; a[0][3] = 1.0;
      float a; a[0] = 1.0;
      float a = 1.0 + 1;
      float a = 1.0 + true;
      vec2 a = vec2(1.0) + vec3(1.0);
      vec2 a = mat3(1.0) * vec2(1.0);
      mat2 a = mat2(1.0) + mat3(1.0);
      vec2 a = vec2(1.0); a *= mat3(1.0);
      float a = 1.0; a *= vec2(1.0);
      int a = 5 % 2;
      int a = 5 << 2;
      int a = 5 & 2;
      int a = ~5;
      int a = 5; a |= 1;
      bool a = !1;
      bool a = 1 && 0;
      bool a = 1.0 < 2;
      bool a = vec2(1.0) < vec2(2.0);
      bool a = true < false;
      bool a = 1 == 1.0;
      bool a = true; a++;
      bool a = -true;
      N++;
      (1 + 2)++;
      int a = true ? 1 : 2.0;
      int a = 1 ? 1 : 2;
      P p, q; p = true ? p : q;
      vec2 a = vec2();
      vec2 a = vec2(1.0, 2.0, 3.0);
      vec3 a = vec3(1.0, 2.0);
      vec4 a = vec4(vec2(1.0));
      vec2 a = vec2(vec2(1.0), 1.0);
      mat2 a = mat2(1.0, 2.0, 3.0);
      mat2 a = mat2(mat2(1.0), 1.0);
      float a = float(tex);
      float a = float(P(1));
      float a = void(1);
      float a = sin(1);
      float a = sin();
      float a = sin(1.0, 2.0);
      float a = sin(true);
      float a = max(vec2(1.0), vec3(1.0));
      vec4 a = texture2D(tex, 1.0);
      vec4 a = texture2D(u, vec2(1.0));
      vec4 a = texture2DLod(tex, vec2(1.0), 0.0);
      vec4 a = texture(tex, vec2(1.0));
      vec2 a = dFdx(vec2(1.0));
      vec4 a = texture2DLodEXT(tex, vec2(1.0), 0.0);
      gl_FragDepthEXT = 1.0;
      gl_FragDepth = 1.0;
      gl_Position = vec4(1.0);
      gl_FragData[1] = vec4(1.0);
      int i = 0; gl_FragData[i] = vec4(1.0);
      if (1) {}
      if (1.0 > 0.0 {}
      if (true) int;x
      while (1) {}
      for (int i = 0; i; i++) {}
      for (int i = 0; i < 3; i++) { int i; }
      do {} while (1);
      2| do {} while (true)
      2| for (int i = 0; i < 3; i++) {} ⏎ i = 1;
      break;
      continue;
      return 1.0;
      case 1: break;
      switch (1) { }
      uniform float x;
      varying float x;
      attribute float x;
      float x; float x;
      float x = x;
      const float x = u.x;
      sampler2D s;
      float f() { return 1.0; }
      int a = int;
      int a = P;
      int a = main;
      main = 1;
      int a = (N, u).x;
      else {}
      goto a;
      u();
      P = 1;
      tex;tex = tex;
      int a[N]; int b[a];
      int a; a.b.c = 1;
      tex, 1;
      texture2D((1, tex), u.xy);
      2| ;;; int`,
  },
  {
    title: 'vertex shaders',
    stage: 'vertex',
    version: 100,
    place: 'global',
    cases: `
      attribute int i;
      attribute float a[2];
      attribute P p;
      attribute float a; void f() { a = 1.0; }
      void f() { discard; }
      void f() { gl_FragColor = vec4(1.0); }
      void f() { texture2D(tex, vec2(1.0), 1.0); }
      void f() { dFdx(1.0); }`,
  },
  {
    title: 'appendix A',
    stage: 'fragment',
    version: 100,
    place: 'main',
    restrictLoops: true,
    cases: `
      while (false) {}
      do {} while (false);
      for (;;) {}
      int i; for (i = 0; i < 3; i++) {}
      for (int i = 0; i < 3; i *= 2) {}
      for (int i = 0; 3 > i; i++) {}
      for (int i = 0; i < int(u.x); i++) {}
      for (int i = int(u.x); i < 3; i++) {}
      for (int i = 0; i < 3; i++) { i = 2; }
      for (int i = 0; i < 3; i++) { i++; }
      for (int i = 0, j = 0; i < 3; i++) {}
      for (bool i = true; i == false; i++) {}
      float a[3]; int i = 1; a[i] = 1.0;
      float a[3]; a[int(u.x)] = 1.0;`,
  },
  {
    title: 'names in WebGL',
    stage: 'fragment',
    version: 300,
    place: 'main',
    isWebGl: true,
    cases: `
      float webgl_x;
      float _webgl_x;
      float a[2]; (1, a);
      float a[2]; float b[2]; float c[2] = true ? a : b;
      int[];
      S a; S b; S c = true ? a : b;`,
  },
  {
    title: 'rules of WebGL 1',
    stage: 'vertex',
    version: 100,
    place: 'raw',
    isWebGl: true,
    allowedVersions: [100],
    cases: `
      struct A { int a; }; struct B { A b; }; struct C { B c; }; struct D { C d; }; struct E { D e; }; void main() {}
      int f(int k) { int k = k + 3; return k; } void main() {}
      int f(int k) { k++; } void main() {}
      void f(int gl_k); void main() {}
      mediump struct S { int i; }; void main() {}
      invariant struct S { int i; }; void main() {}
      #define foo this \\ ⏎ void main() {}
      void main() { float f(float x); }
      2| #define A defined(B) ⏎ #if !A ⏎ #endif ⏎ void main() {}
      2| void main() {} ⏎ #extension GL_EXT_frag_depth : disable
      2| void main() {} ⏎ #extension all : disable`,
  },
  {
    title: 'layouts of WebGL 2',
    stage: 'fragment',
    version: 300,
    place: 'global',
    isWebGl: true,
    cases: `
      layout(shared) uniform B { float f; };
      layout(packed) uniform;`,
  },
  {
    title: 'GLSL ES 3.00 declarations',
    stage: 'fragment',
    version: 300,
    place: 'global',
    cases: `
      attribute vec4 a;
      varying vec4 a;
      in int i;
      in uvec2 i;
      in bool b;
      in S s;
      in P p[2];
      flat out vec4 o;
      out mat2 o;
      out bool o;
      out P o;
      out vec4 o, p;
      layout(location = 0) out vec4 o; layout(location = 0) out vec4 p;
      layout(location = 99) out vec4 o;
      layout(location = 0) in vec4 i;
      layout(location = 0) uniform vec4 i;
      layout(location) out vec4 o;
      layout(foo) out vec4 o;
      layout(std140) in vec4 i;
      centroid uniform float f;
      flat uniform float f;
      smooth flat in vec4 v;
      in flat vec4 v;
      inout vec4 v;
      uniform isampler2D s;
      uniform sampler3D s;
      uniform sampler1D s;
      uniform float f = 1.0;
      uniform B { float f; float f; };
      uniform B { sampler2D s; };
      uniform B { };
      uniform B { float f = 1.0; };
      uniform B { float u; };
      uniform B { float f; } b; void f() { f; }
      uniform B { float f; }; void g() { f = 1.0; }
      uniform B { float f; } b[2]; void g() { int i; b[i].f; }
      uniform B { float f; } b; uniform B { float g; } c;
      uniform B { float f; }; void g() { B; }
      uniform B { float f; } b; float g() { return B.f; }
      uniform B { float f; } b[2]; void g() { B[0].f; }
      uniform B { float f; } b; void g() { b; }
      uniform B { float f; } b; void g() { (b); }
      uniform B { float f; } b; void g() { b.f, b; }
      uniform B { float f; } b; void g() { b == b; }
      uniform B { float f; } b; void g() { true ? b : b; }
      uniform B { float f; } b; void g() { float(b); }
      uniform B { float f; } b[2]; void g() { b; }
      uniform B { float f; } b[2]; void g() { b[0]; }
      uniform B { float f; } b[2]; void g() { b[0] == b[1]; }
      uniform B { float f; }; void g() { B(1.0); }
      in B { float f; };
      float a[] ;
      float a[2] = float[3](1.0, 2.0, 3.0);
      float a[2] = float[2](1.0, 2);
      float a[2] = float[](1.0);
      float a[2][2];
      float x = u.x;
      float sin(int i) { return 1.0; }
      void f() { void g(); }
      float f; void g() { f(); }
      void f(int a) { int a; }
      struct S { int i; } s;
      float sampler2DRect;
      uniform sampler2D t[2]; void f(int i) { texture(t[i], vec2(1.0)); }
      ;`,
  },
  {
    title: 'GLSL ES 3.00 statements',
    stage: 'fragment',
    version: 300,
    place: 'main',
    cases: `
      switch (1.0) { case 1: break; }
      switch (1) { case 1: }
      switch (1) { int a; case 1: break; }
      switch (1) { case 1: break; case 1: break; }
      switch (1) { default: break; default: break; }
      switch (1) { case 1u: break; }
      int i = 1; switch (1) { case i: break; }
      switch (1) { case 1: { case 2: break; } }
      switch (1) { case 1: continue; }
      uint a = 1;
      int a = 1u;
      uint a = 1u + 1;
      int a = 4294967296;
      int a = 1 << 1.0;
      ivec2 a = 1 << ivec2(1);
      float a = 1.0 % 2.0;
      int a = 1 & 1u;
      bool a = true & false;
      vec4 a = texture2D(tex, vec2(1.0));
      vec4 a = texelFetch(tex, vec2(1.0), 0);
      vec4 a = textureOffset(tex, vec2(1.0), ivec2(9));
      ivec2 o; vec4 a = textureOffset(tex, vec2(1.0), o);
      modf(1.0, 2.0);
      float a[2] = float[2](1.0);
      float a[2], b[3]; a = b;
      float a[2]; a.length;
      float a[2]; a.size();
      gl_FragColor = vec4(1.0);
      gl_FragData[0] = vec4(1.0);
      mat2x3 a = mat2x3(1.0) * mat2x3(1.0);
      const int a = (1, 2); int b[a];
      texture(u, vec2(1.0));
      while (float f = 1.0) {}
      precision mediump uint;
      tex == tex;
      float f = true ? tex : tex;`,
  },
  {
    title: 'GLSL 1.10',
    stage: 'vertex',
    version: 110,
    place: 'main',
    cases: `
      float x = 1;
      mat2 a = mat2(mat3(1.0));
      float a[2] = float[2](1.0, 2.0);
      gl_Vertex = vec4(1.0);
      gl_ModelViewMatrix[0] = vec4(1.0);
      gl_TexCoord[8] = vec4(1.0);
      int i = 0; gl_TexCoord[i] = vec4(1.0);
      texture2DRect(tex, vec2(1.0));
      gl_FragColor = vec4(1.0);
      float x = transpose(mat2(1.0));`,
  },
  {
    title: 'GLSL 1.20',
    stage: 'fragment',
    version: 120,
    place: 'main',
    cases: `
      int x = 1.0;
      bool x = 1;
      ivec2 x = vec2(1.0);
      lowp float x;
      float x[2] = float[2](1);
      uint x = 1u;
      int x = 1 & 2;
      gl_Color = vec4(1.0);
      ftransform();
      vec2 x = ivec3(1);`,
  },
];
