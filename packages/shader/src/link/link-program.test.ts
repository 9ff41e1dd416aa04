import { describe, expect, it } from 'vitest';
import { checkShader } from '../glsl/check-shader.ts';
import { forEachNode } from '../ir/regions.ts';
import { validateIr } from '../ir/validate-ir.ts';
import { type LinkedProgram, linkProgram } from './link-program.ts';

function link(vertexSource: string, fragmentSource: string): LinkedProgram {
  const vertex = checkShader(vertexSource, { stage: 'vertex' });
  const fragment = checkShader(fragmentSource, { stage: 'fragment' });
  const errors = [...vertex.diagnostics, ...fragment.diagnostics].filter(
    ({ severity }) => severity === 'error',
  );
  expect(errors).toEqual([]);
  const linked = linkProgram(vertex, fragment);
  for (const ir of [linked.vertex, linked.positionOnly, linked.fragment]) validateIr(ir);
  return linked;
}

const HEAD = '#version 300 es\nprecision highp float;\nprecision highp int;\n';

describe('linkProgram', () => {
  it('shares uniforms and samplers by name', () => {
    const linked = link(
      `${HEAD} uniform vec3 a; uniform float both; uniform sampler2D map;
       void main() { gl_Position = vec4(a * both, texture(map, a.xy).x); }`,
      `${HEAD} uniform mat2 b[2]; uniform float both; uniform sampler2D map; uniform samplerCube sky[2];
       uniform bool isOn; out vec4 o;
       void main() { o = vec4(b[1][0] * both, texture(map, b[0][1]).x, texture(sky[1], vec3(isOn)).y); }`,
    );
    expect(linked.uniforms).toEqual([
      {
        name: 'a',
        scalarType: 'float',
        rows: 3,
        columns: 1,
        arrayLength: 1,
        isArray: false,
        firstWord: 0,
      },
      {
        name: 'both',
        scalarType: 'float',
        rows: 1,
        columns: 1,
        arrayLength: 1,
        isArray: false,
        firstWord: 3,
      },
      {
        name: 'b[0]',
        scalarType: 'float',
        rows: 2,
        columns: 2,
        arrayLength: 2,
        isArray: true,
        firstWord: 4,
      },
      {
        name: 'isOn',
        scalarType: 'bool',
        rows: 1,
        columns: 1,
        arrayLength: 1,
        isArray: false,
        firstWord: 12,
      },
    ]);
    expect(linked.samplers).toEqual([
      { name: 'map', dimension: '2d', isShadow: false, arrayLength: 1, firstSlot: 0 },
      { name: 'sky[0]', dimension: 'cube', isShadow: false, arrayLength: 2, firstSlot: 1 },
    ]);
    expect(linked.constantWords).toBe(13);
  });

  it('reflects members of structs and blocks that are used', () => {
    const linked = link(
      `${HEAD} struct Light { vec3 color; float power[2]; int kind; }; uniform Light lights[2];
       uniform Camera { mat4 view; vec4 eye; } camera; uniform Fog { vec4 tint; float depth; };
       void main() { gl_Position = camera.eye * lights[1].power[0] + tint; }`,
      `${HEAD} out vec4 o; void main() { o = vec4(1.0); }`,
    );
    expect(linked.uniforms.map(({ name, firstWord }) => [name, firstWord])).toEqual([
      ['lights[1].power[0]', 9],
      ['Camera.eye', 28],
      ['Fog.tint', 32],
    ]);
  });

  it('respects attribute locations and assigns several to matrices', () => {
    const linked = link(
      `${HEAD} in vec2 first; in mat3 frame; layout(location = 1) in vec4 fixed_; in float unused;
       void main() { gl_Position = vec4(frame * vec3(first, 1.0), 1.0) + fixed_; }`,
      `${HEAD} out vec4 o; void main() { o = vec4(1.0); }`,
    );
    expect(linked.attributes).toEqual([
      { name: 'first', scalarType: 'float', componentCount: 2, locationCount: 1, firstSlot: 0 },
      { name: 'frame', scalarType: 'float', componentCount: 3, locationCount: 3, firstSlot: 8 },
      { name: 'fixed_', scalarType: 'float', componentCount: 4, locationCount: 1, firstSlot: 4 },
    ]);
  });

  it('keeps only the scalars of varyings that the fragment stage reads', () => {
    const linked = link(
      `${HEAD} in vec4 p; out vec4 a; out vec3 dead; flat out int k; out vec2 b[2];
       void main() { gl_Position = p; a = p + 1.0; dead = p.xyz; k = 3; b[0] = p.xy; b[1] = p.zw; }`,
      `${HEAD} in vec4 a; flat in int k; in vec2 b[2]; out vec4 o;
       void main() { o = vec4(a.yw, b[1].x, float(k)); }`,
    );
    expect(linked.varyings).toEqual([
      { name: 'a', componentCount: 2, isFlat: false, firstComponent: 0 },
      { name: 'k', componentCount: 1, isFlat: true, firstComponent: 2 },
      { name: 'b', componentCount: 1, isFlat: false, firstComponent: 3 },
    ]);
    const outputs: number[] = [];
    forEachNode(linked.vertex.body, (node) => {
      if (node.kind === 'output') outputs.push(node.slot);
    });
    expect(outputs.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 5, 6, 7, 8]);
    expect(linked.varyingComponentCount).toBe(4);
  });

  it('reflects the initial values of uniforms', () => {
    const linked = link(
      '#version 120\nuniform vec2 a[2] = vec2[2](vec2(1, 2), vec2(3)); void main() { gl_Position = a[1].xyxy; }',
      '#version 120\nvoid main() { gl_FragColor = vec4(1); }',
    );
    expect(linked.uniforms[0]).toMatchObject({ name: 'a[0]', initialValue: [1, 2, 3, 3] });
  });

  it('links the varyings and state of desktop GLSL', () => {
    const linked = link(
      `void main() { gl_FrontColor = gl_Color; gl_TexCoord[0] = gl_MultiTexCoord0; gl_Position = ftransform(); }`.replace(
        /^/,
        '#version 120\n',
      ),
      '#version 120\nuniform sampler2D t; void main() { gl_FragColor = gl_Color * texture2D(t, gl_TexCoord[0].st); }',
    );
    expect(linked.attributes.map(({ name }) => name).sort()).toEqual([
      'gl_Color',
      'gl_MultiTexCoord0',
      'gl_Vertex',
    ]);
    expect(linked.uniforms.map(({ name }) => name)).toEqual(['gl_ModelViewProjectionMatrix']);
    expect(linked.varyings.map(({ name, componentCount }) => [name, componentCount])).toEqual([
      ['gl_Color', 4],
      ['gl_TexCoord', 2],
    ]);
  });

  it('links arrays of the language that each shader redeclares with its own size', () => {
    const vertexSource =
      'void main() { gl_TexCoord[0] = gl_MultiTexCoord0; gl_Position = ftransform(); }';
    const fragmentSource = 'void main() { gl_FragColor = gl_TexCoord[0]; }';
    const sized = (length: number) => `#version 120\nvarying vec4 gl_TexCoord[${length}];\n`;
    const plain = link(`#version 120\n${vertexSource}`, `#version 120\n${fragmentSource}`);
    const redeclared = link(sized(2) + vertexSource, sized(1) + fragmentSource);
    expect(redeclared.attributes).toEqual(plain.attributes);
    expect(redeclared.varyings).toEqual(plain.varyings);
  });
});
