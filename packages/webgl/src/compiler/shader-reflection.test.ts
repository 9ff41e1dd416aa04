import type { ProgramSource } from '@tessera/frame';
import { type CheckedProgram, compileChecked, compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { createShaderReflection } from './shader-reflection.ts';

function makeReflection(version: 1 | 2, extensions: readonly string[] = []) {
  return createShaderReflection({
    version,
    extensions: new Set(extensions),
    compile: compileBothWays,
  });
}

/** Checks that the sources of a frame give the program of the checked shaders. */
function compileBothWays(source: ProgramSource, checked: CheckedProgram): void {
  expect(compileProgram(source)).toEqual(compileChecked(checked));
}

const VERTEX = 'attribute vec4 p; void main() { gl_Position = p; }';

/** Compiles both shaders and links them. */
function link(
  vertexSource: string,
  fragmentSource: string,
  version: 1 | 2 = 1,
  extensions: readonly string[] = [],
  locations: readonly (readonly [string, number])[] = [],
) {
  const reflection = makeReflection(version, extensions);
  const vertex = reflection.compile!('vertex', vertexSource);
  const fragment = reflection.compile!('fragment', fragmentSource);
  expect(vertex.log + fragment.log).toBe('');
  return reflection.reflect(vertex.source, fragment.source, 100, new Map(locations));
}

describe('createShaderReflection', () => {
  it('rejects a shader at compilation, with the line of its own source', () => {
    const { compile } = makeReflection(1);
    const compiled = compile!('fragment', 'void main() {\n  gl_FragColor = vec4(x);\n}');
    expect(compiled.isCompiled).toBe(false);
    expect(compiled.log).toMatch(/^ERROR: 0:2: 'x'/);
  });

  it.each([
    [1, '#version 300 es\nvoid main() {}', false],
    [2, '#version 300 es\nvoid main() {}', true],
    [1, 'precision mediump float; uniform int n; void main() { while (n > 0) {} }', false],
    [2, 'precision mediump float; uniform int n; void main() { while (n > 0) {} }', false],
    [2, '#version 300 es\nuniform int n; void main() { while (n > 0) {} }', true],
    [1, 'precision mediump float; float webgl_x; void main() {}', false],
  ] as const)('version %d takes %j: %s', (version, source, isCompiled) => {
    expect(makeReflection(version).compile!('fragment', source).isCompiled).toBe(isCompiled);
  });

  it('offers only enabled extensions and states them in the source it returns', () => {
    const source = `#ifdef GL_OES_standard_derivatives
#extension GL_OES_standard_derivatives : enable
precision highp float; varying float v; void main() { gl_FragColor = vec4(dFdx(v)); }
#else
precision highp float; uniform vec4 none; void main() { gl_FragColor = none; }
#endif`;
    const vertex = `varying float v; attribute vec4 p; void main() { v = p.x; gl_Position = p; }`;
    const off = link(vertex, source);
    expect(off.uniforms.map(({ name }) => name)).toEqual(['none']);
    const on = link(vertex, source, 1, ['GL_OES_standard_derivatives']);
    expect(on.uniforms).toEqual([]);
    expect(on.isLinked).toBe(true);
  });

  it('states the version after a comment and keeps line numbers', () => {
    const { compile } = makeReflection(2);
    const { source } = compile!(
      'fragment',
      '#version 300 es\nprecision highp float;\nvoid main() {}',
    );
    expect(source.split('\n').slice(0, 3)).toEqual([
      '#version 300 es',
      '#pragma tessera_extensions()',
      '#line 2',
    ]);
    const commented = compile!('vertex', '// head\n#version 100\nvoid main() {}').source;
    expect(commented.split('\n').slice(1, 5)).toEqual([
      '#version 100',
      '#pragma tessera_draw_buffers(8)',
      '#pragma tessera_extensions()',
      '#line 3',
    ]);
  });

  it('rejects two attributes at one location', () => {
    const vertex = 'attribute vec4 a, b; void main() { gl_Position = a + b; }';
    const fragment = 'void main() { gl_FragColor = vec4(1); }';
    expect(link(vertex, fragment).isLinked).toBe(true);
    const both = [
      ['a', 1],
      ['b', 1],
    ] as const;
    expect(link(vertex, fragment, 1, [], both)).toMatchObject({ isLinked: false });
  });

  it('lists everything that is used, even without effect', () => {
    const { uniforms, samplers } = link(
      VERTEX,
      `precision mediump float;
      struct Light { vec3 at; float power[2]; };
      uniform Light lights[2]; uniform sampler2D maps[2]; uniform float unused, futile;
      void main() {
        float sink = futile;
        gl_FragColor = vec4(lights[0].at, lights[1].power[1]) + texture2D(maps[1], vec2(0));
      }`,
    );
    expect(uniforms.map(({ name, arrayLength }) => [name, arrayLength])).toEqual([
      ['lights[0].at', 1],
      ['lights[0].power[0]', 2],
      ['lights[1].at', 1],
      ['lights[1].power[0]', 2],
      ['futile', 1],
    ]);
    expect(samplers).toMatchObject([{ name: 'maps[0]', arrayLength: 2, scalarType: 'float' }]);
  });

  it('reports sampler types, explicit locations, blocks and outputs of GLSL ES 3.00', () => {
    const reflected = link(
      `#version 300 es
      layout(location = 3) in ivec2 cell; flat out ivec2 place; out vec3 tint;
      void main() { place = cell; tint = vec3(1); gl_Position = vec4(cell, 0, 1); }`,
      `#version 300 es
      precision highp float; precision highp usampler3D;
      uniform usampler3D volume; flat in ivec2 place; in vec3 tint;
      layout(std140) uniform Scene { vec3 eye; mat3 turn; } scene;
      layout(location = 1) out vec4 second; layout(location = 0) out uvec4 first;
      void main() { second = vec4(scene.eye + tint, 1); first = texelFetch(volume, ivec3(place, 0), 0); }`,
      2,
    );
    expect(reflected).toMatchObject({
      isLinked: true,
      attributes: [{ name: 'cell', scalarType: 'int', location: 3 }],
      samplers: [{ name: 'volume', dimension: '3d', scalarType: 'uint' }],
      blocks: [{ name: 'Scene', hasInstanceName: true, sizeBytes: 64 }],
      fragmentOutputs: [
        { name: 'second', location: 1 },
        { name: 'first', location: 0, scalarType: 'uint' },
      ],
    });
    expect(reflected.vertexOutputs!.map(({ name }) => name)).toEqual([
      'gl_Position',
      'place',
      'tint',
    ]);
  });
});
