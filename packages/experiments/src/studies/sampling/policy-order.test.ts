import { describe, expect, it } from 'vitest';
import { rankCorrelation } from './policy-order.ts';
import { ASSIGNMENTS } from './sequence-figures.ts';

describe("Kendall's tau of the policies", () => {
  const expected = ASSIGNMENTS.map((_, i) => 1000 - i);

  it('is 1 for equal orders and −1 for opposite ones, whatever the values are', () => {
    expect(rankCorrelation(expected, expected.map(Math.sqrt))).toBe(1);
    expect(
      rankCorrelation(
        expected,
        expected.map((value) => -value),
      ),
    ).toBe(-1);
  });

  it('falls by two pairs of 126 for one that is exchanged, and ignores numbers of chiplets', () => {
    const exchanged = [expected[1]!, expected[0]!, ...expected.slice(2)];
    expect(rankCorrelation(expected, exchanged)).toBeCloseTo(1 - 2 / 126);
    const scaled = expected.map((value, i) => value * ASSIGNMENTS[i]!.chiplets);
    expect(rankCorrelation(expected, scaled)).toBe(1);
  });
});
