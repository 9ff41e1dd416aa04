import { describe, expect, it } from 'vitest';
import { runVertex } from '../testing/run-vertex.ts';

/** Evaluates an expression of four components with a = (1, 2, 3, 4), x = 0 … 3 by vertex, i = x. */
function evaluate(declarations: string, expression: string): readonly (readonly number[])[] {
  const source = `#version 300 es
    in float x; in float y;
    uniform vec4 a; uniform mat2 m2; uniform mat2x3 m23; uniform mat3x2 m32; uniform int n; uniform bool yes;
    uniform uint big;
    flat out ivec4 ints; out vec4 o;
    struct S { float f; vec2 v[2]; int k; };
    ${declarations}
    void main() { gl_Position = vec4(0.0); int i = int(x); o = vec4(0.0); ints = ivec4(0); ${expression} }`;
  const { outputs } = runVertex(source, {
    attributes: { x: [[0], [1], [2], [3]], y: [[0.5], [-0.5], [2.5], [-7.25]] },
    uniforms: {
      a: [1, 2, 3, 4],
      m2: [1, 2, 3, 4],
      m23: [1, 2, 3, 4, 5, 6],
      m32: [1, 2, 3, 4, 5, 6],
      n: [-7],
      yes: [1],
      big: [0xfffffffe],
    },
  });
  const floats = outputs.o!;
  const ints = outputs.ints!;
  return floats.map((lane, k) => (ints[k]!.some((value) => value !== 0) ? ints[k]! : lane));
}

const same = (...values: number[]): number[][] => [values, values, values, values];

describe('lowerExpression', () => {
  it.each<[string, string, number[][]]>([
    [
      'evaluates an array of which only the length is taken',
      'float g[2]; float h[2]; h[1] = a.y; int count = (g = h).length(); o = vec4(g[1], count, 0, 0);',
      same(2, 2, 0, 0),
    ],
    ['adds componentwise', 'o = a + a;', same(2, 4, 6, 8)],
    ['combines a scalar with a vector', 'o = 2.0 * a - 1.0;', same(1, 3, 5, 7)],
    ['swizzles', 'o = a.wzyx;', same(4, 3, 2, 1)],
    ['writes swizzles', 'o = a; o.yx = a.zw; o.b = 9.0;', same(4, 3, 9, 4)],
    ['assigns to a swizzle of a swizzle', 'o.wzyx.xy = a.xy;', same(0, 0, 2, 1)],
    [
      'divides ints towards zero',
      'ints = ivec4(n / 2, n % 4, 7 / n, n / 1);',
      same(-3, -3, -1, -7),
    ],
    [
      'divides uints',
      'ints = ivec4(big / 2u, big % 10u, big >> 28, 0);',
      same(0x7fffffff, 4, 15, 0),
    ],
    [
      'shifts ints with their sign',
      'ints = ivec4(n >> 1, n << 1, ~n, n ^ 3);',
      same(-4, -14, 6, -6),
    ],
    [
      'compares uints without sign',
      'ints = ivec4(big > 1u, n > 1, big >= big, 3);',
      same(1, 0, 1, 3),
    ],
    [
      'converts floats to ints',
      'ints = ivec4(int(y), int(-y), int(a.w), 1);',
      [
        [0, 0, 4, 1],
        [0, 0, 4, 1],
        [2, -2, 4, 1],
        [-7, 7, 4, 1],
      ],
    ],
    [
      'converts truth values',
      'o = vec4(yes, !yes, float(x > 1.5), bool(y));',
      [
        [1, 0, 0, 1],
        [1, 0, 0, 1],
        [1, 0, 1, 1],
        [1, 0, 1, 1],
      ],
    ],
    [
      'multiplies a matrix with a vector',
      'o.xy = m2 * a.xy; o.zw = a.xy * m2;',
      same(7, 10, 5, 11),
    ],
    ['multiplies matrices', 'mat2 p = m32 * m23; o = vec4(p[0], p[1]);', same(22, 28, 49, 64)],
    [
      'multiplies matrices of other shapes',
      'mat3 p = m23 * m32; o = vec4(p[0], p[2].z);',
      same(9, 12, 15, 51),
    ],
    [
      'makes a diagonal matrix',
      'mat3 p = mat3(x); o = vec4(p[0].x, p[1].y, p[2].z, p[1].x);',
      [
        [0, 0, 0, 0],
        [1, 1, 1, 0],
        [2, 2, 2, 0],
        [3, 3, 3, 0],
      ],
    ],
    [
      'makes a larger matrix of a smaller one',
      'mat4 p = mat4(m2); o = vec4(p[0].xy, p[3].w, p[1].y);',
      same(1, 2, 1, 4),
    ],
    [
      'fills a vector from parts',
      'o = vec4(a.yz, vec3(x).xy);',
      [
        [2, 3, 0, 0],
        [2, 3, 1, 1],
        [2, 3, 2, 2],
        [2, 3, 3, 3],
      ],
    ],
    [
      'increments',
      'float t = x; float before = t++; o = vec4(before, t, --t, t);',
      [
        [0, 1, 0, 0],
        [1, 2, 1, 1],
        [2, 3, 2, 2],
        [3, 4, 3, 3],
      ],
    ],
    [
      'reads a vector by a computed index',
      'o.x = a[i]; o.y = a.wzyx[i];',
      [
        [1, 4, 0, 0],
        [2, 3, 0, 0],
        [3, 2, 0, 0],
        [4, 1, 0, 0],
      ],
    ],
    [
      'writes a vector by a computed index',
      'o[i] = 5.0;',
      [
        [5, 0, 0, 0],
        [0, 5, 0, 0],
        [0, 0, 5, 0],
        [0, 0, 0, 5],
      ],
    ],
    [
      'indexes a matrix twice',
      'mat2 p = m2; p[i & 1][i >> 1] += 10.0; o = vec4(p[0], p[1]);',
      [
        [11, 2, 3, 4],
        [1, 2, 13, 4],
        [1, 12, 3, 4],
        [1, 2, 3, 14],
      ],
    ],
    [
      'indexes a private array',
      'float t[4]; t[i] = 1.0; t[3 - i] += 2.0; o = vec4(t[0], t[1], t[2], t[3]);',
      [
        [1, 0, 0, 2],
        [0, 1, 2, 0],
        [0, 2, 1, 0],
        [2, 0, 0, 1],
      ],
    ],
    [
      'evaluates an l-value once',
      'float t[4]; int k = 0; t[k++] += 1.0; t[k++] = 2.0; o = vec4(t[0], t[1], float(k), t[i & 1]);',
      [
        [1, 2, 2, 1],
        [1, 2, 2, 2],
        [1, 2, 2, 1],
        [1, 2, 2, 2],
      ],
    ],
    [
      'copies structs',
      'S s = S(x, vec2[2](a.xy, a.zw), 3); S t = s; t.v[i & 1].y = 8.0; o = vec4(s.v[i & 1].y, t.v[0].y, t.v[1].y, t.f);',
      [
        [2, 8, 4, 0],
        [4, 2, 8, 1],
        [2, 8, 4, 2],
        [4, 2, 8, 3],
      ],
    ],
    [
      'compares structs',
      'S s = S(x, vec2[2](a.xy, a.zw), 3); S t = s; t.v[1].y += y > 0.0 ? 1.0 : 0.0; o.xy = vec2(s == t, s != t);',
      [
        [0, 1, 0, 0],
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [1, 0, 0, 0],
      ],
    ],
    [
      'indexes a constant array',
      'const float k[5] = float[5](1.0, 3.0, 5.0, 7.0, 9.0); o.x = k[i + 1];',
      [
        [3, 0, 0, 0],
        [5, 0, 0, 0],
        [7, 0, 0, 0],
        [9, 0, 0, 0],
      ],
    ],
    [
      'skips the right side of && and ||',
      'float t = 0.0; bool b = x > 1.5 && (t += 1.0) > 0.0; bool c = x > 1.5 || (t += 2.0) > 0.0; o = vec4(b, c, t, 0);',
      [
        [0, 1, 2, 0],
        [0, 1, 2, 0],
        [1, 1, 1, 0],
        [1, 1, 1, 0],
      ],
    ],
    [
      'evaluates one side of ?:',
      'float t = 0.0; float r = x > 1.5 ? (t = 5.0) : (t = 6.0, t + 1.0); o = vec4(r, t, 0, 0);',
      [
        [7, 6, 0, 0],
        [7, 6, 0, 0],
        [5, 5, 0, 0],
        [5, 5, 0, 0],
      ],
    ],
  ])('%s', (_name, expression, expected) => {
    expect(evaluate('', expression)).toEqual(expected);
  });

  it('reads uniforms by computed index, with the strides of structs', () => {
    const source = `#version 300 es
      in float x; out vec4 o;
      struct Light { vec3 color; float k[2]; };
      uniform Light lights[3]; uniform mat2 ms[2];
      void main() {
        int i = int(x);
        gl_Position = vec4(0.0);
        o = vec4(lights[i].color.y, lights[i].k[i & 1], lights[i].color[i], ms[i & 1][1].x);
      }`;
    const { outputs } = runVertex(source, {
      attributes: { x: [[0], [1], [2], [0]] },
      uniforms: {
        'lights[0].color': [1, 2, 3],
        'lights[0].k[0]': [4, 5],
        'lights[1].color': [11, 12, 13],
        'lights[1].k[0]': [14, 15],
        'lights[2].color': [21, 22, 23],
        'lights[2].k[0]': [24, 25],
        'ms[0]': [1, 2, 3, 4, 5, 6, 7, 8],
      },
    });
    expect(outputs.o).toEqual([
      [2, 4, 1, 3],
      [12, 15, 12, 7],
      [22, 24, 23, 3],
      [2, 4, 1, 3],
    ]);
  });
});
