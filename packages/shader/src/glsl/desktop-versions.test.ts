import { describe, expect, it } from 'vitest';
import { compileProgram } from '../compile.ts';
import { describeProgram } from '../reflect/describe-program.ts';
import { runVertex } from '../testing/run-vertex.ts';
import { formatDiagnostics } from '../tree/diagnostics.ts';
import { checkShader } from './check-shader.ts';

/** Returns the errors of a shader. */
function errorsOf(source: string, stage: 'vertex' | 'fragment' = 'fragment'): string {
  return formatDiagnostics(checkShader(source, { stage }).diagnostics);
}

describe('desktop GLSL from 1.30', () => {
  it.each([
    ['#version 120\nout vec4 c; void main() {}', 'global in and out'],
    ['#version 120\nvoid main() { int i = 3 & 1; }', 'integer operators'],
    ['#version 130\nuniform B { vec4 a; }; void main() {}', 'uniform blocks need'],
    ['#version 130\nin ivec2 i; void main() {}', 'integer varyings must be flat'],
    ['#version 130\nvoid main() { int i = 1u; }', 'cannot convert'],
    ['#version 130\nuniform samplerBuffer b; void main() {}', 'samplerBuffer'],
    ['#version 140\nuniform samplerBuffer b; void main() { texture(b, 1.0); }', 'texture'],
    ['#version 140\nuniform sampler2DMS b; void main() {}', 'sampler2DMS'],
    [
      '#version 150\nlayout(origin_upper_left) in vec4 gl_FragCoord; void main() {}',
      "'origin_upper_left' : this layout of gl_FragCoord is not supported",
    ],
    ['#version 330 es\nvoid main() {}', 'unexpected token after the version'],
    ['#version 400\nvoid main() {}', 'version number is not supported'],
  ])('%s', (source, message) => {
    expect(errorsOf(source)).toContain(message);
  });

  it('converts int to uint and both to float', () => {
    const { outputs } = runVertex(`#version 130
      in vec4 p; flat out uint u; out float f; out uvec2 v;
      uint g(uint x) { return x + 1; }
      void main() { u = g(2) * 3; f = 7u; f += 1; v = uvec2(1u) + ivec2(4); gl_Position = p; }`);
    expect(outputs.u![0]).toEqual([9]);
    expect(outputs.f![0]).toEqual([8]);
    expect(outputs.v![0]).toEqual([5, 5]);
  });

  it('knows rectangle samplers without a directive, unless they are disabled', () => {
    const source = `uniform sampler2DRect map;
      void main() { gl_FragColor = texture2DRect(map, gl_FragCoord.xy); }`;
    for (const version of [110, 120, 130]) {
      expect(errorsOf(`#version ${version}\n${source}`)).toBe('');
    }
    const disabled = '#extension GL_ARB_texture_rectangle : disable';
    expect(errorsOf(`#version 120\n${disabled}\n${source}`)).toContain('sampler2DRect');
  });

  it('takes global in with locations of attributes before 1.30', () => {
    const source = 'layout(location = 1) in vec4 p; void main() { gl_Position = p; }';
    const extension = '#extension GL_ARB_explicit_attrib_location : require';
    expect(errorsOf(`#version 120\n${extension}\n${source}`, 'vertex')).toBe('');
    expect(errorsOf(`#version 120\n${source}`, 'vertex')).not.toBe('');
  });

  it('takes differences of constants as the constant 0', () => {
    const source = `const vec2 step = dFdx(vec2(3)); float list[1 + int(fwidth(5.0))];
      void main() { gl_FragColor = vec4(step + list[0], list.length(), 1); }`;
    expect(errorsOf(`#version 120\n${source}`)).toBe('');
    expect(errorsOf(`#version 120\nvarying float x; const float step = dFdx(x);`)).toContain(
      'const',
    );
  });

  it('multiplies noperspective outputs by w', () => {
    const { outputs } = runVertex(
      `#version 130
      in vec4 p; noperspective out vec2 linear; void main() { gl_Position = p; linear = p.xy; }`,
      { attributes: { p: [0, 1, 2, 3].map((k) => [k, 3, 0, 2]) } },
    );
    expect(outputs.linear![1]).toEqual([2, 6]);
  });

  it('links noperspective and flat colors only with inputs of the same kind', () => {
    const vertexSource = `#version 130
      flat out vec4 gl_FrontColor; void main() { gl_FrontColor = gl_Color; gl_Position = gl_Vertex; }`;
    const fragment = (qualifier: string): string =>
      `#version 130\n${qualifier} in vec4 gl_Color; void main() { gl_FragColor = gl_Color; }`;
    const { varyings } = compileProgram({ vertexSource, fragmentSource: fragment('flat') });
    expect(varyings).toMatchObject([{ name: 'gl_Color', isFlat: true }]);
    expect(() => compileProgram({ vertexSource, fragmentSource: fragment('smooth') })).toThrow(
      'interpolation differs from that of gl_FrontColor',
    );
  });
});

describe('fragment outputs of desktop GLSL', () => {
  const locations = (source: string): Record<string, number | null> =>
    Object.fromEntries(
      checkShader(source, { stage: 'fragment' }).globals.map(({ variable }) => [
        variable.name,
        variable.location,
      ]),
    );

  it('take the first free colors', () => {
    expect(
      locations(`#version 330
      out vec4 a; layout(location = 1) out vec4 b; out vec4 c[2]; void main() {}`),
    ).toEqual({ a: 0, b: 1, c: 2 });
  });

  it('take the colors that the program binds', () => {
    expect(
      locations(`#version 130
      out vec4 a; out vec4 b; void main() {}
      #pragma tessera_output_location(b 0)
      `),
    ).toEqual({ a: 1, b: 0 });
  });
});

describe('describeProgram', () => {
  it('lists blocks and the types of samplers', () => {
    const { blocks, samplers } = describeProgram({
      vertexSource: '#version 140\nvoid main() { gl_Position = gl_Vertex; }',
      fragmentSource: `#version 140
        uniform Tint { vec4 color; }; uniform isampler2D cells; out vec4 c;
        void main() { c = color + texelFetch(cells, ivec2(0), 0); }`,
    });
    expect(blocks).toMatchObject([{ name: 'Tint', sizeBytes: 16, readers: ['fragment'] }]);
    expect(samplers).toMatchObject([{ name: 'cells', scalarType: 'int' }]);
  });
});
