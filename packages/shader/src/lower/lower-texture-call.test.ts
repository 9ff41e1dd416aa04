import { describe, expect, it } from 'vitest';
import { checkShader } from '../glsl/check-shader.ts';
import { optimize } from '../ir/passes/optimize.ts';
import { printIr } from '../ir/print-ir.ts';
import { validateIr } from '../ir/validate-ir.ts';
import { lowerShader } from './lower-shader.ts';

/**
 * Returns the listing of a fragment shader with coordinates p = inputs i0 … i3, without its head.
 */
function listing(
  body: string,
  options: { version?: string; stage?: 'vertex' | 'fragment' } = {},
): string[] {
  const { version = '300 es', stage = 'fragment' } = options;
  const isNew = version === '300 es';
  const isVertex = stage === 'vertex';
  const source = `#version ${version}
    ${version === '100' ? '#extension GL_EXT_shader_texture_lod : enable' : ''}
    ${version.startsWith('1') && version !== '100' ? '' : 'precision highp float; precision highp int;'}
    ${isNew ? 'precision highp sampler3D; precision highp sampler2DArray; precision highp sampler2DShadow; precision highp samplerCubeShadow; precision highp sampler2DArrayShadow; precision highp usampler2D;' : ''}
    ${isNew ? 'in' : isVertex ? 'attribute' : 'varying'} vec4 p;
    uniform sampler2D s; uniform samplerCube c;
    ${isNew ? 'uniform sampler2D many[3]; uniform sampler3D v; uniform sampler2DArray l; uniform sampler2DShadow d; uniform samplerCubeShadow dc; uniform sampler2DArrayShadow dl; uniform usampler2D u; uniform int n; out vec4 o;' : ''}
    ${version === '120' ? 'uniform sampler1D one; uniform sampler2DShadow d; uniform sampler2D many[3]; uniform int n;' : ''}
    ${isNew || !isVertex ? '' : 'varying vec4 o;'}
    void main() { ${body} }`;
  const checked = checkShader(source, { stage });
  expect(checked.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const program = optimize(lowerShader(checked).program, validateIr);
  return printIr(program)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim());
}

/** Returns the texture nodes, with each operand replaced by its definition. */
function lookups(...args: Parameters<typeof listing>): string[] {
  const lines = listing(...args);
  const definitions = new Map(
    lines.flatMap((line) => {
      const match = /^((?:%\d+(?:, )?)+) = (.*)$/.exec(line);
      return match === null ? [] : match[1]!.split(', ').map((name) => [name, match[2]!] as const);
    }),
  );
  const expand = (text: string): string =>
    text.replace(/%\d+/g, (name) => {
      const definition = definitions.get(name)!;
      return /^(texture|\w+Size)/.test(definition) ? 'texel' : `(${expand(definition)})`;
    });
  return lines
    .filter((line) => / = texture/.test(line))
    .map((line) => expand(line.replace(/^.* = /, '')).replace(/\((input )?([^()]*)\)/g, '$2'));
}

describe('lowerTextureCall', () => {
  it.each<[string, string, Parameters<typeof listing>[1]]>([
    ['o = texture(s, p.xy);', 'texture implicit 2d t0, i0, i1', {}],
    ['o = texture(s, p.xy, 1.5);', 'texture bias 2d t0, i0, i1, 1.5', {}],
    ['o = textureLod(c, p.xyz, p.w);', 'texture lod cube t1, i0, i1, i2, i3', {}],
    ['o = textureGrad(s, p.xy, p.zw, p.yx);', 'texture grad 2d t0, i0, i1, i2, i3, i1, i0', {}],
    ['o = textureProj(s, p.xyz);', 'texture implicit 2d t0, (fdiv i0, i2), (fdiv i1, i2)', {}],
    ['o = textureProj(s, p);', 'texture implicit 2d t0, (fdiv i0, i3), (fdiv i1, i3)', {}],
    ['o = texture(v, p.xyz);', 'texture implicit 3d t5, i0, i1, i2', {}],
    ['o = texture(l, p.xyz);', 'texture implicit 2d-array t6, i0, i1, i2', {}],
    ['o.x = texture(d, p.xyz);', 'texture implicit 2d shadow t7, i0, i1, i2', {}],
    ['o.x = texture(d, p.xyz, 1.0);', 'texture bias 2d shadow t7, i0, i1, 1.0, i2', {}],
    ['o.x = texture(dc, p);', 'texture implicit cube shadow t8, i0, i1, i2, i3', {}],
    ['o.x = texture(dl, p);', 'texture implicit 2d-array shadow t9, i0, i1, i2, i3', {}],
    [
      'o.x = textureProjLod(d, p, 2.0);',
      'texture lod 2d shadow t7, (fdiv i0, i3), (fdiv i1, i3), 2.0, (fdiv i2, i3)',
      {},
    ],
    [
      'o = textureOffset(s, p.xy, ivec2(1, -2), 0.5);',
      'texture bias 2d t0, i0, i1, 0.5, 1, -2',
      {},
    ],
    [
      'o.x = textureLodOffset(d, p.xyz, 2.0, ivec2(1, -2));',
      'texture lod 2d shadow t7, i0, i1, 2.0, i2, 1, -2',
      {},
    ],
    [
      'o = textureOffset(l, p.xyz, ivec2(3, 4));',
      'texture implicit 2d-array t6, i0, i1, i2, 3, 4',
      {},
    ],
    ['o = texelFetch(s, ivec2(1, 2), 3);', 'texture fetch 2d t0, 1, 2, 3', {}],
    ['o = texelFetchOffset(s, ivec2(1, 2), 3, ivec2(4, -4));', 'texture fetch 2d t0, 5, -2, 3', {}],
    ['o = vec4(texelFetch(u, ivec2(1, 2), 0));', 'texture fetch 2d t10, 1, 2, 0', {}],
    ['o = texture(s, p.xy);', 'texture lod 2d t0, i0, i1, 0.0', { stage: 'vertex' }],
    ['gl_FragColor = texture2D(s, p.xy);', 'texture implicit 2d t0, i0, i1', { version: '100' }],
    [
      'gl_FragColor = texture2DProjLodEXT(s, p, 1.0);',
      'texture lod 2d t0, (fdiv i0, i3), (fdiv i1, i3), 1.0',
      { version: '100' },
    ],
    [
      'gl_FragColor = textureCubeGradEXT(c, p.xyz, p.xxx, p.yyy);',
      'texture grad cube t1, i0, i1, i2, i0, i0, i0, i1, i1, i1',
      { version: '100' },
    ],
    ['gl_FragColor = texture1D(one, p.x);', 'texture implicit 2d t2, i0, 0.5', { version: '120' }],
    [
      'gl_FragColor = shadow2D(d, p.xyz);',
      'texture implicit 2d shadow t3, i0, i1, i2',
      { version: '120' },
    ],
  ])('%s', (body, expected, options) => {
    expect(lookups(body, options)).toEqual([expected]);
  });

  it('fetches texels of buffers from rows, and multiplies their size', () => {
    const source = `#version 140
      flat in int i; uniform isamplerBuffer b; out ivec4 o;
      void main() { o = texelFetch(b, i) + textureSize(b); }`;
    const checked = checkShader(source, { stage: 'fragment' });
    expect(checked.diagnostics).toEqual([]);
    const text = printIr(optimize(lowerShader(checked).program, validateIr));
    const [, width, height] = /(%\d+), (%\d+), %\d+ = textureSize t0, /.exec(text)!;
    const index = /(%\d+) = input/.exec(text)![1];
    const row = new RegExp(`(%\\d+) = idiv ${index}, ${width}`).exec(text)![1];
    const column = new RegExp(`(%\\d+) = irem ${index}, ${width}`).exec(text)![1];
    expect(text).toMatch(new RegExp(`texture fetch 2d t0, ${column}, ${row}, `));
    expect(text).toMatch(new RegExp(`imul ${width}, ${height}`));
  });

  it('chooses among the samplers of an array by ifs', () => {
    const lines = listing('gl_FragColor = texture2D(many[n], p.xy);', { version: '120' });
    const slots = lines.flatMap((line) => /texture implicit 2d (t\d)/.exec(line)?.slice(1) ?? []);
    expect(slots).toEqual(['t4', 't5', 't6']);
    expect(lines.filter((line) => line.startsWith('if'))).toHaveLength(3);
  });

  it('passes samplers through functions and constant indices of unrolled loops', () => {
    const source = `#version 300 es
      precision highp float; in vec2 p; out vec4 o; uniform sampler2D many[3];
      vec4 read(sampler2D s[3], sampler2D t) { return texture(s[1], p) + texture(t, p); }
      void main() { o = read(many, many[2]); for (int k = 0; k < 3; k++) if (k == 0) o += texture(many[0], p); }`;
    const checked = checkShader(source, { stage: 'fragment' });
    expect(checked.diagnostics).toEqual([]);
    const text = printIr(optimize(lowerShader(checked).program));
    expect([...text.matchAll(/2d (t\d)/g)].map(([, slot]) => slot)).toEqual(['t1', 't2', 't0']);
    expect(text).not.toContain('loop');
  });
});
