import { describe, expect, it } from 'vitest';
import {
  linkProgram,
  makeContext,
  makeContext2,
  readPixel,
  useColorProgram,
} from '../../testing/small-context.ts';

describe('draws', () => {
  it('need a program, and a buffer for each enabled array', () => {
    const gl = makeContext();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    useColorProgram(gl);
    gl.enableVertexAttribArray(5);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it.each([
    ['a mode that is none', 'INVALID_ENUM', 7, 3],
    ['a negative count', 'INVALID_VALUE', 4, -1],
  ] as const)('refuse %s', (_what, error, mode, count) => {
    const gl = makeContext();
    useColorProgram(gl);
    gl.drawArrays(mode, 0, count);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('refuse vertices beyond the largest number, also without arrays', () => {
    const gl = makeContext();
    useColorProgram(gl);
    gl.disableVertexAttribArray(0);
    gl.drawArrays(gl.TRIANGLES, 2 ** 31 - 3, 4);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.drawArrays(gl.TRIANGLES, 2 ** 31 - 3, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('accept 32-bit indices in WebGL 1 only with the extension', () => {
    const gl = makeContext();
    useColorProgram(gl);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint32Array.of(0, 1, 2), gl.STATIC_DRAW);
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_INT, 0);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    gl.getExtension('OES_element_index_uint');
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_INT, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_INT, 2);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('read one element for all instances with a divisor of any size', () => {
    const gl = makeContext2();
    const program = linkProgram(
      gl,
      'attribute vec2 position; void main() { gl_Position = vec4(position, 0.0, 1.0); gl_PointSize = 8.0; }',
      'void main() { gl_FragColor = vec4(1.0); }',
    );
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(2), gl.STATIC_DRAW);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribDivisor(0, 0xffffffff);
    expect(gl.getVertexAttrib(0, gl.VERTEX_ATTRIB_ARRAY_DIVISOR)).toBe(0xffffffff);
    gl.drawArraysInstanced(gl.POINTS, 0, 3, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(readPixel(gl, 4, 4)).toEqual([255, 255, 255, 255]);
  });

  it('use the indices that were written last', () => {
    const gl = makeContext();
    const program = useColorProgram(gl);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), 1, 1, 1, 1);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, Uint16Array.of(0, 0, 0), gl.DYNAMIC_DRAW);
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 2, Uint16Array.of(1, 2));
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
    expect(readPixel(gl)).toEqual([255, 255, 255, 255]);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 4, Uint16Array.of(4));
    gl.drawElements(gl.TRIANGLES, 3, gl.UNSIGNED_SHORT, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('need equal stencil references and masks for both faces (WebGL 1.0, section 6.10)', () => {
    const gl = makeContext({ stencil: true });
    useColorProgram(gl);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilMaskSeparate(gl.FRONT, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.stencilMaskSeparate(gl.BACK, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('ignore different stencil faces while the test is disabled', () => {
    const [without, off] = [makeContext({ stencil: false }), makeContext({ stencil: true })];
    without.enable(without.STENCIL_TEST);
    for (const gl of [without, off]) {
      useColorProgram(gl);
      gl.stencilMaskSeparate(gl.FRONT, 1);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    }
  });

  it('cannot sample the texture that they draw into', () => {
    const gl = makeContext();
    const program = linkProgram(
      gl,
      'attribute vec2 position; void main() { gl_Position = vec4(position, 0.0, 1.0); }',
      `precision mediump float; uniform sampler2D map;
       void main() { gl_FragColor = texture2D(map, vec2(0.5)); }`,
    );
    useColorProgram(gl);
    gl.useProgram(program);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const { FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D } = gl;
    gl.framebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    const extension = gl.getExtension('WEBGL_draw_buffers')!;
    extension.drawBuffersWEBGL([gl.NONE]);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('pass only integers to integer attributes, in WebGL 2', () => {
    const gl = makeContext2();
    const program = linkProgram(
      gl,
      `#version 300 es
      in ivec2 position; void main() { gl_Position = vec4(position, 0, 1); }`,
      `#version 300 es
      precision mediump float; out vec4 color; void main() { color = vec4(1); }`,
    );
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, Int8Array.of(-1, -1, 1, -1, -1, 1), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.BYTE, false, 0, 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.vertexAttribIPointer(0, 2, gl.BYTE, 0, 0);
    expect(gl.getVertexAttrib(0, gl.VERTEX_ATTRIB_ARRAY_INTEGER)).toBe(true);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(readPixel(gl)).toEqual([255, 255, 255, 255]);
  });
});

it('rejects indexed draws during transform feedback, even with count 0', () => {
  const gl = makeContext2();
  const program = linkProgram(
    gl,
    '#version 300 es\nin vec2 position; void main() { gl_Position = vec4(position, 0, 1); }',
    '#version 300 es\nprecision mediump float; out vec4 color; void main() { color = vec4(1); }',
  );
  gl.transformFeedbackVaryings(program, ['gl_Position'], gl.INTERLEAVED_ATTRIBS);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
  gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 64, gl.DYNAMIC_READ);
  gl.beginTransformFeedback(gl.POINTS);
  gl.drawElements(gl.POINTS, 0, gl.UNSIGNED_BYTE, 0);
  expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  gl.pauseTransformFeedback();
  gl.drawElements(gl.POINTS, 0, gl.UNSIGNED_BYTE, 0);
  expect(gl.getError()).toBe(gl.NO_ERROR);
});

describe('state that WebGL restricts', () => {
  it.each([
    ['depthRange', 'INVALID_OPERATION', (gl) => gl.depthRange(1, 0)],
    ['blendFunc', 'INVALID_OPERATION', (gl) => gl.blendFunc(gl.CONSTANT_COLOR, gl.CONSTANT_ALPHA)],
    ['lineWidth', 'INVALID_VALUE', (gl) => gl.lineWidth(Number.NaN)],
    ['enable', 'INVALID_ENUM', (gl) => gl.enable(gl.RENDERBUFFER)],
    ['hint', 'INVALID_ENUM', (gl) => gl.hint(gl.GENERATE_MIPMAP_HINT, 1)],
    ['getParameter', 'INVALID_ENUM', (gl) => gl.getParameter(gl.TRIANGLES_THAT_ARE_NOT_THERE)],
  ] as const satisfies readonly (readonly [
    string,
    'INVALID_OPERATION' | 'INVALID_VALUE' | 'INVALID_ENUM',
    // biome-ignore lint/suspicious/noExplicitAny: one row names a constant that there is not.
    (gl: any) => void,
  ])[])('%s', (_what, error, call) => {
    const gl = makeContext();
    call(gl);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('clamps blend colors unless float targets are available', () => {
    const gl = makeContext();
    gl.blendColor(4, -1, 0.5, 1);
    expect([...gl.getParameter(gl.BLEND_COLOR)]).toEqual([1, 0, 0.5, 1]);
    gl.getExtension('WEBGL_color_buffer_float');
    gl.blendColor(4, -1, 0.5, 1);
    expect([...gl.getParameter(gl.BLEND_COLOR)]).toEqual([4, -1, 0.5, 1]);
  });

  it('limits the size of viewports but not their position', () => {
    const gl = makeContext();
    gl.viewport(0, 0, 32_767, 4);
    expect(gl.getParameter(gl.VIEWPORT)).toEqual(Int32Array.of(0, 0, 8192, 4));
    const program = useColorProgram(gl);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), 1, 1, 1, 1);
    gl.viewport(-100_000, 100_000, 8192, 8192);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
    gl.viewport(0, 0, 8, 8);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(-100_000, 4, 2_000_000, 2_000_000);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect(readPixel(gl, 0, 3)).toEqual([0, 0, 0, 0]);
    expect(readPixel(gl, 0, 4)).toEqual([255, 255, 255, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('is reported as it was set', () => {
    const gl = makeContext();
    gl.viewport(1, 2, 3, 4);
    gl.clearColor(0.5, 2, -1, 1);
    gl.stencilFuncSeparate(gl.BACK, gl.LESS, 3, 0xff);
    gl.colorMask(true, false, true, false);
    expect(gl.getParameter(gl.VIEWPORT)).toEqual(Int32Array.of(1, 2, 3, 4));
    expect(gl.getParameter(gl.STENCIL_BACK_FUNC)).toBe(gl.LESS);
    expect(gl.getParameter(gl.STENCIL_REF)).toBe(0);
    expect(gl.getParameter(gl.COLOR_WRITEMASK)).toEqual([true, false, true, false]);
    expect(gl.getParameter(gl.MAX_TEXTURE_SIZE)).toBeGreaterThanOrEqual(4096);
    expect(gl.getParameter(gl.VERSION)).toMatch(/^WebGL 1\.0/);
    expect(makeContext2().getParameter(gl.VERSION)).toMatch(/^WebGL 2\.0/);
  });
});
