import { describe, expect, it } from 'vitest';
import { type Bin, costOf, neighbor } from './bin-figures.ts';

const bin = (id: number, x: number, y: number, width: number, height: number): Bin => ({
  passIndex: 0,
  id,
  x,
  y,
  width,
  height,
  chiplet: 0,
  isEarly: false,
  startCycle: 100,
  endCycle: 150,
  primitives: 1,
  fragments: 1,
  estimatedCost: 7,
});

describe('neighbor', () => {
  const bins = [
    bin(0, 0, 0, 64, 64),
    bin(1, 64, 0, 128, 64),
    bin(2, 0, 64, 64, 30),
    bin(3, 64, 64, 128, 30),
  ].map((one) => ({ key: `0/${one.id}`, bin: one }));
  const from = (id: number, direction: readonly [number, number]) =>
    neighbor(bins, bins[id]!.bin, direction)?.bin.id ?? null;

  it('goes to the bin beside, and nowhere at the edge', () => {
    expect(from(0, [1, 0])).toBe(1);
    expect(from(0, [0, 1])).toBe(2);
    expect(from(3, [-1, 0])).toBe(2);
    expect(from(3, [0, -1])).toBe(1);
    expect(from(1, [1, 0])).toBeNull();
    expect(from(0, [-1, 0])).toBeNull();
  });
});

describe('costOf', () => {
  it('is cycles, or the estimate without time', () => {
    expect(costOf(bin(0, 0, 0, 1, 1))).toBe(50);
    expect(costOf({ ...bin(0, 0, 0, 1, 1), startCycle: null, endCycle: null })).toBe(7);
  });
});
