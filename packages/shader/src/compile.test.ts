import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { compileProgram } from './compile.ts';
import { checkShader } from './glsl/check-shader.ts';
import { optimize } from './ir/passes/optimize.ts';
import { validateIr } from './ir/validate-ir.ts';
import { disassemble, selectInstructions } from './isa/index.ts';
import { lowerShader } from './lower/lower-shader.ts';
import { VALID_SHADERS } from './testing/valid-shaders.ts';

const VERTEX = `
  attribute vec3 position; attribute vec2 uv;
  uniform mat4 matrix; uniform float unused; varying vec2 vUv; varying vec3 vDead;
  void main() { vUv = uv; vDead = position * unused; gl_Position = matrix * vec4(position, 1.0); }`;
const FRAGMENT = `
  precision mediump float;
  uniform sampler2D image; uniform vec4 tint; varying vec2 vUv;
  void main() { gl_FragColor = texture2D(image, vUv) * tint; }`;

describe('compileProgram', () => {
  it('returns code and reflection', () => {
    const program = compileProgram({ vertexSource: VERTEX, fragmentSource: FRAGMENT });
    expect(program.attributes.map(({ name, firstSlot }) => [name, firstSlot])).toEqual([
      ['position', 0],
      ['uv', 4],
    ]);
    expect(program.uniforms.map(({ name }) => name)).toEqual(['matrix', 'tint']);
    expect(program.samplers.map(({ name }) => name)).toEqual(['image']);
    expect(program.constantWords).toBe(20);
    expect(program.vertex.outputSlots).toEqual([0, 1, 2, 3, 5, 6]);
    expect(program.positionOnly.outputSlots).toEqual([0, 1, 2, 3]);
    expect(program.positionOnly.inputSlots).toEqual([0, 1, 2]);
    expect(program.fragment.outputSlots).toEqual([0, 1, 2, 3]);
    expect(program.fragment.usesDerivatives).toBe(true);
  });

  it('converts outputs of functions to the types of desktop arguments', () => {
    const compile = (statements: string): string =>
      compileProgram({
        vertexSource: `#version 120
          float f(out int x, out ivec2 y, out float z) {
            x = int(gl_Vertex.x); y = ivec2(gl_Vertex.yz); z = gl_Vertex.w; return 0.5;
          }
          void main() { float a; vec2 b; float c; ${statements} gl_Position = vec4(a, b, c); }`,
        fragmentSource: '#version 120\nvoid main() { gl_FragColor = vec4(1); }',
      }).sha256;
    const explicit = 'int i; ivec2 j; f(i, j, c); a = float(i); b = vec2(j);';
    expect(compile('f(a, b, c);')).toBe(compile(explicit));
    expect(() => compile('int k; f(a, b, k);')).toThrow('no matching overloaded function');
  });

  it('names a program by its content', () => {
    const compile = (fragmentSource: string): string =>
      compileProgram({ vertexSource: VERTEX, fragmentSource }).sha256;
    expect(compile(FRAGMENT)).toMatch(/^[0-9a-f]{64}$/);
    expect(compile(`// a comment\n${FRAGMENT}`)).toBe(compile(FRAGMENT));
    expect(compile(FRAGMENT.replace('* tint', '+ tint'))).not.toBe(compile(FRAGMENT));
  });

  it('reports the errors of both stages, then those of linking', () => {
    const compile = (vertexSource: string, fragmentSource: string): string => {
      try {
        compileProgram({ vertexSource, fragmentSource });
      } catch (error) {
        if (error instanceof RenderError && error.code === 'SHADER_COMPILE_FAILED') {
          return error.message;
        }
        throw error;
      }
      return '';
    };
    const log = compile(
      VERTEX.replace('vUv = uv', 'vUv = uw'),
      FRAGMENT.replace('* tint', '* hue'),
    );
    expect(log).toMatch(/^vertex shader: ERROR: 0:4: 'uw' : /m);
    expect(log).toMatch(/^fragment shader: ERROR: 0:4: 'hue' : /m);
    expect(
      compile(VERTEX.replaceAll('vec2 vUv', 'vec3 vUv').replace('= uv', '= position'), FRAGMENT),
    ).toMatch(/^link: ERROR: /);
  });
});

describe('the whole compiler', () => {
  it.each(VALID_SHADERS)('compiles $title to code', ({ source, ...options }) => {
    const { program } = lowerShader(checkShader(source, options));
    validateIr(program);
    const isa = selectInstructions(optimize(program, validateIr));
    expect(disassemble(isa).length).toBeGreaterThan(0);
  });
});
