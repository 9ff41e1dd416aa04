import { describe, expect, it } from 'vitest';
import type { TesseraContext, TesseraContext2 } from '../../create-context.ts';
import {
  linkProgram,
  makeContext,
  makeContext2,
  readPixel,
  useColorProgram,
} from '../../testing/small-context.ts';

const VERTEX = `#version 300 es
void main() { gl_Position = vec4(0.0); }`;
const FRAGMENT = `#version 300 es
precision mediump float;
out vec4 color;
void main() { color = vec4(1.0); }`;

describe('shaderSource', () => {
  it('accepts any text, whose errors compileShader reports', () => {
    const gl = makeContext();
    for (const [text, isKnown] of [
      ['$', false],
      ['// “$”', true],
      ['#if 0\n#$\n#endif', true],
    ] as const) {
      const shader = gl.createShader(gl.VERTEX_SHADER)!;
      const source = `${text}\nvoid main() { gl_Position = vec4(0.0); }`;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      expect(gl.getShaderSource(shader)).toBe(source);
      expect(gl.getShaderParameter(shader, gl.COMPILE_STATUS), text).toBe(isKnown);
    }
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('accepts names of 256 characters in WebGL 1 and 1024 in WebGL 2', () => {
    for (const [gl, longest] of [
      [makeContext(), 256],
      [makeContext2(), 1024],
    ] as const) {
      const statusOf = (length: number): unknown => {
        const name = 'v'.padEnd(length, '1');
        const program = linkProgram(
          gl,
          `attribute vec4 ${name}; void main() { gl_Position = ${name}; }`,
          'void main() {}',
        );
        return gl.getProgramParameter(program, gl.LINK_STATUS);
      };
      expect([statusOf(longest), statusOf(longest + 1)]).toEqual([true, false]);
    }
  });
});

/** Returns the value of a constant in a running GLSL ES 1.00 shader. */
function limitInEs100(gl: TesseraContext | TesseraContext2, name: string): number {
  const program = useColorProgram(gl);
  const shader = gl
    .getAttachedShaders(program)!
    .find((each) => gl.getShaderParameter(each, gl.SHADER_TYPE) === gl.FRAGMENT_SHADER)!;
  const color = `vec4(float(${name}) / 255.0)`;
  gl.shaderSource(shader, `precision mediump float; void main() { gl_FragColor = ${color}; }`);
  gl.compileShader(shader);
  gl.linkProgram(program);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  return readPixel(gl)[0]!;
}

describe('limits', () => {
  it('equal the constants in shaders', () => {
    const gl = makeContext2();
    expect(limitInEs100(makeContext(), 'gl_MaxDrawBuffers')).toBe(1);
    expect(limitInEs100(gl, 'gl_MaxDrawBuffers')).toBe(gl.getParameter(gl.MAX_DRAW_BUFFERS));
    for (const [limit, name] of [
      [gl.MAX_VERTEX_OUTPUT_COMPONENTS, 'gl_MaxVertexOutputVectors'],
      [gl.MAX_FRAGMENT_INPUT_COMPONENTS, 'gl_MaxFragmentInputVectors'],
    ] as const) {
      const shader = gl.createShader(gl.VERTEX_SHADER)!;
      const told = `int told[${name}]`;
      const asked = `int asked[${gl.getParameter(limit) / 4}]`;
      gl.shaderSource(shader, `#version 300 es\nvoid main() { ${told}; ${asked} = told; }`);
      gl.compileShader(shader);
      expect(gl.getShaderInfoLog(shader), name).toBe('');
    }
  });
});

describe('a program with captured outputs', () => {
  it('cannot be linked or replaced until transform feedback is paused', () => {
    const gl = makeContext2();
    const [captured, other] = [VERTEX, VERTEX].map((vertex) => linkProgram(gl, vertex, FRAGMENT));
    gl.transformFeedbackVaryings(captured!, ['gl_Position'], gl.INTERLEAVED_ATTRIBS);
    gl.linkProgram(captured!);
    gl.useProgram(captured!);
    gl.bindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, gl.createBuffer());
    gl.bufferData(gl.TRANSFORM_FEEDBACK_BUFFER, 64, gl.STATIC_READ);
    gl.beginTransformFeedback(gl.POINTS);
    gl.useProgram(other!);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl.getParameter(gl.CURRENT_PROGRAM)).toBe(captured);
    gl.pauseTransformFeedback();
    gl.useProgram(other!);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.linkProgram(captured!);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.endTransformFeedback();
    gl.linkProgram(captured!);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
