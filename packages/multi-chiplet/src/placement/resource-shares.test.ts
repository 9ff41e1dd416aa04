import { describe, expect, it } from 'vitest';
import { parsePlacement } from './parse-placement.ts';
import { shareOf, takeShare, WHOLE } from './resource-shares.ts';

describe('shares of resources', () => {
  it('are the whole, a part or nothing, by placement', () => {
    const placement = parsePlacement('textures=interleaved,buffers=home');
    expect(shareOf('textures', placement, 2, 5)).toEqual({ part: 2, parts: 5 });
    expect(shareOf('buffers', placement, 0, 5)).toBe(WHOLE);
    expect(shareOf('buffers', placement, 1, 5)).toBeNull();
    expect(shareOf('programs', parsePlacement('home'), 4, 5)).toBe(WHOLE);
    expect(shareOf('textures', parsePlacement('replicated'), 4, 5)).toBe(WHOLE);
  });

  it('add up, and differ by at most one', () => {
    for (const count of [0, 1, 5, 64, 999_983]) {
      for (const parts of [1, 2, 3, 7, 16]) {
        const shares = Array.from({ length: parts }, (_, part) =>
          takeShare(count, { part, parts }),
        );
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }
    }
  });
});
