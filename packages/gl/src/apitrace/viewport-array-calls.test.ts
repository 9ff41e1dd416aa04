import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';

type Writer = ReturnType<typeof startCapture>;

function stateAfter(change: (writer: Writer) => Writer) {
  const { state } = replay(
    swap(draw(change(startCapture().call('glEnable', { cap: GL.SCISSOR_TEST })))),
  ).draws[0]!;
  const { viewport, scissor, depthRange } = state;
  return { viewport, scissor, depthRange };
}

describe('state by viewport', () => {
  it('draws with the viewport, scissor and depth range of index 0', () => {
    const byList = stateAfter((writer) =>
      writer
        .call('glViewportArrayv', { first: 0, count: 2, v: [1, 2, 10, 20, 9, 9, 9, 9] })
        .call('glScissorArrayv', { first: 0, count: 1, v: [3, 4, 5, 6] })
        .call('glDepthRangeArrayv', { first: 0, count: 1, v: [0.25, 0.5] }),
    );
    // Rows count down in a frame, and the window has 30.
    expect(byList).toEqual({
      viewport: { x: 1, y: 8, width: 10, height: 20 },
      scissor: { x: 3, y: 20, width: 5, height: 6 },
      depthRange: [0.25, 0.5],
    });
    const byIndex = stateAfter((writer) =>
      writer
        .call('glViewportIndexedf', { index: 0, x: 1, y: 2, w: 10, h: 20 })
        .call('glScissorIndexed', { index: 0, left: 3, bottom: 4, width: 5, height: 6 })
        .call('glDepthRangeIndexed', { index: 0, n: 0.25, f: 0.5 }),
    );
    expect(byIndex).toEqual(byList);
    const byVector = stateAfter((writer) =>
      writer
        .call('glViewportIndexedfv', { index: 0, v: [1, 2, 10, 20] })
        .call('glScissorIndexedv', { index: 0, v: [3, 4, 5, 6] })
        .call('glDepthRangef', { n: 0.25, f: 0.5 }),
    );
    expect(byVector).toEqual(byList);
  });

  it('ignores those of other indices, which no shader can choose', () => {
    const plain = stateAfter((writer) => writer);
    const changed = stateAfter((writer) =>
      writer
        .call('glViewportArrayv', { first: 1, count: 1, v: [1, 2, 10, 20] })
        .call('glScissorIndexed', { index: 1, left: 3, bottom: 4, width: 5, height: 6 })
        .call('glDepthRangeIndexed', { index: 2, n: 0.25, f: 0.5 }),
    );
    expect(changed).toEqual(plain);
  });
});
