import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';

const FLAT = 'flat in vec4 shade; void main() {}';
const { FIRST_VERTEX_CONVENTION: FIRST, LAST_VERTEX_CONVENTION: LAST } = GL;

/** Returns the provoking vertex and the indices of a draw after the calls. */
function drawnAfter(modes: readonly number[], primitives: number | null = null) {
  const writer = startCapture('attribute vec2 at;', FLAT);
  writer.call('glEnable', { cap: GL.DEPTH_TEST });
  for (const mode of modes) writer.call('glProvokingVertex', { mode });
  if (primitives === null) draw(writer);
  else writer.call('glDrawArrays', { mode: primitives, first: 0, count: 3 });
  const { frame } = replay(swap(writer));
  const { indices, state } = frame.passes[0]!.draws[0]!;
  const buffer = indices === undefined || indices === null ? null : indices.bufferIndex;
  return {
    provoking: state.provokingVertex,
    indices:
      buffer === null ? null : [...new Uint32Array(frame.buffers[buffer]!.bytes.slice().buffer)],
  };
}

describe('glProvokingVertex', () => {
  it('is state of the draw', () => {
    expect(drawnAfter([FIRST])).toEqual({ provoking: 'first', indices: null });
    expect(drawnAfter([FIRST, LAST])).toEqual({ provoking: undefined, indices: null });
    expect(drawnAfter([FIRST], GL.LINES)).toEqual({ provoking: 'first', indices: null });
  });

  it('starts the triangles of polygons with their first vertex', () => {
    expect(drawnAfter([FIRST], GL.POLYGON).indices).toEqual([0, 1, 2]);
    expect(drawnAfter([], GL.POLYGON).indices).toBeNull();
  });

  it('is saved with the lighting', () => {
    const writer = startCapture('attribute vec2 at;', FLAT)
      .call('glPushAttrib', { mask: 0x40 })
      .call('glProvokingVertex', { mode: FIRST })
      .call('glPopAttrib', {});
    const { frame } = replay(swap(draw(writer)));
    expect(frame.passes[0]!.draws[0]!.state.provokingVertex).toBeUndefined();
  });

  it('accepts two conventions only', () => {
    const writer = draw(startCapture().call('glProvokingVertex', { mode: 7 }));
    expect(() => replay(swap(writer))).toThrow(/provokingVertex: .* is not a convention/);
  });
});
