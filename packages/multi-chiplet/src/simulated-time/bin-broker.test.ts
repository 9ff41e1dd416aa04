import { describe, expect, it } from 'vitest';
import { BinBroker } from './bin-broker.ts';

describe('BinBroker', () => {
  it('is as far from other chiplets as a message takes, and at chiplet 0', () => {
    const broker = new BinBroker(32, 8, 8);
    expect([0, 1, 7].map((id) => broker.receivesAt(id, 100))).toEqual([100, 132, 132]);
    expect(broker.grant(1, 5, 200)).toBe(232);
    expect(broker.grant(0, 5, 300)).toBe(300);
  });

  it('grants one bin per cycle', () => {
    const broker = new BinBroker(10, 4, 4);
    expect([1, 2, 0].map((id) => broker.grant(id, 5, 50))).toEqual([60, 61, 52]);
    expect(broker.grant(3, 5, 52)).toBe(63);
    expect(broker.grant(3, 5, 90)).toBe(100);
  });

  it('grants bins ahead within an equal share of the unfinished work', () => {
    const broker = new BinBroker(10, 3, 2);
    expect(broker.mayGrant(1, 1000, 1000)).toBe(true);
    broker.grant(1, 60, 0);
    // Of 200 cycles in all, each of two chiplets has 100.
    expect(broker.mayGrant(1, 40, 140)).toBe(true);
    expect(broker.mayGrant(1, 41, 140)).toBe(false);
    expect(broker.mayGrant(2, 140, 140)).toBe(true);
    broker.grant(2, 90, 0);
    expect(broker.mayGrant(1, 40, 50)).toBe(true);
    expect(broker.mayGrant(2, 11, 50)).toBe(false);
    broker.end(2, 90);
    expect(broker.mayGrant(2, 50, 50)).toBe(true);
  });
});
