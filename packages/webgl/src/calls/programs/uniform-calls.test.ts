import { describe, expect, it } from 'vitest';
import {
  linkProgram,
  makeContext,
  makeContext2,
  POSITION_SOURCE,
} from '../../testing/small-context.ts';

const FRAGMENT = `precision mediump float;
uniform vec4 colors[3];
uniform bool isOn;
uniform int count;
uniform sampler2D map;
struct Light { vec3 at; mat3 turn; };
uniform Light light;
void main() {
  gl_FragColor = colors[2] + texture2D(map, light.turn[0].xy) + vec4(light.at, float(count));
  if (isOn) gl_FragColor = colors[0];
}`;

function makeProgram() {
  const gl = makeContext();
  const program = linkProgram(gl, POSITION_SOURCE, FRAGMENT);
  gl.useProgram(program);
  return { gl, program, at: (name: string) => gl.getUniformLocation(program, name) };
}

describe('uniforms', () => {
  it('are listed with their types, arrays by their first element', () => {
    const { gl, program } = makeProgram();
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) as number;
    const list = Array.from({ length: count }, (_, i) => {
      const { name, type, size } = gl.getActiveUniform(program, i)!;
      return [name, type, size];
    });
    expect(list).toHaveLength(6);
    expect(list).toEqual(
      expect.arrayContaining([
        ['colors[0]', gl.FLOAT_VEC4, 3],
        ['isOn', gl.BOOL, 1],
        ['count', gl.INT, 1],
        ['map', gl.SAMPLER_2D, 1],
        ['light.at', gl.FLOAT_VEC3, 1],
        ['light.turn', gl.FLOAT_MAT3, 1],
      ]),
    );
  });

  it('of the language are listed if the shaders use them, and have no location', () => {
    const gl = makeContext();
    const names = (vertexSource: string) => {
      const program = linkProgram(gl, vertexSource, 'void main() {}');
      const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) as number;
      return Array.from({ length: count }, (_, i) => {
        const { name, type, size } = gl.getActiveUniform(program, i)!;
        expect([type, size]).toEqual([gl.FLOAT, 1]);
        expect(gl.getUniformLocation(program, name)).toBeNull();
        return name;
      });
    };
    const used = 'void main() { gl_Position = vec4(gl_DepthRange.diff); }';
    expect(names(used)).toEqual(['near', 'far', 'diff'].map((field) => `gl_DepthRange.${field}`));
    const unused =
      'float f() { return gl_DepthRange.near; } void main() { gl_Position = vec4(1); }';
    expect(names(unused)).toEqual([]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('are found by the name of an array and of its elements', () => {
    const { gl, program, at } = makeProgram();
    gl.uniform4fv(at('colors'), Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
    expect(gl.getUniform(program, at('colors[1]')!)).toEqual(Float32Array.of(5, 6, 7, 8));
    expect(at('colors[3]')).toBeNull();
    expect(at('isOn[0]')).toBeNull();
    expect(at('gl_Other')).toBeNull();
  });

  it('ignore elements past the end of an array', () => {
    const { gl, program, at } = makeProgram();
    gl.uniform4fv(at('colors[2]'), Float32Array.of(1, 1, 1, 1, 2, 2, 2, 2));
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(gl.getUniform(program, at('colors[2]')!)).toEqual(Float32Array.of(1, 1, 1, 1));
  });

  it('return values of their own type', () => {
    const { gl, program, at } = makeProgram();
    gl.uniform1f(at('isOn'), 5);
    gl.uniform1i(at('count'), -3);
    expect(gl.getUniform(program, at('isOn')!)).toBe(true);
    expect(gl.getUniform(program, at('count')!)).toBe(-3);
    expect(gl.getUniform(program, at('light.turn')!)).toEqual(new Float32Array(9));
  });

  it.each([
    ['a float for an int', 'INVALID_OPERATION', (gl, at) => gl.uniform1f(at('count'), 1)],
    ['two numbers for one', 'INVALID_OPERATION', (gl, at) => gl.uniform2i(at('count'), 1, 1)],
    ['a float for a sampler', 'INVALID_OPERATION', (gl, at) => gl.uniform1f(at('map'), 1)],
    ['a unit that is not there', 'INVALID_VALUE', (gl, at) => gl.uniform1i(at('map'), 32)],
    [
      'an array for what is none',
      'INVALID_OPERATION',
      (gl, at) => gl.uniform1iv(at('count'), [1, 2]),
    ],
    ['part of a vector', 'INVALID_VALUE', (gl, at) => gl.uniform4fv(at('colors'), [1, 2, 3])],
    [
      'a transposed matrix',
      'INVALID_VALUE',
      (gl, at) => gl.uniformMatrix3fv(at('light.turn'), true, new Float32Array(9)),
    ],
  ] as const satisfies readonly (readonly [
    string,
    'INVALID_OPERATION' | 'INVALID_VALUE',
    (gl: ReturnType<typeof makeContext>, at: (name: string) => WebGLUniformLocation | null) => void,
  ])[])('refuse %s', (_what, error, call) => {
    const { gl, at } = makeProgram();
    call(gl, at);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('have locations valid for one link of the program in use', () => {
    const { gl, program, at } = makeProgram();
    const count = at('count');
    gl.linkProgram(program);
    gl.uniform1i(count, 1);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    const fresh = at('count');
    gl.useProgram(null);
    gl.uniform1i(fresh, 1);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.uniform1i(null, 1);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});

describe('uniform blocks', () => {
  const VERTEX = `#version 300 es
in vec2 position;
uniform Place { vec2 offset; mat4 turn; } place;
void main() { gl_Position = place.turn * vec4(position + place.offset, 0.0, 1.0); }`;
  const COLOR = `#version 300 es
precision mediump float;
uniform vec4 color;
out vec4 result;
void main() { result = color; }`;

  it('are listed with their members and offsets', () => {
    const gl = makeContext2();
    const program = linkProgram(gl, VERTEX, COLOR);
    const index = gl.getUniformBlockIndex(program, 'Place');
    expect(gl.getActiveUniformBlockName(program, index)).toBe('Place');
    const size = gl.getActiveUniformBlockParameter(program, index, gl.UNIFORM_BLOCK_DATA_SIZE);
    expect(size).toBe(80);
    const members = gl.getUniformIndices(program, ['Place.offset', 'Place.turn', 'nothing'])!;
    expect(members[2]).toBe(gl.INVALID_INDEX);
    const known = [...members].slice(0, 2);
    expect(gl.getActiveUniforms(program, known, gl.UNIFORM_OFFSET)).toEqual([0, 16]);
    expect(gl.getActiveUniforms(program, known, gl.UNIFORM_BLOCK_INDEX)).toEqual([index, index]);
    expect(gl.getUniformLocation(program, 'Place.offset')).toBeNull();
    expect(gl.getFragDataLocation(program, 'result')).toBe(0);
  });
});
