import { describe, expect, it } from 'vitest';
import { WarpIdQueue } from './warp-id-queue.ts';

/** Returns queues of eight IDs, four per type, as after pre-allocation. */
function makeQueues(): { vertex: WarpIdQueue; fragment: WarpIdQueue } {
  const vertex = new WarpIdQueue(8);
  const fragment = new WarpIdQueue(8);
  for (let id = 0; id < 8; id++) (id < 4 ? vertex : fragment).append(id);
  return { vertex, fragment };
}

const positions = ({ start, end, release, freeCount, busyCount }: WarpIdQueue) => [
  start,
  end,
  release,
  freeCount,
  busyCount,
];

describe('positions of a queue of warp IDs', () => {
  it('move as in the paper when IDs are given and freed', () => {
    const { vertex } = makeQueues();
    // [start, end, release, free, busy]
    expect(positions(vertex)).toEqual([0, 4, 0, 4, 0]);
    expect(vertex.allocate()).toBe(0);
    expect(positions(vertex)).toEqual([1, 4, 0, 3, 1]);
    expect(vertex.allocate()).toBe(1);
    expect(positions(vertex)).toEqual([2, 4, 0, 2, 2]);
    expect(vertex.oldest()).toBe(0);
    vertex.free();
    expect(positions(vertex)).toEqual([2, 5, 1, 3, 1]);
    expect([vertex.allocate(), vertex.allocate(), vertex.allocate()]).toEqual([2, 3, 0]);
    expect(positions(vertex)).toEqual([5, 5, 1, 0, 4]);
    for (const id of [1, 2, 3, 0]) {
      expect(vertex.oldest()).toBe(id);
      vertex.free();
    }
    expect(positions(vertex)).toEqual([5, 1, 5, 4, 0]);
  });

  it('move as in the paper when one ID goes from vertices to fragments', () => {
    const { vertex, fragment } = makeQueues();
    fragment.allocate();
    const id = vertex.takeLast();
    fragment.append(id);
    expect(id).toBe(3);
    expect(positions(vertex)).toEqual([0, 3, 0, 3, 0]);
    expect(positions(fragment)).toEqual([1, 5, 0, 4, 1]);
    // It is given after the IDs that fragments had free.
    expect([1, 2, 3, 4].map(() => fragment.allocate())).toEqual([5, 6, 7, 3]);
  });

  it('step back over the end of the ring', () => {
    const { vertex, fragment } = makeQueues();
    for (let turn = 0; turn < 4; turn++) {
      vertex.allocate();
      vertex.free();
    }
    expect(vertex.end).toBe(0);
    fragment.append(vertex.takeLast());
    expect(vertex.end).toBe(7);
    expect(vertex.ownedCount + fragment.ownedCount).toBe(8);
  });

  it('hold all IDs of both types', () => {
    const { vertex, fragment } = makeQueues();
    while (fragment.freeCount > 0) vertex.append(fragment.takeLast());
    for (let turn = 0; turn < 8; turn++) vertex.allocate();
    expect(positions(vertex)).toEqual([0, 0, 0, 0, 8]);
    for (let turn = 0; turn < 8; turn++) vertex.free();
    expect(positions(vertex)).toEqual([0, 0, 0, 8, 0]);
  });

  it('refuse to give, free or take an ID that they lack', () => {
    const queue = new WarpIdQueue(2);
    expect(() => queue.allocate()).toThrowError('no ID is free to allocate');
    expect(() => queue.takeLast()).toThrowError('no free ID to remove');
    expect(() => queue.free()).toThrowError('no ID is in use');
  });
});
