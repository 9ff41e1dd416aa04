/**
 * Cost of occlusion queries in simulated time: 16 squares at 1280×720 on eight chiplets, with and
 * without queries around them. A query is two snapshots of a counter, so it costs almost nothing.
 */
import type { Report } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { createContext } from '../../create-context.ts';
import { linkProgram } from '../../testing/small-context.ts';

const SQUARE_COUNT = 16;
const VERTEX_SOURCE = `attribute vec2 position;
uniform vec4 place;
void main() { gl_Position = vec4(position * place.w + place.xy, place.z, 1.0); }`;
const FRAGMENT_SOURCE = `precision mediump float;
uniform vec4 color;
void main() { gl_FragColor = color; }`;

/** Squares of one query: the first, and their number. */
type Range = readonly [first: number, count: number];

/**
 * Draws the squares. Odd squares are behind their predecessor, which covers them.
 *
 * @param ranges Squares of each query, ascending.
 */
function drawSquares(chipletCount: number, ranges: readonly Range[]) {
  const gl = createContext(1280, 720, {
    createWebGL2Context: true,
    antialias: false,
    gpu: { chipletCount, timing: 'cycle' },
  });
  const program = linkProgram(gl, VERTEX_SOURCE, FRAGMENT_SOURCE);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  const place = gl.getUniformLocation(program, 'place');
  const color = gl.getUniformLocation(program, 'color');
  const queries = ranges.map(() => gl.createQuery()!);
  for (let square = 0; square < SQUARE_COUNT; square++) {
    const begun = ranges.findIndex(([first]) => first === square);
    if (begun >= 0) gl.beginQuery(gl.ANY_SAMPLES_PASSED, queries[begun]!);
    const pair = square >> 1;
    const isHidden = square % 2 === 1;
    gl.uniform4f(
      place,
      ((pair % 4) - 1.5) / 2,
      (pair >> 2) - 0.5,
      isHidden ? 0.5 : 0,
      isHidden ? 0.2 : 0.5,
    );
    gl.uniform4f(color, pair / 8, 1 - pair / 8, 0.5, 1);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    if (ranges.some(([first, count]) => first + count - 1 === square)) {
      gl.endQuery(gl.ANY_SAMPLES_PASSED);
    }
  }
  const { image, report } = gl.frame();
  const results = queries.map((query) => gl.getQueryParameter(query, gl.QUERY_RESULT));
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return { image, report: report!, results };
}

const ALL = Array.from({ length: SQUARE_COUNT }, (_, square): Range => [square, 1]);

const cyclesOf = ({ totals }: Report): number => totals.cycles!;

describe('occlusion queries of a WebGL program', { timeout: 120_000 }, () => {
  it.each([1, 8])('cost less than one percent of a frame on %i chiplets', (chipletCount) => {
    const without = drawSquares(chipletCount, []);
    const withOne = drawSquares(chipletCount, [[4, 5]]);
    const withAll = drawSquares(chipletCount, ALL);
    for (const { image, report } of [withOne, withAll]) {
      expect(image.rgba).toEqual(without.image.rgba);
      expect(report.passes).toHaveLength(1);
    }
    expect(withOne.results).toEqual([1]);
    expect(withAll.results).toEqual(ALL.map(([square]) => 1 - (square % 2)));
    const cycles = cyclesOf(without.report);
    expect(Math.abs(cyclesOf(withOne.report) - cycles)).toBeLessThan(0.01 * cycles);
    expect(Math.abs(cyclesOf(withAll.report) - cycles)).toBeLessThan(0.02 * cycles);
  });
});
