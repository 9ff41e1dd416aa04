import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isColorCompressible } from './color-compression.ts';

const pack = (channels: readonly number[]): number =>
  channels.reduce((word, value, c) => word | (value << (8 * c)), 0);

/** Widths of the offsets of four channels, at most 5 bits together. */
const anyWidths = fc
  .tuple(fc.nat(5), fc.nat(5), fc.nat(5), fc.nat(5))
  .filter((widths) => widths.reduce((sum, width) => sum + width, 0) <= 5);

describe('isColorCompressible', () => {
  it('accepts each code: a base and offsets of at most 5 bits together', () => {
    const anyCode = anyWidths.chain((widths) =>
      fc.record({
        base: fc.tuple(...widths.map((width) => fc.nat(256 - 2 ** width))),
        offsets: fc.array(fc.tuple(...widths.map((width) => fc.nat(2 ** width - 1))), {
          minLength: 16,
          maxLength: 16,
        }),
      }),
    );
    fc.assert(
      fc.property(anyCode, ({ base, offsets }) => {
        const colors = offsets.map((each) => pack(each.map((value, c) => base[c]! + value)));
        expect(isColorCompressible(Int32Array.from(colors))).toBe(true);
      }),
    );
  });

  it('rejects offsets of more bits in any channels', () => {
    const flat = new Int32Array(16).fill(pack([1, 2, 3, 255]));
    expect(isColorCompressible(flat)).toBe(true);
    for (let i = 0; i < 16; i++) {
      expect(isColorCompressible(flat.with(i, pack([1 + 31, 2, 3, 255])))).toBe(true);
      expect(isColorCompressible(flat.with(i, pack([1 + 32, 2, 3, 255])))).toBe(false);
      expect(isColorCompressible(flat.with(i, pack([1 + 31, 3, 3, 255])))).toBe(false);
      expect(isColorCompressible(flat.with(i, pack([3, 4, 4, 254])))).toBe(false);
      expect(isColorCompressible(flat.with(i, pack([2, 3, 4, 254])))).toBe(true);
    }
  });
});
