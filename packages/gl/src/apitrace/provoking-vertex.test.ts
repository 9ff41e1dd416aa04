import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';

const FIRST = 0x8e4d;
const FLAT = 'flat in vec4 shade; void main() {}';

function indicesAfter(fragment: string, mode: number) {
  const writer = startCapture('attribute vec2 at;', fragment)
    .call('glEnable', { cap: GL.DEPTH_TEST })
    .call('glProvokingVertex', { mode });
  const { frame } = replay(swap(draw(writer)));
  const [pass] = frame.passes;
  const { indices } = pass!.draws[0]!;
  if (indices === undefined || indices === null) return null;
  return [...new Uint32Array(frame.buffers[indices.bufferIndex]!.bytes.slice().buffer)];
}

describe('glProvokingVertex', () => {
  it('moves the first vertex of a triangle to the end if a value is flat', () => {
    expect(indicesAfter(FLAT, FIRST)).toEqual([1, 2, 0]);
    expect(indicesAfter(FLAT, 0x8e4e)).toBeNull();
    expect(indicesAfter('void main() {}', FIRST)).toBeNull();
  });

  it('refuses flat lines', () => {
    const writer = startCapture('attribute vec2 at;', FLAT)
      .call('glProvokingVertex', { mode: FIRST })
      .call('glDrawArrays', { mode: GL.LINES, first: 0, count: 2 });
    expect(() => replay(swap(writer))).toThrow(/GL_FIRST_VERTEX_CONVENTION with flat lines/);
  });

  it('accepts two conventions only', () => {
    const writer = draw(startCapture().call('glProvokingVertex', { mode: 7 }));
    expect(() => replay(swap(writer))).toThrow(/provokingVertex: .* is no convention/);
  });
});
