import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import { makeContext2 } from '../testing/small-context.ts';

const VERTEX = `#version 300 es
in float position;
out float doubled; out float halved;
void main() { doubled = position * 2.0; halved = position / 2.0; gl_Position = vec4(position); }`;
const FRAGMENT = `#version 300 es
precision mediump float; out vec4 color; void main() { color = vec4(1); }`;

function makeBuffer(gl: TesseraContext2): WebGLBuffer {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(1, 2, 3, 4), gl.STATIC_DRAW);
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  return buffer;
}

/** Captures two outputs of four vertices, with a buffer for the first one. */
function setUp() {
  const gl = makeContext2();
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, VERTEX],
    [gl.FRAGMENT_SHADER, FRAGMENT],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.transformFeedbackVaryings(program, ['doubled', 'halved'], gl.SEPARATE_ATTRIBS);
  gl.linkProgram(program);
  gl.useProgram(program);
  const [input, output] = [makeBuffer(gl), makeBuffer(gl)];
  const useArray = (buffer: WebGLBuffer) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.vertexAttribPointer(0, 1, gl.FLOAT, false, 0, 0);
    gl.enableVertexAttribArray(0);
    gl.bindBuffer(gl.ARRAY_BUFFER, null);
  };
  useArray(input);
  gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, output);
  const draw = () => {
    gl.drawArrays(gl.POINTS, 0, 4);
    return gl.getError();
  };
  return { gl, output, useArray, draw };
}

describe('transform feedback buffers', () => {
  it('cannot be attribute arrays of a draw', () => {
    const { output, useArray, draw, gl } = setUp();
    expect(draw()).toBe(gl.NO_ERROR);
    useArray(output);
    expect(draw()).toBe(gl.INVALID_OPERATION);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, gl.createTransformFeedback());
    expect(draw()).toBe(gl.NO_ERROR);
  });

  it('cannot be used while bound to another target', () => {
    const { gl, output, draw } = setUp();
    gl.bindBuffer(gl.COPY_WRITE_BUFFER, output);
    expect(draw()).toBe(gl.NO_ERROR);
    gl.bufferSubData(gl.COPY_WRITE_BUFFER, 0, new Uint8Array(4));
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindBuffer(gl.COPY_WRITE_BUFFER, null);
    gl.bufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, new Uint8Array(4));
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.bindBuffer(gl.PIXEL_PACK_BUFFER, output);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('keep their storage while their feedback is active, even paused and unbound', () => {
    const { gl, output } = setUp();
    const feedback = gl.createTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    for (const index of [0, 1]) {
      const buffer = index === 0 ? output : makeBuffer(gl);
      gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    }
    gl.beginTransformFeedback(gl.POINTS);
    gl.pauseTransformFeedback();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindBuffer(gl.COPY_WRITE_BUFFER, output);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.bufferData(gl.COPY_WRITE_BUFFER, 64, gl.STATIC_DRAW);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    gl.endTransformFeedback();
    // Now the generic rule forbids it while the buffer is bound for feedback.
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, null);
    gl.bufferData(gl.COPY_WRITE_BUFFER, 64, gl.STATIC_DRAW);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('must be distinct, and cannot be read while feedback is active', () => {
    const { gl, output, draw } = setUp();
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 1, output);
    gl.beginTransformFeedback(gl.POINTS);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 1, makeBuffer(gl));
    gl.beginTransformFeedback(gl.POINTS);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, new Float32Array(4));
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(draw()).toBe(gl.NO_ERROR);
    gl.endTransformFeedback();
    const read = new Float32Array(4);
    gl.getBufferSubData(gl.TRANSFORM_FEEDBACK_BUFFER, 0, read);
    expect([...read]).toEqual([0.5, 1, 1.5, 2]);
  });

  it('remain in unbound feedback objects when they are deleted', () => {
    const { gl, output } = setUp();
    const feedback = gl.createTransformFeedback();
    const boundBuffer = () => gl.getIndexedParameter(gl.TRANSFORM_FEEDBACK_BUFFER_BINDING, 0);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, output);
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, null);
    gl.deleteBuffer(output);
    expect(boundBuffer()).toBeNull();
    gl.bindTransformFeedback(gl.TRANSFORM_FEEDBACK, feedback);
    expect(boundBuffer()).toBe(output);
  });
});
