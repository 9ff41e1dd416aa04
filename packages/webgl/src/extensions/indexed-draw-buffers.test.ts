import { describe, expect, it } from 'vitest';
import { linkProgram, makeContext2, readPixel, useColorProgram } from '../testing/small-context.ts';

const VERTEX = `#version 300 es
in vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); }`;
const FRAGMENT = `#version 300 es
precision mediump float;
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;
void main() { first = vec4(0.4); second = vec4(0.4); }`;

/** Makes a framebuffer of two colors, cleared to 0.2, and binds a program that writes 0.4. */
function makeTwoTargets() {
  const gl = makeContext2();
  const extension = gl.getExtension('OES_draw_buffers_indexed')!;
  useColorProgram(gl);
  gl.useProgram(linkProgram(gl, VERTEX, FRAGMENT));
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  for (const point of [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]) {
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 8, 8);
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
  }
  gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
  gl.clearColor(0.2, 0.2, 0.2, 0.2);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const draw = (): number[][] => {
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    return [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1].map((point) => {
      gl.readBuffer(point);
      return readPixel(gl);
    });
  };
  return { gl, extension, draw };
}

describe('OES_draw_buffers_indexed', () => {
  it('blends and masks each draw buffer by itself', () => {
    const { gl, extension, draw } = makeTwoTargets();
    extension.enableiOES(gl.BLEND, 1);
    extension.blendFunciOES(1, gl.ONE, gl.ONE);
    extension.colorMaskiOES(0, true, false, true, true);
    expect(draw()).toEqual([
      [102, 51, 102, 102],
      [153, 153, 153, 153],
    ]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('is undone by calls without an index, whose queries return the first draw buffer', () => {
    const { gl, extension, draw } = makeTwoTargets();
    extension.enableiOES(gl.BLEND, 1);
    extension.blendEquationSeparateiOES(1, gl.FUNC_SUBTRACT, gl.FUNC_ADD);
    extension.blendFuncSeparateiOES(1, gl.ONE, gl.DST_COLOR, gl.ZERO, gl.ONE);
    expect(gl.isEnabled(gl.BLEND)).toBe(false);
    expect(gl.getParameter(gl.BLEND_DST_RGB)).toBe(gl.ZERO);
    expect(gl.getIndexedParameter(gl.BLEND_DST_RGB, 1)).toBe(gl.DST_COLOR);
    expect(gl.getIndexedParameter(gl.BLEND_EQUATION_RGB, 1)).toBe(gl.FUNC_SUBTRACT);
    expect(gl.getIndexedParameter(gl.COLOR_WRITEMASK, 1)).toEqual([true, true, true, true]);
    gl.disable(gl.BLEND);
    expect(draw()).toEqual([
      [102, 102, 102, 102],
      [102, 102, 102, 102],
    ]);
  });

  it('refuses other capabilities, missing draw buffers and mixed constant factors', () => {
    const { gl, extension } = makeTwoTargets();
    extension.enableiOES(gl.DEPTH_TEST, 0);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    extension.colorMaskiOES(8, true, true, true, true);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    gl.getIndexedParameter(gl.BLEND_SRC_RGB, 8);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    extension.blendFunciOES(0, gl.CONSTANT_COLOR, gl.CONSTANT_ALPHA);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    extension.blendFunciOES(0, gl.CONSTANT_COLOR, gl.ONE);
    extension.blendFunciOES(1, gl.CONSTANT_ALPHA, gl.ONE);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });
});
