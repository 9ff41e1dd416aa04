import { BlockCache, MemorySystem, Schedule } from '@tessera/chip/parts';
import { MEMORY_CLIENT, RecordRing } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timingSpecOf } from './timing-spec-words.ts';

describe('cache of whole blocks', () => {
  it('holds the blocks that a list in the order of their last use has room for', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(
        sizes,
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(7), { maxLength: 60 }),
        (lineCounts, capacityLines, keys) => {
          const spec = timingSpecOf(defineChipletSpec());
          const schedule = new Schedule(4);
          const memory = new MemorySystem({
            spec,
            schedule,
            dramId: 0,
            l2Id: 1,
            walkerId: 2,
            heads: new RecordRing(1, 64),
            outbox: new RecordRing(1, 2),
            replies: new RecordRing(1, 2),
          });
          const port = memory.connect(MEMORY_CLIENT.constant, 3, 1);
          const cache = new BlockCache(port, 64 * capacityLines);
          let list: number[] = [];
          let [lines, cycle] = [0, 0];
          for (const key of keys) {
            const isHeld = list.includes(key);
            expect(cache.has(key)).toBe(isHeld);
            list = [key, ...list.filter((other) => other !== key)];
            if (isHeld) continue;
            while (!cache.advance(key, 100 * key, lineCounts[key]!, cycle) && cycle < 1e6) {
              cycle++;
              memory.dram.clock(cycle);
              memory.l2.clock(cycle);
            }
            cycle++;
            lines += lineCounts[key]!;
            expect(port.linesRead).toBe(lines);
            // The last blocks leave until the others fit, or the new one is alone.
            const usedLines = () => list.reduce((sum, each) => sum + lineCounts[each]!, 0);
            while (list.length > 1 && usedLines() > capacityLines) list.pop();
          }
        },
      ),
      { numRuns: 100, seed: 62 },
    );
  });
});
