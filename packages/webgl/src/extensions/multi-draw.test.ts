import { describe, expect, it } from 'vitest';
import type { TesseraContext } from '../create-context.ts';
import { linkProgram, makeContext, readPixel, useColorProgram } from '../testing/small-context.ts';

/** Draws two points of a strip of four, left and right, as two draws of one call. */
function makeCorners(gl = makeContext()) {
  const extension = gl.getExtension('WEBGL_multi_draw')!;
  gl.uniform4f(gl.getUniformLocation(useColorProgram(gl), 'color'), 0, 1, 0, 1);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint16Array.of(0, 1, 2, 2, 1, 3), gl.STATIC_DRAW);
  return { gl, extension };
}

const isLinked = (gl: TesseraContext, program: WebGLProgram): boolean =>
  gl.getProgramParameter(program, gl.LINK_STATUS);

describe('WEBGL_multi_draw', () => {
  it('draws the elements of the lists from their offsets', () => {
    const { gl, extension } = makeCorners();
    extension.multiDrawElementsWEBGL(
      gl.TRIANGLES,
      Int32Array.of(99, 3),
      1,
      gl.UNSIGNED_SHORT,
      [6],
      0,
      1,
    );
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect([readPixel(gl, 0, 0)[1], readPixel(gl, 7, 7)[1]]).toEqual([0, 255]);
    extension.multiDrawArraysWEBGL(gl.TRIANGLE_STRIP, [0, 1], 0, [3, 3], 0, 2);
    expect([readPixel(gl, 0, 0)[1], readPixel(gl, 7, 7)[1]]).toEqual([255, 255]);
  });

  it('enables instanced arrays and draws instances', () => {
    const { gl, extension } = makeCorners();
    expect(gl.getExtension('ANGLE_instanced_arrays')).not.toBeNull();
    extension.multiDrawArraysInstancedWEBGL(gl.TRIANGLES, [0, 1], 0, [3, 3], 0, [0, 2], 0, 2);
    expect([readPixel(gl, 0, 0)[1], readPixel(gl, 7, 7)[1]]).toEqual([0, 255]);
    gl.getExtension('ANGLE_instanced_arrays')!.vertexAttribDivisorANGLE(0, 1);
    extension.multiDrawArraysInstancedWEBGL(gl.TRIANGLES, [0], 0, [3], 0, [2], 0, 1);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('tells the shader the index of the draw', () => {
    const gl = makeContext();
    const fragment = `precision mediump float; varying vec4 tint;
      void main() { gl_FragColor = tint; }`;
    const vertex = `attribute vec2 position; varying vec4 tint;
      void main() { gl_Position = vec4(position, 0, 1); tint = vec4(gl_DrawID, 0, 1, 1); }`;
    gl.getExtension('WEBGL_multi_draw');
    expect(isLinked(gl, linkProgram(gl, vertex, fragment))).toBe(false);
    const { extension } = makeCorners(gl);
    const required = `#extension GL_ANGLE_multi_draw : require\n${vertex}`;
    const program = linkProgram(gl, required, fragment);
    gl.useProgram(program);
    expect(gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS)).toBe(0);
    extension.multiDrawArraysWEBGL(gl.TRIANGLE_STRIP, [0, 1], 0, [3, 3], 0, 2);
    expect([readPixel(gl, 0, 0), readPixel(gl, 7, 7)]).toEqual([
      [0, 0, 255, 255],
      [255, 0, 255, 255],
    ]);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPixel(gl, 7, 7)).toEqual([0, 0, 255, 255]);
  });

  it('refuses negative counts, lists that end too early, and other values', () => {
    const { gl, extension } = makeCorners();
    extension.multiDrawArraysWEBGL(gl.TRIANGLES, [0], 0, [3], 0, -1);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    extension.multiDrawArraysWEBGL(gl.TRIANGLES, [0], 0, [3], 1, 1);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    extension.multiDrawArraysWEBGL(gl.TRIANGLES, [-1], 0, [3], 0, 1);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    extension.multiDrawArraysWEBGL(gl.TRIANGLES, [0], 0, [0], 0, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const wrong = 3 as unknown as number[];
    expect(() => extension.multiDrawArraysWEBGL(gl.TRIANGLES, wrong, 0, [3], 0, 1)).toThrow(
      TypeError,
    );
  });
});
