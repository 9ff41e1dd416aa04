import { describe, expect, it } from 'vitest';
import { BinBroker } from './bin-broker.ts';

describe('BinBroker', () => {
  it('is as far from other chiplets as a message takes, and at chiplet 0', () => {
    const broker = new BinBroker(32, 8);
    expect([0, 1, 7].map((id) => broker.receivesAt(id, 100))).toEqual([100, 132, 132]);
    expect(broker.grant(1, 5, 200)).toBe(232);
    expect(broker.grant(0, 5, 300)).toBe(300);
  });

  it('grants one bin per cycle', () => {
    const broker = new BinBroker(10, 4);
    expect([1, 2, 0].map((id) => broker.grant(id, 5, 50))).toEqual([60, 61, 52]);
    expect(broker.grant(3, 5, 52)).toBe(63);
    expect(broker.grant(3, 5, 90)).toBe(100);
  });

  it('grants a bin ahead to the chiplet that is expected to finish first', () => {
    const broker = new BinBroker(10, 3);
    expect(broker.mayGrant(1, 0)).toBe(true);
    broker.grant(1, 600, 0);
    // No other chiplet has bins.
    expect(broker.mayGrant(1, 0)).toBe(true);
    broker.grant(2, 400, 0);
    expect([1, 2].map((id) => broker.mayGrant(id, 0))).toEqual([false, true]);
    // Chiplet 1 has 400 left, chiplet 2 has 200 and 300.
    broker.grant(2, 300, 200);
    expect([1, 2].map((id) => broker.mayGrant(id, 200))).toEqual([true, false]);
  });

  it('expects bins to be as far from their prediction as those before', () => {
    const broker = new BinBroker(10, 3);
    broker.grant(1, 1000, 0);
    broker.grant(2, 600, 0);
    broker.end(2, 600, 300); // half of the prediction
    broker.grant(2, 500, 300);
    // After 400 cycles, 800 of the 1000 are done, and 200 of the 500.
    expect([1, 2].map((id) => broker.mayGrant(id, 400))).toEqual([true, false]);
  });

  it('takes overdue bins for bins that end at once', () => {
    const broker = new BinBroker(10, 3);
    broker.grant(1, 100, 0);
    broker.grant(2, 50, 0);
    expect([1, 2].map((id) => broker.mayGrant(id, 500))).toEqual([true, true]);
  });

  it('grants chiplet 0 none while it is left with bins of visibility phases, and others theirs', () => {
    const broker = new BinBroker(10, 3);
    const mayGrant = () => [0, 1, 2].map((id) => broker.mayGrant(id, 0));
    expect(mayGrant()).toEqual([true, true, true]);
    broker.beginEarly();
    expect(mayGrant()).toEqual([false, true, true]);
    // The next frame's phase began a bin too.
    broker.beginEarly();
    broker.endEarly();
    expect(mayGrant()).toEqual([false, true, true]);
    broker.endEarly();
    expect(mayGrant()).toEqual([true, true, true]);
  });

  it('counts no early bin among the bins or the work of chiplet 0', () => {
    const broker = new BinBroker(10, 3);
    broker.grant(0, 50, 0);
    broker.grant(1, 60, 0);
    expect(broker.mayGrant(0, 0)).toBe(true);
    broker.beginEarly();
    expect([0, 1].map((id) => broker.mayGrant(id, 0))).toEqual([false, false]);
    // A bin of the queue that leaves does not end the early one.
    broker.end(0, 50, 50);
    expect([0, 1].map((id) => broker.mayGrant(id, 50))).toEqual([false, true]);
    broker.endEarly();
    expect(broker.mayGrant(0, 50)).toBe(true);
  });
});
