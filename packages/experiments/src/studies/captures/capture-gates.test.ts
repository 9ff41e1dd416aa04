import { describe, expect, it } from 'vitest';
import type { ImageComparison } from '../../images/image-comparison.ts';
import { compareNearness, gateOf, isWithin } from './capture-gates.ts';

const EQUAL: ImageComparison = {
  pixels: 480_000,
  differing: 0,
  over1: 0,
  over2: 0,
  over8: 0,
  over32: 0,
  inside: 0,
  largest: 0,
  meanAbsolute: 0,
  psnrDb: null,
};

describe('gates of captures', () => {
  it.each([
    ['build', { over1: 2400 }, { over1: 2401 }],
    ['build', { over8: 240 }, { over8: 241 }],
    ['build', { inside: 24 }, { inside: 25 }],
    ['texture', { over1: 9600, psnrDb: 55 }, { over1: 9600, psnrDb: 54.9 }],
    ['terrain', { over1: 400_000, psnrDb: 29 }, { psnrDb: 28.9 }],
  ])('let %s pass up to the limit', (name, within, beyond) => {
    expect(isWithin(EQUAL, gateOf(name))).toBe(true);
    expect(isWithin({ ...EQUAL, ...within }, gateOf(name))).toBe(true);
    expect(isWithin({ ...EQUAL, ...beyond }, gateOf(name))).toBe(false);
  });
});

describe('nearness', () => {
  it('depends on pixels off by more than 1, and on the next figure only in a tie', () => {
    const base = { ...EQUAL, over1: 4, differing: 600, over8: 2, meanAbsolute: 0.5 };
    expect(compareNearness(base, { ...base, over1: 5, differing: 0 })).toBeLessThan(0);
    expect(compareNearness({ ...base, differing: 599, over8: 4 }, base)).toBeLessThan(0);
    expect(compareNearness({ ...base, over8: 3, meanAbsolute: 0.1 }, base)).toBeGreaterThan(0);
    expect(compareNearness({ ...base, meanAbsolute: 0.4 }, base)).toBeLessThan(0);
    expect(compareNearness(base, { ...base })).toBe(0);
  });
});
