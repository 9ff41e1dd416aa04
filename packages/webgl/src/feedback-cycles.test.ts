/** Simulated time of transform feedback: it takes vertex shading and writes, and no other work. */
import { DEFAULT_PLACEMENT, type Placement } from '@tessera/frame';
import { GL, type GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import {
  bindBuffer,
  bytesOf,
  drawSquare,
  makeContext,
  PLAIN,
  useProgram,
} from './testing/executed-context.ts';

const VERTEX_COUNT = 1000;
/** Words that a vertex writes: a place and the color that it reads. */
const VERTEX_WORDS = 4;
const COUPLINGS = ['none', 'exact'] as const;

const FEEDBACK_VERTEX = `layout(location = 0) in float at; uniform sampler2D map;
  out vec3 place; out float red;
  void main() {
    place = vec3(at, at * 2.0, float(gl_VertexID));
    red = texture(map, vec2(0.5)).x;
    gl_Position = vec4(0);
  }`;

/** Draws a texture if it is wanted, writes vertices that read it, and draws to the screen. */
function runProgram(gl: GlContext, isTextureDrawn: boolean): number[] {
  if (isTextureDrawn) {
    const [texture] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, texture!);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 1, GL.RGBA8, 4, 4);
    const [framebuffer] = gl.framebuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer!);
    const [target, point] = [GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0];
    gl.framebuffers.attachTexture(target, point, GL.TEXTURE_2D, texture!, 0);
    useProgram(gl, ...PLAIN);
    drawSquare(gl, 1, 0);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
  }
  const fragment = 'out vec4 color; void main() { color = vec4(1); }';
  useProgram(gl, FEEDBACK_VERTEX, fragment, ['place', 'red']);
  const places = Float32Array.from({ length: VERTEX_COUNT }, (_, i) => i / 8);
  bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(places));
  gl.vertexArrays.enable(0);
  gl.vertexArrays.setPointer(0, 1, GL.FLOAT, false, 0, 0);
  const bytes = new Uint8Array(4 * VERTEX_WORDS * VERTEX_COUNT);
  const written = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, bytes);
  gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, written);
  gl.capabilities.enable(GL.RASTERIZER_DISCARD);
  gl.feedback.begin(GL.POINTS);
  gl.draws.drawArrays(GL.POINTS, 0, VERTEX_COUNT);
  gl.feedback.end();
  gl.capabilities.disable(GL.RASTERIZER_DISCARD);
  useProgram(gl, ...PLAIN);
  drawSquare(gl, 1, 0);
  gl.buffers.bind(GL.COPY_READ_BUFFER, written);
  return [...new Float32Array(gl.buffers.read(GL.COPY_READ_BUFFER, 0, bytes.length)!.buffer)];
}

function measure(
  chipletCount: number,
  coupling: 'none' | 'exact',
  isTextureDrawn: boolean,
  placement: Placement = DEFAULT_PLACEMENT,
) {
  const options = { timing: 'cycle', coupling, placement } as const;
  const gpu = new FrameInParts(new LocalGpu({ chipletCount }), options);
  const { gl, messages } = makeContext(gpu);
  const words = runProgram(gl, isTextureDrawn);
  expect(messages).toEqual([]);
  const { image } = gpu.render(gl.frames.take());
  const { report, timeline } = gpu.finish(image!)!;
  expect(timeline).not.toBeNull();
  return { words, report };
}

const expected = (red: number) =>
  Array.from({ length: VERTEX_COUNT }, (_, i) => [i / 8, i / 4, i, red]).flat();

describe.each(COUPLINGS)('with coupling %s, transform feedback', (coupling) => {
  it('shades each vertex once and writes its words, with no bins and no fragments', () => {
    const { words, report } = measure(1, coupling, false);
    expect(words).toEqual(expected(0));
    expect(report.passes.map(({ target, bins }) => [target, bins])).toEqual([
      ['feedback', 0],
      ['screen', 1],
    ]);
    const { counters } = report.chiplets[0]!;
    expect(counters['memory.vertexBytesWritten']).toBe(4 * VERTEX_WORDS * VERTEX_COUNT);
    expect(counters['visibility.primitivesWritten']).toBe(VERTEX_COUNT);
    expect(report.totals.primitives).toBe(2);
    const [feedback] = report.passes;
    expect(feedback!.cycles).toBe(feedback!.visibilityCycles);
    expect(feedback!.cycles).toBeGreaterThan(VERTEX_COUNT);
    expect(feedback!.cycles).toBeLessThan(3 * VERTEX_COUNT);
  });

  it('takes the same cycles on any number of chiplets', () => {
    const [one, four] = [1, 4].map((chipletCount) => measure(chipletCount, coupling, false));
    expect(four!.words).toEqual(one!.words);
    expect(four!.report.passes[0]!.cycles).toBe(one!.report.passes[0]!.cycles);
    expect(four!.report.assignment).toEqual(
      expect.objectContaining({
        imbalance: expect.any(Number),
        makespanCycles: expect.any(Number),
      }),
    );
  });

  it('waits for a pass that draws a texture of its vertex shader', () => {
    for (const chipletCount of [1, 3]) {
      const { words, report } = measure(chipletCount, coupling, true);
      expect(words).toEqual(expected(1));
      const [texture, feedback] = report.passes;
      expect([texture!.target, feedback!.target]).toEqual(['texture', 'feedback']);
      expect(feedback!.startCycle!).toBeGreaterThanOrEqual(texture!.startCycle! + texture!.cycles!);
    }
  });
});

it('writes at most one line per cycle, and 64 words of a vertex in one pass', () => {
  const gpu = new FrameInParts(new LocalGpu(), { timing: 'cycle', coupling: 'none' });
  const { gl, messages } = makeContext(gpu);
  const names = ['a', 'b', 'c', 'd'];
  const outputs = names.map((name) => `out mat4 ${name};`).join(' ');
  const writes = names.map((name, i) => `${name} = mat4(float(gl_VertexID * 4 + ${i}));`).join(' ');
  const fragment = 'out vec4 color; void main() { color = vec4(1); }';
  useProgram(gl, `${outputs} void main() { ${writes} gl_Position = vec4(0); }`, fragment, names);
  const bytes = 4 * 64 * VERTEX_COUNT;
  const written = bindBuffer(gl, GL.TRANSFORM_FEEDBACK_BUFFER, new Uint8Array(bytes));
  gl.buffers.bindIndexed(GL.TRANSFORM_FEEDBACK_BUFFER, 0, written);
  gl.feedback.begin(GL.POINTS);
  gl.draws.drawArrays(GL.POINTS, 0, VERTEX_COUNT);
  gl.feedback.end();
  expect(messages).toEqual([]);
  gl.buffers.bind(GL.COPY_READ_BUFFER, written);
  const words = new Float32Array(gl.buffers.read(GL.COPY_READ_BUFFER, 0, bytes)!.buffer);
  expect(words).toEqual(
    Float32Array.from({ length: 64 * VERTEX_COUNT }, (_, i) => ((i % 16) % 5 === 0 ? i >> 4 : 0)),
  );
  const { image } = gpu.render(gl.frames.take());
  const { passes } = gpu.finish(image!)!.report;
  expect(passes.map(({ target }) => target)).toEqual(['feedback', 'screen']);
  expect(passes[0]!.cycles).toBeGreaterThan(bytes / 64);
});

it('writes to the memories that have the visibility streams', () => {
  const { words, report } = measure(4, 'exact', false, {
    ...DEFAULT_PLACEMENT,
    streams: 'interleaved',
  });
  expect(words).toEqual(expected(0));
  const { counters } = report.chiplets[0]!;
  const bytes = 4 * VERTEX_WORDS * VERTEX_COUNT;
  expect(counters['memory.vertexBytesWritten']).toBe(bytes);
  // Three of four pages are in other memories.
  expect(counters['remote.writesRequested']).toBeGreaterThan(bytes / 64 / 2);
});
