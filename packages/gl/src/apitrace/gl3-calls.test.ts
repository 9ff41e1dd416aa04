import type { Frame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import type { FrameRenderer } from '../recording/pass-renderer.ts';
import { draw, POSITIONS, replay, startCapture, swap } from '../testing/small-capture.ts';

const RESTART = 9;
const elements = (indices: readonly number[], rest: object = {}) => ({
  mode: GL.TRIANGLE_STRIP,
  count: indices.length,
  type: GL.UNSIGNED_BYTE,
  indices: Uint8Array.from(indices),
  ...rest,
});
const READ_BUFFER = [0x8f36, 0x8f37];

/** Vertices that the first draw reads by index. */
function indicesOf({ frame, draws }: ReturnType<typeof replay>): number[] {
  const { bufferIndex, offsetBytes, componentType } = draws[0]!.indices!;
  const { bytes } = frame.buffers[bufferIndex]!;
  const wide = componentType === 'uint32' ? new Uint32Array(bytes.slice().buffer) : bytes;
  return [...wide.slice(offsetBytes)];
}

describe('calls of OpenGL 3', () => {
  it('adds a base vertex to the indices', () => {
    const call = elements([4, 3, 5], { basevertex: -3 });
    const writer = startCapture().call('glDrawElementsBaseVertex', call);
    expect(indicesOf(replay(swap(writer)))).toEqual([1, 0, 2]);
  });

  it('restarts a strip at the index, before the base vertex is added', () => {
    const writer = startCapture()
      .call('glPrimitiveRestartIndexNV', { index: RESTART })
      .call('glEnableClientState', { array: GL.PRIMITIVE_RESTART_NV })
      .call('glDrawElementsBaseVertex', elements([1, 2, 3, RESTART, 3, 2, 1], { basevertex: -1 }));
    expect(indicesOf(replay(swap(writer)))).toEqual([0, 1, 2, 2, 1, 0]);
  });

  it('ends a primitive and begins one of the same mode', () => {
    const writer = startCapture()
      .call('glDisableVertexAttribArray', { index: 4 })
      .call('glBegin', { mode: GL.LINE_STRIP });
    const vertex = (x: number) => writer.call('glVertex2f', { x, y: 0 });
    vertex(0);
    vertex(1);
    writer.call('glPrimitiveRestartNV', {});
    vertex(2);
    vertex(3);
    const { draws } = replay(swap(writer.call('glEnd', {})));
    // Lines of 0 to 1 and 2 to 3; a strip without the restart has three.
    expect(draws.reduce((sum, { count }) => sum + count, 0)).toBe(4);
  });

  it('keeps integer attributes that no float holds', () => {
    const writer = startCapture()
      .call('glDisableVertexAttribArray', { index: 4 })
      .call('glVertexAttribI4ui', { index: 4, x: 0xffff_ffff, y: 429496735, z: 0, w: 1 });
    const { draws } = replay(swap(draw(writer)));
    expect(draws[0]!.attributes.at).toEqual({
      kind: 'constant',
      value: [0xffff_ffff, 429496735, 0, 1],
    });
  });

  it('copies between buffers', () => {
    const writer = startCapture()
      .call('glGenBuffers', { n: 1, buffers: [56] })
      .call('glBindBuffer', { target: READ_BUFFER[0]!, buffer: 56 })
      .call('glBindBuffer', { target: READ_BUFFER[1]!, buffer: 55 })
      .call('glBufferData', {
        target: READ_BUFFER[0]!,
        size: 4,
        data: Uint8Array.of(0, 0, 0, 63),
        usage: GL.STATIC_DRAW,
      })
      .call('glCopyBufferSubData', {
        readTarget: READ_BUFFER[0]!,
        writeTarget: READ_BUFFER[1]!,
        readOffset: 0,
        writeOffset: 8,
        size: 4,
      });
    const { frame } = replay(swap(draw(writer)));
    const changed = new Float32Array(frame.buffers[0]!.bytes.slice().buffer);
    expect([...changed]).toEqual([0, 0, 0.5, 0, 0, 1]);
  });

  it('clears single buffers and keeps the clear color', () => {
    const writer = startCapture()
      .call('glClearBufferfv', { buffer: 0x1800, drawbuffer: 0, value: [0, 0.5, 1, 1] })
      .call('glClearBufferfi', { buffer: 0x84f9, drawbuffer: 0, depth: 0.25, stencil: 3 });
    const { clear } = replay(swap(draw(writer))).frame.passes[0]!;
    expect(clear).toEqual({ color: [0, 0.5, 1, 1], depth: 0.25, stencil: 3 });
  });

  it('draws what depends on a query if a fragment of the query passes', () => {
    /** Returns a renderer that reports one count for each query, and keeps the frame. */
    const counting = (count: number, seen: Frame[] = []): FrameRenderer => {
      return (frame) => {
        seen.push(frame);
        const passes = frame.passes.map(({ queries = [] }) => ({
          queryCounts: queries.map(() => count),
        }));
        return { drawnTextures: new Map(), passes };
      };
    };
    const query = (
      body: (writer: ReturnType<typeof startCapture>) => void,
      feedbackRenderer?: FrameRenderer,
      mode = 0x8e13,
    ) => {
      const writer = startCapture().call('glBeginQuery', { target: 0x8914, id: 1 });
      body(writer);
      writer
        .call('glEndQuery', { target: 0x8914 })
        .call('glBeginConditionalRenderNV', { id: 1, mode });
      draw(writer, 3).call('glEndConditionalRenderNV', {});
      return () => {
        const { frame, draws } = replay(swap(draw(writer, 2)), 0, { feedbackRenderer });
        expect(frame.passes.every(({ queries }) => queries === undefined)).toBe(true);
        return draws.map(({ count }) => count);
      };
    };
    const one = (writer: ReturnType<typeof startCapture>) => void draw(writer, 1);
    expect(query(() => {})()).toEqual([2]);
    expect(query(() => {}, undefined, 0x8e17)()).toEqual([3, 2]);
    expect(query(one)).toThrow(/result of an occlusion query is not known/);
    const seen: Frame[] = [];
    expect(query(one, counting(1, seen))()).toEqual([1, 3, 2]);
    expect(seen.map(({ passes }) => passes.map(({ queries }) => queries))).toEqual([
      [[{ firstDraw: 0, drawCount: 1 }]],
    ]);
    expect(query(one, counting(0))()).toEqual([1, 2]);
    expect(query(one, counting(5), 0x8e17)()).toEqual([1, 2]);
  });

  it('sets the back face of EXT_stencil_two_side, which its switch selects', () => {
    const backs = (isTwoSided: boolean) => {
      const writer = startCapture()
        .call('glEnable', { cap: GL.STENCIL_TEST })
        .call('glStencilFunc', { func: 0x0202, ref: 1, mask: 255 })
        .call('glActiveStencilFaceEXT', { face: GL.BACK })
        .call('glStencilFunc', { func: 0x0204, ref: 2, mask: 255 });
      if (isTwoSided) writer.call('glEnable', { cap: 0x8910 });
      const { front, back } = replay(swap(draw(writer))).draws[0]!.state.stencil;
      return [front, back].map(({ compare, reference }) => [compare, reference]);
    };
    expect(backs(false)).toEqual([
      ['equal', 1],
      ['equal', 1],
    ]);
    expect(backs(true)).toEqual([
      ['equal', 1],
      ['greater', 2],
    ]);
  });

  it('draws with fixed functions where the current program has no shaders', () => {
    const withProgram = (writer: ReturnType<typeof startCapture>) =>
      writer
        .call('glCreateProgram', {}, 77)
        .call('glLinkProgram', { program: 77 })
        .call('glUseProgram', { program: 77 });
    const without = (writer: ReturnType<typeof startCapture>) =>
      writer.call('glUseProgram', { program: 0 });
    const [bare, fixed] = [withProgram, without].map((use) => {
      const { frame } = replay(swap(draw(use(startCapture()))));
      return frame.programs[0]!.vertexSource;
    });
    expect(bare).toBe(fixed);
  });

  it('unpacks attributes of 10, 10, 10 and 2 bits', () => {
    const word = 511 + (1 << 10) + (0 << 20) + (1 << 30);
    const writer = startCapture()
      .call('glDisableVertexAttribArray', { index: 4 })
      .call('glVertexAttribP4ui', {
        index: 4,
        type: GL.INT_2_10_10_10_REV,
        normalized: true,
        value: word,
      });
    const { attributes } = replay(swap(draw(writer))).draws[0]!;
    const value = [1, 3 / 1023, 1 / 1023, 1];
    expect(attributes).toEqual({ at: { kind: 'constant', value } });
  });

  it('keeps a triangle without base vertex as it is', () => {
    expect(POSITIONS.length).toBe(24);
    const writer = startCapture().call('glDrawElementsBaseVertex', elements([0, 1, 2]));
    expect(indicesOf(replay(swap(writer)))).toEqual([0, 1, 2]);
  });
});
