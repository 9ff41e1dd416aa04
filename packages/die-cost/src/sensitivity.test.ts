import { describe, expect, it } from 'vitest';
import { type Assumption, type Assumptions, fixAssumptions } from './assumption.ts';
import { estimate, worstCases } from './sensitivity.ts';

function range(low: number, typical: number, high: number): Assumption {
  return {
    ...{ low, typical, high, unit: 'mm', meaning: 'length of an edge' },
    ...({ source: 'chosen', confidence: 'low' } as const),
  };
}

const BOX: Assumptions<'width' | 'depth' | 'height'> = {
  width: range(1, 2, 4),
  depth: range(2, 4, 16),
  height: range(3, 3, 3),
};
const volumeOf = ({ width, depth, height }: Record<keyof typeof BOX, number>) =>
  width * depth * height;

describe('estimate', () => {
  it('varies each assumption alone and names the widest effect first', () => {
    const { typical, effects } = estimate(BOX, volumeOf);
    expect(typical).toBe(24);
    expect(effects).toEqual([
      { name: 'depth', atLow: 12, atHigh: 96 },
      { name: 'width', atLow: 12, atHigh: 48 },
    ]);
  });

  it('joins effects as independent factors', () => {
    const { low, high } = estimate(BOX, volumeOf);
    expect(Math.log2(low / 24)).toBeCloseTo(-Math.sqrt(1 + 1), 9);
    expect(Math.log2(high / 24)).toBeCloseTo(Math.sqrt(1 + 4), 9);
  });

  it('counts a figure that falls with an assumption', () => {
    const { low, high } = estimate(BOX, ({ depth }) => 1 / depth);
    expect(low).toBeCloseTo(1 / 16, 9);
    expect(high).toBeCloseTo(1 / 2, 9);
  });

  it('leaves out assumptions that change nothing', () => {
    const { effects } = estimate(BOX, ({ width }) => width);
    expect(effects).toEqual([{ name: 'width', atLow: 1, atHigh: 4 }]);
  });

  it('has no spread without one', () => {
    const fixed = fixAssumptions(BOX, { width: 5, depth: 5 });
    expect(estimate(fixed, volumeOf)).toEqual({ low: 75, typical: 75, high: 75, effects: [] });
  });
});

describe('worstCases', () => {
  it('has the extremes of all combinations', () => {
    expect(worstCases(BOX, volumeOf)).toEqual({ least: 6, most: 192 });
    expect(worstCases(BOX, ({ width, depth }) => width / depth)).toEqual({
      least: 1 / 16,
      most: 2,
    });
  });
});

describe('fixAssumptions', () => {
  it.each([
    [{ length: 1 }, 'length: none of width, depth, height'],
    [{ width: 0 }, 'width: 0 is not a positive number'],
    [{ width: Number.NaN }, 'width: NaN is not a positive number'],
    [{ toString: 1 }, 'toString: none of'],
  ])('refuses %j', (fixed, message) => {
    expect(() => fixAssumptions(BOX, fixed as Record<string, number>)).toThrowError(message);
  });
});
