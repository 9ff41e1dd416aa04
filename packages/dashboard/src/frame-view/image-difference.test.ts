import { describe, expect, it } from 'vitest';
import { compareImages } from './image-difference.ts';

const image = (...values: number[]) => new Uint8ClampedArray(values);

describe('compareImages', () => {
  it('reports no difference between equal images and draws them gray', () => {
    const same = image(10, 200, 30, 255, 0, 0, 0, 255);
    const { pixels, pixelsDiffering, mostDifference, rgba } = compareImages(same, same);
    expect([pixels, pixelsDiffering, mostDifference]).toEqual([2, 0, 0]);
    expect(rgba[0]).toBe(rgba[1]);
    expect(rgba[1]).toBe(rgba[2]);
  });

  it('counts pixels of which one channel differs by one, and shows them', () => {
    const a = image(10, 20, 30, 255, 5, 5, 5, 255);
    const b = image(10, 20, 31, 255, 5, 5, 5, 255);
    const { pixelsDiffering, mostDifference, rgba } = compareImages(a, b);
    expect([pixelsDiffering, mostDifference]).toEqual([1, 1]);
    expect(rgba[0]).toBeGreaterThan(rgba[1]! + 50);
  });

  it('refuses images of two sizes', () => {
    expect(() => compareImages(image(1, 2, 3, 4), image())).toThrow(RangeError);
  });
});
