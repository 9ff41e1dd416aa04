/** Occlusion queries of a context, executed by the chiplets. */
import { GL } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawSquare, makeContext, PLAIN, useProgram } from './testing/executed-context.ts';

const ANY_SAMPLES_PASSED = 0x8c2f;
const PRIMITIVES_WRITTEN = 0x8c88;

let gpu: FrameInParts;
beforeAll(() => {
  gpu = new FrameInParts(new LocalGpu());
});

describe('queries of samples', () => {
  it('report whether samples passed', () => {
    const { gl, messages } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    gl.capabilities.enable(GL.DEPTH_TEST);
    gl.clears.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    drawSquare(gl, 1, 0);
    const [seen, hidden, cleared] = gl.queries.generate(3);
    gl.queries.begin(ANY_SAMPLES_PASSED, seen!);
    drawSquare(gl, 0.5, -0.5);
    gl.queries.end(ANY_SAMPLES_PASSED);
    gl.queries.begin(ANY_SAMPLES_PASSED, hidden!);
    drawSquare(gl, 0.9, 0.5);
    gl.queries.end(ANY_SAMPLES_PASSED);
    gl.queries.begin(ANY_SAMPLES_PASSED, cleared!);
    gl.capabilities.enable(GL.SCISSOR_TEST);
    gl.raster.setScissor(0, 0, 4, 4);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    gl.queries.end(ANY_SAMPLES_PASSED);
    expect([seen, hidden, cleared].map((query) => gl.queries.result(query!))).toEqual([1, 0, 0]);
    expect(messages).toEqual([]);
  });

  it('count across the end of a frame', () => {
    const { gl } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    const [query] = gl.queries.generate(1);
    gl.queries.begin(ANY_SAMPLES_PASSED, query!);
    drawSquare(gl, 1, 0);
    gl.frames.take();
    gl.queries.end(ANY_SAMPLES_PASSED);
    expect(gl.queries.result(query!)).toBe(1);
  });

  it('render nothing until a result is read, then each pass once', () => {
    const rendered: number[] = [];
    const { gl, messages } = makeContext(gpu, (passes) => rendered.push(passes));
    useProgram(gl, ...PLAIN);
    gl.capabilities.enable(GL.DEPTH_TEST);
    drawSquare(gl, 1, 0);
    const queries = gl.queries.generate(16);
    for (const [index, query] of queries.entries()) {
      gl.queries.begin(ANY_SAMPLES_PASSED, query);
      drawSquare(gl, 0.5, index % 2 === 0 ? 0.5 : -0.01 * index);
      gl.queries.end(ANY_SAMPLES_PASSED);
    }
    expect(rendered).toEqual([]);
    const results = queries.map((query) => gl.queries.result(query));
    expect(results).toEqual(queries.map((_, index) => index % 2));
    expect(rendered).toEqual([1]);
    expect(messages).toEqual([]);
  });

  it('count in several passes, and skip clears and blits in between', () => {
    const rendered: number[] = [];
    const { gl, messages } = makeContext(gpu, (passes) => rendered.push(passes));
    useProgram(gl, ...PLAIN);
    gl.capabilities.enable(GL.DEPTH_TEST);
    const [framebuffer] = gl.framebuffers.generate(1);
    const [color] = gl.renderbuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer!);
    gl.renderbuffers.bind(GL.RENDERBUFFER, color!);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.RGBA8, 16, 16, 0);
    gl.framebuffers.attachRenderbuffer(
      GL.FRAMEBUFFER,
      GL.COLOR_ATTACHMENT0,
      GL.RENDERBUFFER,
      color!,
    );
    /** Draws to the screen, then clears and blits parts, then draws to the renderbuffer. */
    const run = (onScreen: number, offScreen: number, name: number) => {
      gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
      drawSquare(gl, 1, 0);
      gl.queries.begin(ANY_SAMPLES_PASSED, name);
      drawSquare(gl, 0.5, onScreen);
      gl.capabilities.enable(GL.SCISSOR_TEST);
      gl.raster.setScissor(0, 0, 4, 4);
      gl.clears.clear(GL.COLOR_BUFFER_BIT);
      gl.capabilities.disable(GL.SCISSOR_TEST);
      gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, framebuffer!);
      gl.blits.blit([0, 0, 8, 8], [4, 4, 12, 12], GL.COLOR_BUFFER_BIT, GL.NEAREST);
      drawSquare(gl, offScreen, 0);
      gl.queries.end(ANY_SAMPLES_PASSED);
    };
    const cases = [
      [0.5, 0, 0],
      [-0.5, 0, 1],
      [0.5, 0.5, 1],
    ] as const;
    const queries = gl.queries.generate(cases.length);
    for (const [index, [onScreen, offScreen]] of cases.entries()) {
      run(onScreen, offScreen, queries[index]!);
    }
    const before = rendered.length;
    expect(queries.map((query) => gl.queries.result(query))).toEqual(
      cases.map(([, , expected]) => expected),
    );
    expect(rendered.length - before).toBeLessThanOrEqual(1);
    expect(messages).toEqual([]);
  });

  it('count in frames that were taken, however many follow', () => {
    const { gl } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    gl.capabilities.enable(GL.DEPTH_TEST);
    const queries = gl.queries.generate(12);
    for (const [index, query] of queries.entries()) {
      gl.clears.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
      drawSquare(gl, 1, 0);
      gl.queries.begin(ANY_SAMPLES_PASSED, query);
      drawSquare(gl, 1, index % 3 === 0 ? -0.5 : 0.5);
      gl.queries.end(ANY_SAMPLES_PASSED);
      gl.frames.take();
    }
    const expected = queries.map((_, index) => (index % 3 === 0 ? 1 : 0));
    expect(queries.map((query) => gl.queries.result(query))).toEqual(expected);
  });

  it('take the counts that the renderer of a frame gives', () => {
    const rendered: number[] = [];
    const { gl } = makeContext(gpu, (passes) => rendered.push(passes));
    useProgram(gl, ...PLAIN);
    const [seen, unseen] = gl.queries.generate(2);
    for (const query of [seen!, unseen!]) {
      gl.queries.begin(ANY_SAMPLES_PASSED, query);
      drawSquare(gl, 1, 0);
      gl.queries.end(ANY_SAMPLES_PASSED);
    }
    const frame = gl.frames.take();
    expect(frame.passes.map(({ queries }) => queries)).toEqual([
      [
        { firstDraw: 0, drawCount: 1 },
        { firstDraw: 1, drawCount: 1 },
      ],
    ]);
    gl.frames.adoptCounts(frame, [{ queryCounts: [256, 0] }]);
    expect([seen, unseen].map((query) => gl.queries.result(query!))).toEqual([1, 0]);
    expect(rendered).toEqual([]);
  });

  it('count 0 in frames that were discarded', () => {
    const { gl } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    const [query] = gl.queries.generate(1);
    gl.queries.begin(ANY_SAMPLES_PASSED, query!);
    drawSquare(gl, 1, 0);
    gl.queries.end(ANY_SAMPLES_PASSED);
    gl.frames.discard();
    expect(gl.queries.result(query!)).toBe(0);
  });

  it('continue in another pass if one has too many', () => {
    const { gl } = makeContext(gpu);
    useProgram(gl, ...PLAIN);
    const queries = gl.queries.generate(4100);
    for (const query of queries) {
      gl.queries.begin(ANY_SAMPLES_PASSED, query);
      drawSquare(gl, 0.1, 0);
      gl.queries.end(ANY_SAMPLES_PASSED);
    }
    const { passes } = gl.frames.take();
    expect(passes.map(({ queries: held = [] }) => held.length)).toEqual([4096, 4]);
    expect(queries.map((query) => gl.queries.result(query))).toEqual(queries.map(() => 1));
  });

  it('are active one at a time, and have a result once they end', () => {
    const { gl } = makeContext(gpu);
    const [one, other] = gl.queries.generate(2);
    gl.queries.begin(ANY_SAMPLES_PASSED, one!);
    expect(gl.queries.result(one!)).toBeNull();
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.queries.begin(0x8d6a, other!);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.queries.end(ANY_SAMPLES_PASSED);
    gl.queries.end(ANY_SAMPLES_PASSED);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.queries.begin(PRIMITIVES_WRITTEN, one!);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
  });
});
