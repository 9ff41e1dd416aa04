/** Color buffers that receive a shader's single color when several are bound. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext, TesseraContext2 } from '../create-context.ts';
import {
  linkProgram,
  makeContext,
  makeContext2,
  POSITION_SOURCE,
  readPixel,
  useColorProgram,
} from '../testing/small-context.ts';

const COUNT = 3;

/** Draws green over three red color buffers and returns their colors. */
function drawIntoThree(
  gl: TesseraContext | TesseraContext2,
  drawBuffers: (buffers: number[]) => void,
  buffers: readonly number[],
  error = 0,
): number[][] {
  const framebuffers = Array.from({ length: COUNT }, () => gl.createFramebuffer());
  const all = gl.createFramebuffer();
  for (const [i, single] of framebuffers.entries()) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 8, 8, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    for (const [framebuffer, point] of [
      [single, gl.COLOR_ATTACHMENT0],
      [all, gl.COLOR_ATTACHMENT0 + i],
    ] as const) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
    }
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, all);
  drawBuffers(framebuffers.map((_, i) => gl.COLOR_ATTACHMENT0 + i));
  gl.clearColor(1, 0, 0, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  drawBuffers([...buffers]);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  expect(gl.getError()).toBe(error);
  return framebuffers.map((framebuffer) => {
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    return readPixel(gl, 3, 3);
  });
}

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const FIRST_POINT = 0x8ce0;

const BROADCAST = `#extension GL_EXT_draw_buffers : require
precision mediump float;
uniform vec4 color;
void main() { gl_FragColor = color; }`;

describe('gl_FragColor', () => {
  it.each([
    ['all', [0, 1, 2], [GREEN, GREEN, GREEN]],
    ['the last two', [null, 1, 2], [RED, GREEN, GREEN]],
    ['the second', [null, 1], [RED, GREEN, RED]],
    ['the first', [0], [GREEN, RED, RED]],
    ['none', [null, null, null], [RED, RED, RED]],
  ])('goes to %s of the draw buffers', (_name, outputs, expected) => {
    const gl = makeContext();
    const extension = gl.getExtension('WEBGL_draw_buffers')!;
    useColorProgram(gl);
    const program = linkProgram(gl, POSITION_SOURCE, BROADCAST);
    gl.useProgram(program);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), 0, 1, 0, 1);
    const buffers = outputs.map((i) => (i === null ? gl.NONE : FIRST_POINT + i));
    const drawn = drawIntoThree(gl, (list) => extension.drawBuffersWEBGL(list), buffers);
    expect(drawn).toEqual(expected);
  });

  it('needs the extension in the shader if there are several draw buffers', () => {
    const gl = makeContext();
    const extension = gl.getExtension('WEBGL_draw_buffers')!;
    gl.uniform4f(gl.getUniformLocation(useColorProgram(gl), 'color'), 0, 1, 0, 1);
    const drawTo = (list: number[]): void => extension.drawBuffersWEBGL(list);
    const two = [FIRST_POINT, FIRST_POINT + 1];
    expect(drawIntoThree(gl, drawTo, two, gl.INVALID_OPERATION)).toEqual([RED, RED, RED]);
    expect(drawIntoThree(gl, drawTo, [FIRST_POINT])).toEqual([GREEN, RED, RED]);
  });

  it('is written only to the first color buffer in WebGL 2, where it must be the only one', () => {
    const gl = makeContext2();
    gl.uniform4f(gl.getUniformLocation(useColorProgram(gl), 'color'), 0, 1, 0, 1);
    const drawTo = (list: number[]): void => gl.drawBuffers(list);
    const one = [FIRST_POINT, gl.NONE, gl.NONE];
    expect(drawIntoThree(gl, drawTo, one)).toEqual([GREEN, RED, RED]);
    const two = [FIRST_POINT, gl.NONE, FIRST_POINT + 2];
    expect(drawIntoThree(gl, drawTo, two, gl.INVALID_OPERATION)).toEqual([RED, RED, RED]);
  });
});

describe('gl_FragData', () => {
  it("is written to each element's own color buffer", () => {
    const gl = makeContext();
    const extension = gl.getExtension('WEBGL_draw_buffers')!;
    useColorProgram(gl);
    const source = `#extension GL_EXT_draw_buffers : require
precision mediump float;
void main() { // not gl_FragColor
  gl_FragData[0] = vec4(0.0, 1.0, 0.0, 1.0);
  gl_FragData[1] = vec4(1.0, 0.0, 0.0, 1.0);
  gl_FragData[2] = vec4(0.0, 1.0, 0.0, 1.0);
}`;
    gl.useProgram(linkProgram(gl, POSITION_SOURCE, source));
    const buffers = [0, 1, 2].map((i) => FIRST_POINT + i);
    const drawn = drawIntoThree(gl, (list) => extension.drawBuffersWEBGL(list), buffers);
    expect(drawn).toEqual([GREEN, RED, GREEN]);
  });
});
