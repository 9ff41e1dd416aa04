/** Errors of calls that break two rules, and of formats: those that Chromium 156 raises. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from './create-context.ts';
import { linkProgram, makeContext2, useColorProgram } from './testing/small-context.ts';

type Case = readonly [
  what: string,
  error: 'INVALID_ENUM' | 'INVALID_OPERATION' | 'INVALID_VALUE' | 'NO_ERROR',
  call: (gl: TesseraContext2) => void,
];

const NO_MODE = 7;

/** Program whose link fails: its shaders do not compile. */
function makeUnlinked(gl: TesseraContext2): WebGLProgram {
  return linkProgram(gl, 'no shader', 'no shader');
}

describe('errors of calls that break two rules', () => {
  it.each<Case>([
    ['draw: no program, then the mode', 'INVALID_OPERATION', (gl) => gl.drawArrays(NO_MODE, 0, 3)],
    [
      'draw: the count, then the mode',
      'INVALID_VALUE',
      (gl) => {
        useColorProgram(gl);
        gl.drawArrays(NO_MODE, 0, -1);
      },
    ],
    [
      'draw: the mode, then the missing buffer',
      'INVALID_ENUM',
      (gl) => {
        useColorProgram(gl);
        gl.enableVertexAttribArray(5);
        gl.drawArrays(NO_MODE, 0, 3);
      },
    ],
    [
      'indexed draw: the offset, then the program',
      'INVALID_VALUE',
      (gl) => gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_BYTE, -1),
    ],
    [
      'range draw: no program, then the range',
      'INVALID_OPERATION',
      (gl) => gl.drawRangeElements(gl.TRIANGLES, 2, 1, 3, gl.UNSIGNED_BYTE, 0),
    ],
    [
      'buffer parameter: the parameter, then the missing buffer',
      'INVALID_ENUM',
      (gl) => gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_USAGE + 1),
    ],
    [
      'storage: the missing renderbuffer, then the format',
      'INVALID_OPERATION',
      (gl) => gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGB9_E5, 4, 4),
    ],
    [
      'copy: the format, then the size',
      'INVALID_ENUM',
      (gl) => {
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB9_E5, 0, 0, -1, 4, 0);
      },
    ],
    [
      'copy of half floats without their alpha',
      'NO_ERROR',
      (gl) => {
        gl.getExtension('EXT_color_buffer_half_float');
        const source = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, source);
        gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA16F, 4, 4);
        gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, source, 0);
        gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
        gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB16F, 0, 0, 4, 4, 0);
      },
    ],
    [
      'read: the format, then the destination',
      'INVALID_ENUM',
      (gl) => gl.readPixels(0, 0, 1, 1, gl.DEPTH_COMPONENT, gl.UNSIGNED_BYTE, null),
    ],
    [
      'clear: a second draw buffer, which the page does not have',
      'NO_ERROR',
      (gl) => gl.clearBufferiv(gl.COLOR, 1, [0, 0, 0, 0]),
    ],
    [
      'block of a program that failed to link',
      'INVALID_OPERATION',
      (gl) => gl.uniformBlockBinding(makeUnlinked(gl), 0, 0),
    ],
    [
      'uniforms of a program that failed to link',
      'INVALID_VALUE',
      (gl) => gl.getActiveUniforms(makeUnlinked(gl), [0], gl.UNIFORM_TYPE),
    ],
    [
      'no uniforms of a program that failed to link',
      'NO_ERROR',
      (gl) => expect(gl.getUniformIndices(makeUnlinked(gl), ['a'])).toEqual([gl.INVALID_INDEX]),
    ],
    [
      'sample counts of a format that cannot be drawn to',
      'INVALID_ENUM',
      (gl) => gl.getInternalformatParameter(gl.RENDERBUFFER, gl.RGB9_E5, gl.SAMPLES),
    ],
  ])('%s', (_what, error, call) => {
    const gl = makeContext2();
    call(gl);
    expect(gl.getError()).toBe(gl[error]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
