import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RenderError } from './errors.ts';
import { decodeVisibilityBin, encodeVisibilityBin, type VisibleDraw } from './visibility-stream.ts';

/**
 * Draws with ascending primitives: some dense, so that a bitmap is smallest, and some sparse, so
 * that gaps are smallest.
 */
const visibleDraws = fc
  .array(
    fc.record({
      isVisible: fc.boolean(),
      ids: fc.oneof(
        fc.uniqueArray(fc.nat(300), { maxLength: 200 }),
        fc.uniqueArray(fc.nat(5_000_000), { maxLength: 20 }),
      ),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((draws) =>
    draws.map(({ isVisible, ids }) =>
      isVisible ? Uint32Array.from(ids.sort((a, b) => a - b)) : new Uint32Array(0),
    ),
  );

describe('visibility stream', () => {
  it('decodes what was encoded', () => {
    fc.assert(
      fc.property(visibleDraws, (idsByDraw) => {
        const draws: VisibleDraw[] = idsByDraw.map((primitiveIds, drawIndex) => ({
          drawIndex,
          primitiveIds,
        }));
        const counts = idsByDraw.map(() => 5_000_001);
        const decoded = decodeVisibilityBin(encodeVisibilityBin(draws, draws.length), counts);
        expect(decoded).toEqual(draws.filter((draw) => draw.primitiveIds.length > 0));
      }),
    );
  });

  const encodedLength = (ids: Iterable<number>): number => {
    const primitiveIds = Uint32Array.from(ids);
    return encodeVisibilityBin([{ drawIndex: 0, primitiveIds }], 1).length;
  };
  /** Bytes of version, draw bitmap, head byte and checksum. */
  const FIXED = 1 + 1 + 1 + 2;
  const numbers = (count: number, of: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => of(i));

  it('spends a byte on a bin without primitives', () => {
    expect(encodedLength([])).toBe(1);
    expect(decodeVisibilityBin(encodeVisibilityBin([], 9), Array(9).fill(5))).toEqual([]);
  });

  it('spends nothing but the head on a wholly visible draw', () => {
    expect(encodedLength(numbers(8000, (i) => i))).toBe(FIXED + 2 + 1);
  });

  it('spends a bit on a primitive of a dense draw without runs', () => {
    // Two of three ids: gaps and runs take more bits than the bitmap's 1.5 per entry.
    const ids = numbers(6000, (i) => i + (i >> 1)).filter((_, i) => (i * 2654435761) % 7 > 1);
    const span = ids[ids.length - 1]! - ids[0]!;
    expect(encodedLength(ids)).toBe(FIXED + 2 + 1 + Math.ceil(span / 8));
  });

  it('spends a Rice code of the gap on a primitive of a sparse draw', () => {
    // Gaps of 999 with k = 9: one 1, a zero, nine bits.
    expect(encodedLength(numbers(101, (i) => i * 1000))).toBe(
      FIXED + 1 + 1 + Math.ceil((100 * 11) / 8),
    );
  });

  it('spends two codes on a run of a draw with runs', () => {
    // 50 runs of 64 entries, 936 apart: 63 with k = 6 takes 7 bits, 935 with k = 9 takes 11.
    const ids = numbers(50 * 64, (i) => (i >> 6) * 1000 + (i & 63));
    const bits = 50 * 7 + 49 * 11;
    expect(encodedLength(ids)).toBe(FIXED + 2 + 1 + 1 + Math.ceil(bits / 8));
  });

  it('never takes more than a bitmap or a list of 32-bit ids', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(100_000), { minLength: 1, maxLength: 300 }), (ids) => {
        const sorted = ids.sort((a, b) => a - b);
        const span = sorted[sorted.length - 1]! - sorted[0]!;
        const heads = FIXED + 2 + 3;
        expect(encodedLength(sorted)).toBeLessThanOrEqual(
          heads + Math.min(Math.ceil(span / 8), 4 * sorted.length),
        );
      }),
    );
  });

  it('finds every single wrong bit and every cut', () => {
    const idsByDraw = [numbers(40, (i) => i * 3), numbers(90, (i) => i), numbers(30, (i) => i * i)];
    const draws = idsByDraw.map((ids, drawIndex) => ({
      drawIndex,
      primitiveIds: Uint32Array.from(ids),
    }));
    for (const encoded of [encodeVisibilityBin(draws, 3), encodeVisibilityBin([], 3)]) {
      const decode = (bytes: Uint8Array) => () => decodeVisibilityBin(bytes, [5000, 5000, 5000]);
      expect(decode(encoded)).not.toThrow();
      for (let bit = 0; bit < encoded.length * 8; bit++) {
        const wrong = encoded.slice();
        wrong[bit >> 3]! ^= 1 << (bit & 7);
        expect(decode(wrong), `bit ${bit}`).toThrow(RenderError);
      }
      for (let length = 0; length < encoded.length; length++) {
        expect(decode(encoded.subarray(0, length)), `${length} bytes`).toThrow(RenderError);
      }
    }
  });

  it('refuses an id past the draw’s primitives, an unknown draw and an unknown version', () => {
    const encoded = encodeVisibilityBin([{ drawIndex: 1, primitiveIds: Uint32Array.of(4, 9) }], 2);
    expect(decodeVisibilityBin(encoded, [0, 10])).toHaveLength(1);
    expect(() => decodeVisibilityBin(encoded, [0, 9])).toThrow(/primitive 9 does not exist/);
    expect(() => decodeVisibilityBin(encoded, [10])).toThrow(/draw 1 does not exist/);
    encoded[0] = 99;
    expect(() => decodeVisibilityBin(encoded, [0, 10])).toThrow(/version 99/);
  });

  it('answers any bytes with draws or a RenderError, and nothing out of range', () => {
    fc.assert(
      fc.property(
        visibleDraws,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
        fc.nat(),
        (idsByDraw, mutations, cut) => {
          const draws = idsByDraw.map((primitiveIds, drawIndex) => ({ drawIndex, primitiveIds }));
          let encoded = encodeVisibilityBin(draws, draws.length);
          for (const [at, byte] of mutations) encoded[at % encoded.length] = byte;
          encoded = encoded.subarray(0, cut % (encoded.length + 1));
          // With a valid checksum, wrong bytes pass the first check.
          const counts = draws.map(() => 1000);
          for (const bytes of [encoded, withChecksum(encoded)]) {
            try {
              for (const { drawIndex, primitiveIds } of decodeVisibilityBin(bytes, counts)) {
                expect(drawIndex).toBeLessThan(counts.length);
                primitiveIds.forEach((id, i) => {
                  expect(id).toBeLessThan(1000);
                  if (i > 0) expect(id).toBeGreaterThan(primitiveIds[i - 1]!);
                });
              }
            } catch (error) {
              expect(error).toBeInstanceOf(RenderError);
            }
          }
        },
      ),
      { numRuns: 1500 },
    );
  });
});

/** Returns the bytes followed by their CRC-16/CCITT-FALSE, computed bit by bit. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const top = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) & 0xffff) ^ (top * 0x1021);
    }
  }
  return Uint8Array.of(...bytes, crc & 0xff, crc >> 8);
}
