import { describe, expect, it } from 'vitest';
import { nearestIndex, sliderValues } from './slider-values.ts';

describe('the values of a slider', () => {
  it('are powers of two, numbers halfway, and both ends', () => {
    expect(sliderValues({ min: 0, max: 10 })).toEqual([0, 1, 2, 3, 4, 6, 8, 10]);
    expect(sliderValues({ min: 3, max: 8 })).toEqual([3, 4, 6, 8]);
  });

  it('have a nearest one for any number', () => {
    const values = sliderValues({ min: 0, max: 100 });
    expect(values[nearestIndex(values, 0)]).toBe(0);
    expect(values[nearestIndex(values, 33)]).toBe(32);
    expect(values[nearestIndex(values, 500)]).toBe(100);
  });
});
