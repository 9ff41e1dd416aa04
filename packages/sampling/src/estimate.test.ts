import { describe, expect, it } from 'vitest';
import { estimateTotal } from './estimate.ts';
import { studentQuantile } from './student-t.ts';

describe('the estimate of a total', () => {
  it('is the sum if all frames were measured, without an error', () => {
    const strata = [
      { frameCount: 3, values: [10, 20, 33] },
      { frameCount: 1, values: [7] },
    ];
    expect(estimateTotal(strata, 0.95)).toEqual({
      total: 70,
      halfWidth: 0,
      halfWidthShare: 0,
      degreesOfFreedom: null,
    });
  });

  it('weighs strata and corrects for their size, as computed by hand', () => {
    // Variances of the totals: 10 · (10 − 2) · 2 ÷ 2 = 80, and 20 · (20 − 4) · 12 ÷ 4 = 960.
    const strata = [
      { frameCount: 10, values: [4, 6] },
      { frameCount: 20, values: [0, 6, 6, 0] },
    ];
    const { total, halfWidth, degreesOfFreedom } = estimateTotal(strata, 0.95);
    expect(total).toBe(10 * 5 + 20 * 3);
    expect(degreesOfFreedom).toBeCloseTo(1040 ** 2 / (80 ** 2 / 1 + 960 ** 2 / 3));
    expect(halfWidth).toBeCloseTo(studentQuantile(0.95, degreesOfFreedom!) * Math.sqrt(1040));
  });

  it('has no error if a figure does not vary', () => {
    const { total, halfWidth, halfWidthShare } = estimateTotal(
      [{ frameCount: 100, values: [0, 0, 0, 0, 0] }],
      0.95,
    );
    expect([total, halfWidth, halfWidthShare]).toEqual([0, 0, 0]);
  });
});
