import { describe, expect, it } from 'vitest';
import { linkProgram, makeContext2, readPixel, useColorProgram } from '../testing/small-context.ts';

const VERTEX = `#version 300 es
#extension GL_ANGLE_clip_cull_distance : require
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0, 1); DISTANCES }`;
const FRAGMENT = `#version 300 es
precision highp float;
out vec4 color;
void main() { color = vec4(0, 1, 0, 1); }`;

/** Draws the whole target green with the given distances; returns green left, middle and right. */
function draw(distances: string, enabled: readonly number[], mode?: 'points') {
  const gl = makeContext2();
  const extension = gl.getExtension('WEBGL_clip_cull_distance')!;
  useColorProgram(gl);
  gl.useProgram(linkProgram(gl, VERTEX.replace('DISTANCES', distances), FRAGMENT));
  for (const plane of enabled) gl.enable(extension.CLIP_DISTANCE0_WEBGL + plane);
  if (mode === 'points') gl.drawArrays(gl.POINTS, 0, 1);
  else gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return [0, 4, 7].map((x) => readPixel(gl, x, x)[1]);
}

describe('WEBGL_clip_cull_distance', () => {
  it('clips by the enabled distances', () => {
    const distances = 'gl_ClipDistance[1] = position.x; gl_ClipDistance[3] = -position.x - 0.5;';
    expect(draw(distances, [])).toEqual([255, 255, 255]);
    expect(draw(distances, [1])).toEqual([0, 255, 255]);
    expect(draw(distances, [3])).toEqual([255, 0, 0]);
    expect(draw(distances, [1, 3])).toEqual([0, 0, 0]);
    expect(draw(distances, [0, 7])).toEqual([255, 255, 255]);
  });

  it('clips points by their center', () => {
    const point = 'gl_PointSize = 16.0; gl_Position.xy = vec2(0);';
    expect(draw(`${point} gl_ClipDistance[0] = 0.1;`, [0], 'points')).toEqual([255, 255, 255]);
    expect(draw(`${point} gl_ClipDistance[0] = -0.1;`, [0], 'points')).toEqual([0, 0, 0]);
  });

  it('culls triangles outside at all vertices', () => {
    expect(draw('gl_CullDistance[7] = position.x + position.y;', [])).toEqual([255, 255, 255]);
    // The upper right triangle of the strip has no vertex with a lower sum.
    expect(draw('gl_CullDistance[7] = -position.x - position.y - 0.5;', [])).toEqual([255, 0, 0]);
    expect(draw('gl_CullDistance[7] = -1.0;', [])).toEqual([0, 0, 0]);
  });

  it('has no constants and capabilities before it is enabled', () => {
    const gl = makeContext2();
    for (const parameter of [0x0d32, 0x82f9, 0x82fa, 0x3007]) {
      expect(gl.getParameter(parameter)).toBeNull();
      expect(gl.getError()).toBe(gl.INVALID_ENUM);
    }
    gl.enable(0x3000);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    gl.getExtension('WEBGL_clip_cull_distance');
    gl.enable(0x3007);
    const values = [0x0d32, 0x82f9, 0x82fa, 0x3006, 0x3007].map((each) => gl.getParameter(each));
    expect(values).toEqual([8, 8, 8, false, true]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
