import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import { linkProgram, makeContext, makeContext2, readPixel } from '../testing/small-context.ts';

interface ProvokingVertex {
  readonly FIRST_VERTEX_CONVENTION_WEBGL: number;
  readonly LAST_VERTEX_CONVENTION_WEBGL: number;
  readonly PROVOKING_VERTEX_WEBGL: number;
  provokingVertexWEBGL(mode: number): void;
}

const VERTEX = `#version 300 es
layout(location = 0) in vec2 position;
flat out float number;
void main() { gl_Position = vec4(position, 0, 1); number = float(gl_VertexID); }`;
const FRAGMENT = `#version 300 es
precision highp float;
flat in float number;
out vec4 color;
void main() { color = vec4(number / 255.0, 1, 0, 1); }`;

function start(antialias = false) {
  const gl = makeContext2({ antialias });
  const extension = gl.getExtension('WEBGL_provoking_vertex') as unknown as ProvokingVertex;
  gl.useProgram(linkProgram(gl, VERTEX, FRAGMENT));
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return { gl, extension };
}

/** Draws primitives over the square with these corners; returns the numbers at these pixels. */
function numbersAt(
  gl: TesseraContext2,
  mode: number,
  corners: readonly number[],
  pixels: readonly (readonly [number, number])[],
): number[] {
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(corners), gl.STATIC_DRAW);
  gl.clear(gl.COLOR_BUFFER_BIT);
  gl.drawArrays(mode, 0, corners.length / 2);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return pixels.map(([x, y]) => {
    const [red, green] = readPixel(gl, x, y);
    return green === 255 ? red! : -1;
  });
}

const STRIP = [-1, -1, 1, -1, -1, 1, 1, 1];
/** Pixels of the lower left and the upper right triangle. */
const HALVES = [
  [1, 1],
  [6, 6],
] as const;

describe('WEBGL_provoking_vertex', () => {
  it('takes flat varyings from the first or the last vertex', () => {
    const { gl, extension } = start();
    const fan = [-1, -1, 1, -1, 1, 1, -1, 1];
    const list = [-1, -1, 1, -1, -1, 1, 1, 1, -1, 1, 1, -1];
    const both = (mode: number, corners: readonly number[], pixels: readonly [number, number][]) =>
      [extension.LAST_VERTEX_CONVENTION_WEBGL, extension.FIRST_VERTEX_CONVENTION_WEBGL].map(
        (convention) => {
          extension.provokingVertexWEBGL(convention);
          return numbersAt(gl, mode, corners, pixels);
        },
      );
    const halves = HALVES.map(([x, y]): [number, number] => [x, y]);
    expect(both(gl.TRIANGLE_STRIP, STRIP, halves)).toEqual([
      [2, 3],
      [0, 1],
    ]);
    expect(both(gl.TRIANGLES, list, halves)).toEqual([
      [2, 5],
      [0, 3],
    ]);
    expect(
      both(gl.TRIANGLE_FAN, fan, [
        [6, 1],
        [1, 6],
      ]),
    ).toEqual([
      [2, 3],
      [1, 2],
    ]);
    const row = [-1, 0.1, 0, 0.1, 1, 0.1];
    expect(
      both(gl.LINE_STRIP, row, [
        [1, 4],
        [6, 4],
      ]),
    ).toEqual([
      [1, 2],
      [0, 1],
    ]);
    expect(both(gl.LINES, row.slice(0, 4), [[1, 4]])).toEqual([[1], [0]]);
    expect(both(gl.POINTS, [0.1, 0.1], [[4, 4]])).toEqual([[0], [0]]);
  });

  it('applies to triangles that are clipped', () => {
    const { gl, extension } = start();
    extension.provokingVertexWEBGL(extension.FIRST_VERTEX_CONVENTION_WEBGL);
    const large = [-1, -1, 1e6, -1, -1, 1e6];
    expect(numbersAt(gl, gl.TRIANGLES, large, HALVES)).toEqual([0, 0]);
  });

  it.each([false, true])('is state of each draw, antialiased: %s', (antialias) => {
    const { gl, extension } = start(antialias);
    gl.enable(gl.SCISSOR_TEST);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(STRIP), gl.STATIC_DRAW);
    gl.scissor(0, 0, 4, 8);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    extension.provokingVertexWEBGL(extension.FIRST_VERTEX_CONVENTION_WEBGL);
    gl.scissor(4, 0, 4, 8);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    expect([readPixel(gl, 0, 0)[0], readPixel(gl, 7, 7)[0]]).toEqual([2, 1]);
  });

  it('has a parameter and rejects other modes', () => {
    const { gl, extension } = start();
    const parameter = extension.PROVOKING_VERTEX_WEBGL;
    expect(gl.getParameter(parameter)).toBe(extension.LAST_VERTEX_CONVENTION_WEBGL);
    extension.provokingVertexWEBGL(extension.FIRST_VERTEX_CONVENTION_WEBGL);
    expect(gl.getParameter(parameter)).toBe(extension.FIRST_VERTEX_CONVENTION_WEBGL);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    extension.provokingVertexWEBGL(parameter);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getParameter(parameter)).toBe(extension.FIRST_VERTEX_CONVENTION_WEBGL);
    const other = makeContext2();
    expect(other.getParameter(0x8e4f)).toBeNull();
    expect(other.getError()).toBe(other.INVALID_ENUM);
    expect(makeContext().getExtension('WEBGL_provoking_vertex')).toBeNull();
  });
});
