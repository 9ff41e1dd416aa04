/**
 * Tests built-in functions of vectors and matrices, packing, and functions that write arguments.
 */
import { describe, expect, it } from 'vitest';
import { runVertex } from '../../testing/run-vertex.ts';

function evaluate(body: string, version = '300 es'): readonly number[] {
  const isNew = version === '300 es';
  const source = `#version ${version}
    ${isNew ? 'in' : 'attribute'} vec4 a; ${isNew ? 'in' : 'attribute'} vec4 b;
    ${isNew ? 'out' : 'varying'} vec4 o;
    void main() { gl_Position = vec4(0.0); o = vec4(0.0); ${body} }`;
  const a = [1, 2, 3, 4];
  const b = [-2, 0.5, 4, 1];
  const { outputs } = runVertex(source, { attributes: { a: [a, a, a, a], b: [b, b, b, b] } });
  return outputs.o![0]!;
}

describe('built-in functions of vectors', () => {
  it.each<[string, readonly number[]]>([
    ['o.x = dot(a, b);', [15, 0, 0, 0]],
    ['o.x = length(a.zw); o.y = length(-a.x); o.z = distance(a.zw, vec2(0.0));', [5, 1, 5, 0]],
    ['o.xyz = cross(a.xyz, b.xyz);', [6.5, -10, 4.5, 0]],
    ['o.xy = normalize(vec2(0.0, b.x)); o.z = normalize(b.x);', [0, -1, -1, 0]],
    ['o.xy = faceforward(a.xy, a.xy, a.xy); o.zw = faceforward(a.xy, b.xx, a.xy);', [-1, -2, 1, 2]],
    ['o.xy = reflect(a.xy, vec2(0.0, 1.0));', [1, -2, 0, 0]],
    ['o.xy = refract(vec2(0.0, -1.0), vec2(0.0, 1.0), a.x);', [0, -1, 0, 0]],
    ['o.xy = refract(vec2(0.6, -0.8), vec2(0.0, 1.0), 4.0 * a.x);', [0, 0, 0, 0]],
    ['o = vec4(lessThan(a, b)); ', [0, 0, 1, 0]],
    ['o = vec4(greaterThanEqual(a, b)); ', [1, 1, 0, 1]],
    ['o = vec4(equal(ivec4(a), ivec4(1, 2, 3, 5)));', [1, 1, 1, 0]],
    ['o = vec4(not(notEqual(bvec4(a - 1.0), bvec4(b))));', [0, 1, 1, 1]],
    ['o.xy = vec2(any(lessThan(a, b)), all(lessThan(a, b)));', [1, 0, 0, 0]],
    ['o = min(a, 2.5) + max(b, 0.0);', [1, 2.5, 6.5, 3.5]],
    ['o = mix(a, b, bvec4(1, 0, 1, 0));', [-2, 2, 4, 4]],
    ['o = clamp(b, a - 1.0, a);', [0, 1, 3, 3]],
    ['vec4 w; o = modf(b * 1.5, w); o.x = w.x; o.z = w.w;', [-3, 0.75, 1, 0.5]],
    ['o = vec4(outerProduct(a.xy, b.xy));', [-2, -4, 0.5, 1]],
    ['mat2x3 m = outerProduct(a.xyz, b.xy); o.xyz = m[1];', [0.5, 1, 1.5, 0]],
    ['mat3x2 m = transpose(mat2x3(a.xyz, b.xyz)); o = vec4(m[1], m[2]);', [2, 0.5, 3, 4]],
    ['o.x = determinant(mat2(a));', [-2, 0, 0, 0]],
    ['o.x = determinant(mat3(2.0, 0.0, 1.0, 1.0, 3.0, 2.0, 1.0, 1.0, a.z));', [12, 0, 0, 0]],
    [
      'o.x = determinant(mat4(a, b, vec4(0.0, 0.0, a.x, 0.0), vec4(1.0, 0.0, 0.0, a.y)));',
      [9, 0, 0, 0],
    ],
    ['o = vec4(inverse(mat2(a)));', [-2, 1, 1.5, -0.5]],
    [
      'mat4 m = mat4(a, b, b.yxwz, a.wxzy); mat4 p = m * inverse(m); p -= mat4(1.0); o.x = float(dot(p[0], p[0]) + dot(p[3], p[3]) < 1e-9);',
      [1, 0, 0, 0],
    ],
    [
      'mat3 m = mat3(a.xyz, b.xyz, a.wxz); mat3 p = inverse(m) * m; p -= mat3(1.0); o.x = float(dot(p[0], p[0]) + dot(p[2], p[2]) < 1e-10);',
      [1, 0, 0, 0],
    ],
    ['o = vec4(matrixCompMult(mat2(a), mat2(b)));', [-2, 1, 12, 4]],
    ['o.xy = unpackSnorm2x16(packSnorm2x16(vec2(b.x, b.y - 0.5)));', [-1, 0, 0, 0]],
    [
      'o.xy = unpackUnorm2x16(packUnorm2x16(vec2(b.x, a.x))); o.z = float(packUnorm2x16(vec2(b.y, 0.0)));',
      [0, 1, 32768, 0],
    ],
    [
      'o.xy = unpackHalf2x16(packHalf2x16(b.xy)); o.zw = unpackHalf2x16(packHalf2x16(vec2(65519.0, a.x * 65520.0)));',
      [-2, 0.5, 65504, Infinity],
    ],
    [
      'o.xy = unpackHalf2x16(packHalf2x16(vec2(0.000000059604645, a.x * 0.0000305175781))); o.z = float(packHalf2x16(vec2(a.x, b.x)) & 0xffffu);',
      [2 ** -24, 2 ** -15, 0x3c00, 0],
    ],
    [
      'o.xy = unpackHalf2x16(0x0400c000u); o.zw = unpackHalf2x16(0x80017c00u);',
      [-2, 2 ** -14, Infinity, -(2 ** -24)],
    ],
  ])('%s', (body, expected) => {
    expect(evaluate(body)).toEqual(expected.map((value) => Math.fround(value)));
  });

  it('packs four numbers, the first one in the lowest byte', () => {
    const version = '130\n#extension GL_ARB_shading_language_packing : require';
    const cases: readonly (readonly [string, readonly number[]])[] = [
      ['o = unpackUnorm4x8(packUnorm4x8(b));', [0, 128 / 255, 1, 1]],
      ['o = unpackSnorm4x8(packSnorm4x8(b));', [-1, 64 / 127, 1, 1]],
      [
        'uint w = packUnorm4x8(b); o = vec4(w & 255u, w >> 8 & 255u, w >> 16 & 255u, w >> 24);',
        [0, 128, 255, 255],
      ],
    ];
    for (const [body, expected] of cases) {
      expect(evaluate(body, version)).toEqual(expected.map((value) => Math.fround(value)));
    }
  });

  it('knows the functions of desktop GLSL', () => {
    expect(evaluate('o = vec4(noise1(a.x), noise3(a));', '120')).toEqual([0, 0, 0, 0]);
  });

  it('computes ftransform as the equivalent product', () => {
    const source = `#version 120
      varying vec4 o; void main() { gl_Position = vec4(0.0); o = ftransform(); }`;
    const { outputs } = runVertex(source, {
      attributes: { gl_Vertex: [0, 1, 2, 3].map((x) => [x, 1, 2, 1]) },
      uniforms: { gl_ModelViewProjectionMatrix: [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 4, 5, 6, 1] },
    });
    expect(outputs.o![2]).toEqual([6, 7, 12, 1]);
  });
});
