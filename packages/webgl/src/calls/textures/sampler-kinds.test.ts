import { expect, it } from 'vitest';
import { linkProgram, makeContext2 } from '../../testing/small-context.ts';

const FORMATS = {
  RGBA8: ['RGBA', 'UNSIGNED_BYTE'],
  R16I: ['RED_INTEGER', 'SHORT'],
  RG8UI: ['RG_INTEGER', 'UNSIGNED_BYTE'],
  DEPTH_COMPONENT16: ['DEPTH_COMPONENT', 'UNSIGNED_SHORT'],
} as const;

it.each([
  ['sampler2D', 'RGBA8', 'NONE', true],
  ['sampler2D', 'R16I', 'NONE', false],
  ['sampler2D', 'DEPTH_COMPONENT16', 'NONE', true],
  ['sampler2D', 'DEPTH_COMPONENT16', 'COMPARE_REF_TO_TEXTURE', false],
  ['isampler2D', 'R16I', 'NONE', true],
  ['isampler2D', 'RGBA8', 'NONE', false],
  ['usampler2D', 'RG8UI', 'NONE', true],
  ['usampler2D', 'R16I', 'NONE', false],
  ['sampler2DShadow', 'DEPTH_COMPONENT16', 'COMPARE_REF_TO_TEXTURE', true],
  ['sampler2DShadow', 'DEPTH_COMPONENT16', 'NONE', false],
] as const)('a %s of a texture of %s, compared: %s', (type, internalFormat, compare, isFitting) => {
  const gl = makeContext2();
  const at = type === 'sampler2DShadow' ? 'vec3(0)' : 'vec2(0)';
  const program = linkProgram(
    gl,
    '#version 300 es\nvoid main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 1.0; }',
    `#version 300 es\nprecision mediump float; uniform mediump ${type} map; out vec4 color;
void main() { color = vec4(texture(map, ${at})); }`,
  );
  gl.useProgram(program);
  const { TEXTURE_2D: target, NEAREST } = gl;
  gl.bindTexture(target, gl.createTexture());
  const [format, texels] = FORMATS[internalFormat];
  gl.texImage2D(target, 0, gl[internalFormat], 1, 1, 0, gl[format], gl[texels], null);
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, NEAREST);
  gl.texParameteri(target, gl.TEXTURE_COMPARE_MODE, gl[compare]);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  gl.drawArrays(gl.POINTS, 0, 1);
  expect(gl.getError()).toBe(isFitting ? gl.NO_ERROR : gl.INVALID_OPERATION);
});
