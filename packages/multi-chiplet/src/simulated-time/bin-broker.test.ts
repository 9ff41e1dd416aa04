import { describe, expect, it } from 'vitest';
import { BinBroker } from './bin-broker.ts';

describe('BinBroker', () => {
  it('is as far from other chiplets as a message takes, and at chiplet 0', () => {
    const broker = new BinBroker(32);
    expect([0, 1, 7].map((id) => broker.receivesAt(id, 100))).toEqual([100, 132, 132]);
    expect(broker.grant(1, 200)).toBe(232);
    expect(broker.grant(0, 300)).toBe(300);
  });

  it('grants one bin per cycle', () => {
    const broker = new BinBroker(10);
    expect([1, 2, 0].map((id) => broker.grant(id, 50))).toEqual([60, 61, 52]);
    expect(broker.grant(3, 52)).toBe(63);
    expect(broker.grant(3, 90)).toBe(100);
  });
});
