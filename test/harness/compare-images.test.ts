import { describe, expect, it } from 'vitest';
import { compareImages } from '../support/compare-images.ts';

function makeImage(change?: (rgba: Uint8Array) => void) {
  const rgba = new Uint8Array(5 * 4 * 4).fill(100);
  change?.(rgba);
  return { widthPx: 5, heightPx: 4, rgba };
}

describe('compareImages', () => {
  it('reports no difference between equal images', () => {
    expect(compareImages(makeImage(), makeImage())).toBeNull();
  });

  it('fails on one component of one pixel', () => {
    const changed = makeImage((rgba) => {
      rgba[(2 * 5 + 3) * 4 + 1] = 101;
    });
    const difference = compareImages(changed, makeImage());
    expect(difference).toMatchObject({ differingPixels: 1, largest: 1 });
    expect(difference?.message).toContain('(3, 2) expected 100,100,100, got 100,101,100');
  });

  it('fails on another size', () => {
    const wide = { widthPx: 4, heightPx: 5, rgba: makeImage().rgba };
    expect(compareImages(wide, makeImage())?.message).toBe('4×5 in place of 5×4');
  });
});
