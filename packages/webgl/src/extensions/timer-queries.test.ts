import { setImmediate } from 'node:timers/promises';
import type { Report } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import { makeContext, makeContext2, readPixel, useColorProgram } from '../testing/small-context.ts';

/** Constants and methods of the extensions, which TypeScript does not declare. */
interface Timers {
  readonly TIME_ELAPSED_EXT: number;
  readonly TIMESTAMP_EXT: number;
  readonly GPU_DISJOINT_EXT: number;
  readonly QUERY_COUNTER_BITS_EXT: number;
  readonly QUERY_RESULT_EXT: number;
  readonly QUERY_RESULT_AVAILABLE_EXT: number;
  queryCounterEXT(query: WebGLQuery, target: number): void;
  createQueryEXT(): WebGLQuery;
  beginQueryEXT(target: number, query: WebGLQuery): void;
  endQueryEXT(target: number): void;
  getQueryEXT(target: number, parameter: number): unknown;
  getQueryObjectEXT(query: WebGLQuery, parameter: number): unknown;
}

const CYCLES = { gpu: { timing: 'cycle' }, antialias: false } as const;
const DRAW_COUNTS = [3, 40, 5];

const find = (gl: WebGLRenderingContextBase, name: string) =>
  gl.getExtension(name) as unknown as Timers;

function makeTimed(attributes: object = {}) {
  const gl = makeContext2({ ...CYCLES, ...attributes });
  const timers = find(gl, 'EXT_disjoint_timer_query_webgl2');
  useColorProgram(gl);
  const time = (draw: () => void): WebGLQuery => {
    const query = gl.createQuery();
    gl.beginQuery(timers.TIME_ELAPSED_EXT, query);
    draw();
    gl.endQuery(timers.TIME_ELAPSED_EXT);
    return query;
  };
  const draw = (count: number) => {
    for (let i = 0; i < count; i++) gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  };
  return { gl, timers, time, draw };
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

/** Returns the cycle in which the last of the passes is complete. */
function endOf(passes: Report['passes']): number {
  return Math.max(...passes.map(({ startCycle, cycles }) => startCycle! + cycles!));
}

const resultOf = (gl: TesseraContext2, query: WebGLQuery): number =>
  gl.getQueryParameter(query, gl.QUERY_RESULT);

describe('timer queries', () => {
  it('are offered only where frames have simulated cycles', () => {
    const names = (gl: WebGLRenderingContextBase) =>
      gl.getSupportedExtensions()!.filter((name) => name.includes('timer'));
    expect(names(makeContext())).toEqual([]);
    expect(names(makeContext2())).toEqual([]);
    expect(names(makeContext(CYCLES))).toEqual(['EXT_disjoint_timer_query']);
    expect(names(makeContext2(CYCLES))).toEqual(['EXT_disjoint_timer_query_webgl2']);
  });

  it('return the cycles of their passes in nanoseconds, and draw the same image', async () => {
    const { gl, timers, time, draw } = makeTimed();
    gl.clear(gl.COLOR_BUFFER_BIT);
    const queries = DRAW_COUNTS.map((count) => time(() => draw(count)));
    await setImmediate();
    const isAvailable = () =>
      queries.map((query) => gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE));
    expect(isAvailable()).toEqual([false, false, false]);
    const { report, image } = gl.frame();
    expect(isAvailable()).toEqual([true, true, true]);
    const { passes, spec, totals } = report!;
    // The pass of the clear is part of the first query, because it has no draws.
    expect(passes.map(({ draws }) => draws)).toEqual(DRAW_COUNTS);
    const nanoseconds = queries.map((query) => resultOf(gl, query));
    expect(Math.min(...nanoseconds)).toBeGreaterThan(0);
    expect(nanoseconds[1]).toBeGreaterThan(nanoseconds[2]!);
    // Together, they are the time from the start of the first pass to the end of the last.
    const cycles = endOf(passes) - passes[0]!.startCycle!;
    expect(sum(nanoseconds)).toBe((cycles * 1e9) / spec.clockHz);
    expect(cycles).toBeLessThanOrEqual(totals.cycles!);
    expect(gl.getParameter(timers.GPU_DISJOINT_EXT)).toBe(false);
    const plain = makeTimed();
    plain.gl.clear(gl.COLOR_BUFFER_BIT);
    for (const count of DRAW_COUNTS) plain.draw(count);
    const untimed = plain.gl.frame();
    expect(untimed.report!.passes).toHaveLength(1);
    expect(Buffer.compare(image.rgba, untimed.image.rgba)).toBe(0);
  });

  it.each([false, true])('time parts that a read rendered, antialiased: %s', (antialias) => {
    const { gl, time, draw } = makeTimed({ antialias });
    const query = time(() => {
      draw(2);
      readPixel(gl);
      draw(3);
    });
    draw(7);
    const { report } = gl.frame();
    const { passes, spec } = report!;
    const timed = passes.slice(
      0,
      passes.findIndex(({ draws }) => draws === 7),
    );
    const cycles = endOf(timed) - passes[0]!.startCycle!;
    expect(timed.map(({ draws }) => draws).filter((draws) => draws > 0)).toEqual([2, 3]);
    expect(resultOf(gl, query)).toBe(Math.round((cycles * 1e9) / spec.clockHz));
  });

  it('are 0 and disjoint after a frame that was not rendered, and 0 without draws', () => {
    const { gl, timers, time, draw } = makeTimed();
    const empty = time(() => {});
    const lost = time(() => draw(2));
    gl.skipFrame();
    expect([empty, lost].map((query) => resultOf(gl, query))).toEqual([0, 0]);
    const isDisjoint = () => gl.getParameter(timers.GPU_DISJOINT_EXT);
    expect([isDisjoint(), isDisjoint()]).toEqual([true, false]);
  });

  it('have no timestamps, which share no zero', async () => {
    const { gl, timers } = makeTimed();
    const { QUERY_COUNTER_BITS_EXT, TIMESTAMP_EXT, TIME_ELAPSED_EXT } = timers;
    expect(gl.getQuery(TIME_ELAPSED_EXT, QUERY_COUNTER_BITS_EXT)).toBe(53);
    expect(gl.getQuery(TIMESTAMP_EXT, QUERY_COUNTER_BITS_EXT)).toBe(0);
    const query = gl.createQuery();
    timers.queryCounterEXT(query, TIMESTAMP_EXT);
    await setImmediate();
    expect(gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)).toBe(true);
    expect(resultOf(gl, query)).toBe(0);
    gl.beginQuery(TIME_ELAPSED_EXT, query);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    timers.queryCounterEXT(query, TIME_ELAPSED_EXT);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });

  it('have calls of their own in WebGL 1', async () => {
    const gl = makeContext(CYCLES);
    const timers = find(gl, 'EXT_disjoint_timer_query');
    useColorProgram(gl);
    const query = timers.createQueryEXT();
    expect(String(query)).toBe('[object WebGLTimerQueryEXT]');
    timers.beginQueryEXT(0x8c2f, query);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    timers.beginQueryEXT(timers.TIME_ELAPSED_EXT, query);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    timers.endQueryEXT(timers.TIME_ELAPSED_EXT);
    const { report } = gl.frame();
    await setImmediate();
    expect(timers.getQueryObjectEXT(query, timers.QUERY_RESULT_AVAILABLE_EXT)).toBe(true);
    expect(timers.getQueryObjectEXT(query, timers.QUERY_RESULT_EXT)).toBe(
      Math.round((report!.passes[0]!.cycles! * 1e9) / report!.spec.clockHz),
    );
    expect(timers.getQueryEXT(timers.TIME_ELAPSED_EXT, 0x8865)).toBeNull();
  });
});
