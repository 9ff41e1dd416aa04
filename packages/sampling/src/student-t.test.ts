import { describe, expect, it } from 'vitest';
import { studentQuantile } from './student-t.ts';

describe('the quantile of t', () => {
  // Values of the table in Fisher, "Statistical Methods for Research Workers", with more digits.
  it.each([
    [0.95, 1, 12.7062],
    [0.95, 4, 2.776445],
    [0.95, 10, 2.228139],
    [0.99, 5, 4.032143],
    [0.9, 30, 1.697261],
    [0.95, 1e6, 1.959966],
  ])('is that of the table: %d, %d degrees', (confidence, degrees, quantile) => {
    expect(studentQuantile(confidence, degrees)).toBeCloseTo(quantile, 4);
  });

  it('falls between those of the next integers', () => {
    const quantile = studentQuantile(0.95, 4.5);
    expect(quantile).toBeLessThan(studentQuantile(0.95, 4));
    expect(quantile).toBeGreaterThan(studentQuantile(0.95, 5));
  });
});
