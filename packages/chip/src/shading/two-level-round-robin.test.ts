import { describe, expect, it } from 'vitest';
import { TwoLevelRoundRobin } from './two-level-round-robin.ts';

const READY = 1;
const choose = (order: TwoLevelRoundRobin, states: Int32Array, count: number) =>
  Array.from({ length: count }, () => order.choose(states, READY));

describe('two-level round robin', () => {
  it('takes turns within a group while one of its slots is ready, then continues with the next group', () => {
    const order = new TwoLevelRoundRobin(8, 4);
    const states = new Int32Array(8).fill(READY);
    expect(choose(order, states, 6)).toEqual([0, 1, 2, 3, 0, 1]);
    states.fill(0, 0, 4);
    expect(choose(order, states, 5)).toEqual([4, 5, 6, 7, 4]);
    states.fill(READY);
    expect(choose(order, states, 2)).toEqual([5, 6]);
    states.fill(0, 4, 8);
    // The first group continues after the slot that it chose last.
    expect(choose(order, states, 2)).toEqual([2, 3]);
  });

  it('has a smaller last group, or one group of all', () => {
    const states = new Int32Array(5).fill(READY);
    const order = new TwoLevelRoundRobin(5, 3);
    states.fill(0, 0, 3);
    expect(choose(order, states, 3)).toEqual([3, 4, 3]);
    states.fill(READY);
    expect(choose(new TwoLevelRoundRobin(5, 64), states, 6)).toEqual([0, 1, 2, 3, 4, 0]);
  });

  it('gives −1 when no slot is ready', () => {
    expect(new TwoLevelRoundRobin(8, 4).choose(new Int32Array(8), READY)).toBe(-1);
  });
});
