import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_BYTES } from '../records/memory-line.ts';
import { LineCache } from './line-cache.ts';

describe('cache of lines', () => {
  it('hits and misses as lists in the order of their last use do', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 4, 16),
        fc.constantFrom(1, 2, 8, 128),
        fc.constantFrom(8, 40, 3000, 0x3ff_ffff),
        fc.infiniteStream(fc.nat()),
        (ways, sets, lineCount, numbers) => {
          const cache = new LineCache(ways * sets * LINE_BYTES, ways);
          for (let run = 0; run < 2; run++) {
            const lists: number[][] = Array.from({ length: sets }, () => []);
            for (let i = 0; i < 400; i++) {
              const line = numbers.next().value! % lineCount;
              const set = (line ^ (line >>> 7)) & (sets - 1);
              const others = lists[set]!.filter((other) => other !== line);
              const isHit = others.length < lists[set]!.length;
              expect(cache.access(line)).toBe(isHit);
              lists[set] = [line, ...others].slice(0, ways);
            }
            cache.reset();
          }
        },
      ),
      { numRuns: 200, seed: 19 },
    );
  });
});
