import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RenderError } from './errors.ts';
import { decodeVisibilityBin, encodeVisibilityBin, type VisibleDraw } from './visibility-stream.ts';

/** Draws with ascending primitives: some dense (bitmap is smaller), some sparse (gaps are). */
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
  it('gives back what was encoded', () => {
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

  it('spends one bit on a primitive of a wholly visible draw', () => {
    const primitiveIds = Uint32Array.from({ length: 8000 }, (_, i) => i);
    const encoded = encodeVisibilityBin([{ drawIndex: 0, primitiveIds }], 1);
    // version, draw bitmap, form, entry count (2), payload length (2), first id, 1000 bytes of bitmap
    expect(encoded.length).toBe(1 + 1 + 1 + 2 + 2 + 1 + 1000);
  });

  it('spends a varint of the gap on a primitive of a sparse draw', () => {
    const primitiveIds = Uint32Array.from({ length: 100 }, (_, i) => i * 1000);
    const encoded = encodeVisibilityBin([{ drawIndex: 0, primitiveIds }], 1);
    expect(encoded.length).toBe(1 + 1 + 1 + 1 + 2 + 1 + 99 * 2);
  });

  it('refuses an id past the draw’s primitives, an unknown draw and an unknown version', () => {
    const encoded = encodeVisibilityBin([{ drawIndex: 1, primitiveIds: Uint32Array.of(4, 9) }], 2);
    expect(decodeVisibilityBin(encoded, [0, 10])).toHaveLength(1);
    expect(() => decodeVisibilityBin(encoded, [0, 9])).toThrow(/primitive 9 of 9/);
    expect(() => decodeVisibilityBin(encoded, [10])).toThrow(/draw 1 does not exist/);
    encoded[0] = 99;
    expect(() => decodeVisibilityBin(encoded, [0, 10])).toThrow(/version 99/);
  });

  it('answers any bytes with draws or a RenderError, and nothing out of range', () => {
    fc.assert(
      fc.property(
        visibleDraws,
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (idsByDraw, mutations, cut) => {
          const draws = idsByDraw.map((primitiveIds, drawIndex) => ({ drawIndex, primitiveIds }));
          const encoded = encodeVisibilityBin(draws, draws.length);
          for (const [at, byte] of mutations) encoded[at % encoded.length] = byte;
          const counts = draws.map(() => 1000);
          try {
            for (const { drawIndex, primitiveIds } of decodeVisibilityBin(
              encoded.subarray(0, cut % (encoded.length + 1)),
              counts,
            )) {
              expect(drawIndex).toBeLessThan(counts.length);
              for (const id of primitiveIds) expect(id).toBeLessThan(1000);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(RenderError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
