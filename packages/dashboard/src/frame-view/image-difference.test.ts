import { describe, expect, it } from 'vitest';
import { comparePictures } from './image-difference.ts';

const picture = (...values: number[]) => new Uint8ClampedArray(values);

describe('comparePictures', () => {
  it('finds equal pictures equal and draws them grey', () => {
    const same = picture(10, 200, 30, 255, 0, 0, 0, 255);
    const { pixels, pixelsDiffering, mostDifference, rgba } = comparePictures(same, same);
    expect([pixels, pixelsDiffering, mostDifference]).toEqual([2, 0, 0]);
    expect(rgba[0]).toBe(rgba[1]);
    expect(rgba[1]).toBe(rgba[2]);
  });

  it('counts pixels of which one channel differs by one, and shows them', () => {
    const a = picture(10, 20, 30, 255, 5, 5, 5, 255);
    const b = picture(10, 20, 31, 255, 5, 5, 5, 255);
    const { pixelsDiffering, mostDifference, rgba } = comparePictures(a, b);
    expect([pixelsDiffering, mostDifference]).toEqual([1, 1]);
    expect(rgba[0]).toBeGreaterThan(rgba[1]! + 50);
  });

  it('refuses pictures of two sizes', () => {
    expect(() => comparePictures(picture(1, 2, 3, 4), picture())).toThrow(RangeError);
  });
});
