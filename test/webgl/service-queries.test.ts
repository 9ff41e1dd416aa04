/**
 * Occlusion queries of a WebGL program whose frames a service renders. Results are those of this
 * process. The counts come with the report of the frame.
 */
import { createContext, createServiceContext } from '@tessera/webgl';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const WIDTH_PX = 160;
const HEIGHT_PX = 96;

/** Enumeration of EXT_disjoint_timer_query_webgl2. */
const TIME_ELAPSED = 0x88bf;

/** Times the draws of a function and returns their query. */
function timeDraws(gl: WebGL2RenderingContext, draw: () => void): WebGLQuery {
  gl.getExtension('EXT_disjoint_timer_query_webgl2');
  const query = gl.createQuery();
  gl.beginQuery(TIME_ELAPSED, query);
  draw();
  gl.endQuery(TIME_ELAPSED);
  return query;
}

/** Draws squares in order, one per depth, with a query each. Returns the queries. */
function drawSquares(gl: WebGL2RenderingContext, depths: readonly number[]): WebGLQuery[] {
  const program = gl.createProgram();
  for (const [type, source] of [
    [
      gl.VERTEX_SHADER,
      'uniform float depth; attribute vec2 at; void main() { gl_Position = vec4(at, depth, 1.0); }',
    ],
    [
      gl.FRAGMENT_SHADER,
      'precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }',
    ],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'at');
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(
    gl.ARRAY_BUFFER,
    Float32Array.of(-0.9, -0.8, 0.7, -0.8, -0.9, 0.9, 0.7, 0.9),
    gl.STATIC_DRAW,
  );
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  return depths.map((depth) => {
    gl.uniform1f(gl.getUniformLocation(program, 'depth'), depth);
    gl.uniform4f(gl.getUniformLocation(program, 'color'), depth, 1 - depth, 0.5, 1);
    const query = gl.createQuery()!;
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.endQuery(gl.ANY_SAMPLES_PASSED);
    return query;
  });
}

const DEPTHS = [0.5, 0.25, 0.75, 0.125, 0.25];

describe('queries of frames that a service renders', { timeout: 120_000 }, () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 2 }));
  }, 60_000);

  it.each([1, 2, 8])('have the results of this process, on %i chiplets', async (chiplets) => {
    const here = createContext(WIDTH_PX, HEIGHT_PX, {
      createWebGL2Context: true,
      antialias: false,
      gpu: { chipletCount: chiplets, timing: 'cycle' },
    });
    const queries = drawSquares(here, DEPTHS);
    const mine = here.frame();
    const expected = queries.map((query) => here.getQueryParameter(query, here.QUERY_RESULT));
    expect(expected).toEqual([1, 1, 0, 1, 0]);

    const service = { url, parameters: { chiplets, timing: 'cycle' } } as const;
    const there = createServiceContext(WIDTH_PX, HEIGHT_PX, {
      createWebGL2Context: true,
      antialias: false,
      service,
    });
    const served = drawSquares(there, DEPTHS);
    const its = await there.frame();
    const results = served.map((query) => there.getQueryParameter(query, there.QUERY_RESULT));
    expect(results).toEqual(expected);
    expect(its.report.passes).toEqual(mine.report!.passes);
    expect(its.report.totals).toEqual(mine.report!.totals);
    expect(Buffer.compare(await its.png(), await mine.png())).toBe(0);
    expect(its.report.passes.map(({ queryCounts }) => queryCounts?.length)).toEqual([5]);
  });

  it('time passes as this process does', async () => {
    const attributes = { createWebGL2Context: true, antialias: false } as const;
    const gpu = { chipletCount: 2, timing: 'cycle' } as const;
    const here = createContext(WIDTH_PX, HEIGHT_PX, { ...attributes, gpu });
    const mine = timeDraws(here, () => drawSquares(here, DEPTHS));
    here.frame();
    const service = { url, parameters: { chiplets: 2, timing: 'cycle' } } as const;
    const there = createServiceContext(WIDTH_PX, HEIGHT_PX, { ...attributes, service });
    const its = timeDraws(there, () => drawSquares(there, DEPTHS));
    const { report } = await there.frame();
    const expected = here.getQueryParameter(mine, here.QUERY_RESULT);
    expect(there.getQueryParameter(its, there.QUERY_RESULT)).toBe(expected);
    expect(expected).toBe((report.passes[0]!.cycles! * 1e9) / report.spec.clockHz);
  });
});
