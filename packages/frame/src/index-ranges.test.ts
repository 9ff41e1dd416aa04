import { describe, expect, it } from 'vitest';
import { IndexRanges } from './index-ranges.ts';

describe('IndexRanges', () => {
  it.each([
    ['uint8', Uint8Array],
    ['uint16', Uint16Array],
    ['uint32', Uint32Array],
  ] as const)('finds the largest %s at any position', (componentType, TypedArray) => {
    const largest = TypedArray.BYTES_PER_ELEMENT === 4 ? 0xffff_fffe : 250;
    for (let count = 1; count < 10; count++) {
      for (let place = 0; place < count; place++) {
        const indices = new TypedArray(count).fill(3);
        indices[place] = largest;
        const bytes = new Uint8Array(indices.buffer);
        expect(new IndexRanges().largest(bytes, componentType, 0, count)).toBe(largest);
      }
    }
  });

  it('returns -1 for no indices, and reads unaligned ranges', () => {
    const bytes = Uint8Array.of(9, 9, 9, 1, 0, 7, 0, 2, 0, 9);
    expect(new IndexRanges().largest(bytes, 'uint16', 0, 0)).toBe(-1);
    expect(new IndexRanges().largest(bytes.subarray(1), 'uint16', 2, 3)).toBe(7);
  });
});
