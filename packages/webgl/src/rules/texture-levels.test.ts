/** Complete sets of texture levels, as framebuffers and copies require them. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext, TesseraContext2 } from '../create-context.ts';
import {
  linkProgram,
  makeContext,
  makeContext2,
  POSITION_SOURCE,
  readPixel,
} from '../testing/small-context.ts';

type Context = TesseraContext | TesseraContext2;

const TEXTURE_SOURCE = `precision mediump float;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, vec2(0.5)); }`;

function attach(gl: Context, target: number, texture: WebGLTexture, level: number): number {
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, target, texture, level);
  return gl.checkFramebufferStatus(gl.FRAMEBUFFER);
}

function define(gl: Context, target: number, level: number, edgePx: number): void {
  gl.texImage2D(target, level, gl.RGBA, edgePx, edgePx, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
}

describe('a framebuffer', () => {
  it('accepts a cube face once all faces are defined', () => {
    const gl = makeContext();
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
    const first = gl.TEXTURE_CUBE_MAP_POSITIVE_X;
    for (let face = 0; face < 5; face++) define(gl, first + face, 0, 4);
    expect(attach(gl, first, texture, 0)).toBe(gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    define(gl, first + 5, 0, 4);
    expect(attach(gl, first, texture, 0)).toBe(gl.FRAMEBUFFER_COMPLETE);
  });

  it('accepts a level above the base if all levels are defined', () => {
    const gl = makeContext2();
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    define(gl, gl.TEXTURE_2D, 0, 4);
    define(gl, gl.TEXTURE_2D, 1, 2);
    expect(attach(gl, gl.TEXTURE_2D, texture, 0)).toBe(gl.FRAMEBUFFER_COMPLETE);
    expect(attach(gl, gl.TEXTURE_2D, texture, 1)).toBe(gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LEVEL, 1);
    expect(attach(gl, gl.TEXTURE_2D, texture, 1)).toBe(gl.FRAMEBUFFER_COMPLETE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, 1);
    expect(attach(gl, gl.TEXTURE_2D, texture, 0)).toBe(gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
  });

  it('accepts every level of an immutable texture, regardless of its parameters', () => {
    const gl = makeContext2();
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 2, gl.RGBA8, 8, 8);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, 1);
    expect(attach(gl, gl.TEXTURE_2D, texture, 0)).toBe(gl.FRAMEBUFFER_COMPLETE);
  });
});

it('clamps the base level of an immutable texture', () => {
  const gl = makeContext2();
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 3, gl.RGBA8, 4, 4);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL, 1000);
  gl.generateMipmap(gl.TEXTURE_2D);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  expect(gl.getTexParameter(gl.TEXTURE_2D, gl.TEXTURE_BASE_LEVEL)).toBe(1000);
});

it('draws to a level of an incomplete texture that it samples', () => {
  const gl = makeContext2();
  const program = linkProgram(gl, POSITION_SOURCE, TEXTURE_SOURCE);
  gl.useProgram(program);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  define(gl, gl.TEXTURE_2D, 0, 4);
  attach(gl, gl.TEXTURE_2D, texture, 0);
  gl.drawArrays(gl.POINTS, 0, 1);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.drawArrays(gl.POINTS, 0, 1);
  expect(gl.getError()).toBe(gl.INVALID_OPERATION);
});

it('copies to sized formats only colors with equal component sizes', () => {
  const gl = makeContext2();
  gl.clearColor(1, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB565, 0, 0, 4, 4, 0);
  expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB8, 0, 0, 4, 4, 0);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  attach(gl, gl.TEXTURE_2D, texture, 0);
  expect(readPixel(gl)).toEqual([255, 0, 0, 255]);
});

it.each([
  ['DEPTH_COMPONENT16', 'NONE', 'LINEAR', [0, 0, 0, 255]],
  ['DEPTH_COMPONENT16', 'NONE', 'NEAREST', [255, 0, 0, 255]],
  ['DEPTH_COMPONENT', 'NONE', 'LINEAR', [255, 0, 0, 255]],
] as const)('reads depths of %s, compared by %s, with %s', (format, compare, filter, expected) => {
  const gl = makeContext2();
  gl.useProgram(linkProgram(gl, POSITION_SOURCE, TEXTURE_SOURCE));
  const { TEXTURE_2D, DEPTH_COMPONENT, UNSIGNED_SHORT } = gl;
  gl.bindTexture(TEXTURE_2D, gl.createTexture());
  const texels = Uint16Array.of(0xffff);
  gl.texImage2D(TEXTURE_2D, 0, gl[format], 1, 1, 0, DEPTH_COMPONENT, UNSIGNED_SHORT, texels);
  gl.texParameteri(TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl[compare]);
  gl.texParameteri(TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl[filter]);
  gl.texParameteri(TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl[filter]);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  expect(readPixel(gl)).toEqual(expected);
});

it('does not filter drawn depths linearly', () => {
  const gl = makeContext2();
  const { TEXTURE_2D, DEPTH_COMPONENT16, FRAMEBUFFER } = gl;
  const texture = gl.createTexture();
  gl.bindTexture(TEXTURE_2D, texture);
  gl.texStorage2D(TEXTURE_2D, 1, DEPTH_COMPONENT16, 1, 1);
  gl.bindFramebuffer(FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(FRAMEBUFFER, gl.DEPTH_ATTACHMENT, TEXTURE_2D, texture, 0);
  gl.clear(gl.DEPTH_BUFFER_BIT);
  gl.bindFramebuffer(FRAMEBUFFER, null);
  gl.useProgram(linkProgram(gl, POSITION_SOURCE, TEXTURE_SOURCE));
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const readWith = (filter: number): number[] => {
    gl.texParameteri(TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter);
    gl.texParameteri(TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    return readPixel(gl);
  };
  expect(readWith(gl.LINEAR)).toEqual([0, 0, 0, 255]);
  expect(readWith(gl.NEAREST)).toEqual([255, 0, 0, 255]);
});
