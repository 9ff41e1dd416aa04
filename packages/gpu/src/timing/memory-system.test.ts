import { MemorySystem, Schedule } from '@tessera/chip/parts';
import { MEMORY_CLIENT, RecordRing } from '@tessera/chip/records';
import { chipletPreset, defineChipletSpec } from '@tessera/chiplet-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryLoad, measureMemory } from './measure-memory.ts';
import { timingSpecOf } from './timing-spec-words.ts';

const HMGPU = chipletPreset('hmgpu');
/** Each burst is a page in another row. */
const PAGE_LINES = 16;
const PAGES: MemoryLoad = {
  client: 'texture',
  burstLines: PAGE_LINES,
  bursts: 2000,
  isWrite: false,
  firstLine: 0,
  strideLines: 33 * PAGE_LINES,
};

describe('memory system', () => {
  it('gives 2,021.2 MB/s within 1 % on hmgpu at bursts of a page', () => {
    const { bytesPerSecond, peakBytesPerSecond } = measureMemory(HMGPU, [PAGES]);
    expect(peakBytesPerSecond).toBe(2_672_000_000);
    expect(Math.abs(bytesPerSecond / 2_021_200_000 - 1)).toBeLessThan(0.01);
  });

  it('fills 289.98 Mpixel/s within 1 % on hmgpu: 3 bytes of color and 4 of depth a pixel', () => {
    const { bytesPerSecond } = measureMemory(HMGPU, [
      { ...PAGES, client: 'color', bursts: 900, isWrite: true },
      { ...PAGES, client: 'depth', bursts: 1200, isWrite: true, firstLine: 2 ** 23 },
    ]);
    expect(Math.abs(bytesPerSecond / 7 / 289_980_000 - 1)).toBeLessThan(0.01);
  });

  it('gives more with longer bursts, never more than the bus', () => {
    let before = 0;
    for (const burstLines of [1, 2, 4, 8, 16, 32]) {
      const { bytesPerSecond, peakBytesPerSecond } = measureMemory(HMGPU, [
        { ...PAGES, burstLines, bursts: 500, strideLines: 33 * 32 },
      ]);
      expect(bytesPerSecond).toBeGreaterThan(before);
      expect(bytesPerSecond).toBeLessThan(peakBytesPerSecond);
      before = bytesPerSecond;
    }
  });

  it('scales with channels where bursts overlap, up to nearly the peak', () => {
    const loads = Array.from({ length: 4 }, (_, i) => ({
      ...PAGES,
      firstLine: i * 1_000_128,
      strideLines: PAGE_LINES,
    }));
    const on = (dramChannels: number) =>
      measureMemory(
        defineChipletSpec({ dramChannels, l2LinesPerCycle: 4, l2MissEntries: 256 }),
        loads,
      );
    const [one, two] = [on(1), on(2)];
    expect(one.bytesPerSecond).toBeGreaterThan(0.85 * one.peakBytesPerSecond);
    expect(two.bytesPerSecond / one.bytesPerSecond).toBeGreaterThan(1.7);
  });

  it('finds in its second-level cache what a naive cache of the same shape finds', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 4),
        fc.constantFrom(1, 2, 4),
        fc.array(fc.record({ line: fc.nat(300), isWrite: fc.boolean() }), { maxLength: 150 }),
        (l2CacheWays, l2Slices, accesses) => {
          const caches = { l2CacheBytes: 4096, l2CacheWays, l2Slices };
          const spec = defineChipletSpec({ ...caches, memoryBurstLines: 1 });
          const schedule = new Schedule(4);
          const memory = new MemorySystem({
            heads: new RecordRing(1, 64),
            outbox: new RecordRing(1, 2),
            replies: new RecordRing(1, 2),
            spec: timingSpecOf(spec),
            schedule,
            dramId: 0,
            l2Id: 1,
            walkerId: 3,
          });
          const port = memory.connect(MEMORY_CLIENT.texture, 2, 1);
          // Model: per set, its lines in order of use.
          const sets = 64 / l2CacheWays;
          const model: number[][] = Array.from({ length: sets }, () => []);
          const dirty = new Set<number>();
          let [hits, misses, writtenBack] = [0, 0, 0];
          let cycle = 0;
          for (const { line, isWrite } of accesses) {
            // Pieces of four lines are in turn in the slices.
            const piece = line >>> 2;
            const slice = (piece ^ (piece >>> 5)) & (l2Slices - 1);
            const place = 4 * Math.floor(piece / l2Slices) + (line & 3);
            const setsPerSlice = sets / l2Slices;
            const set = model[slice * setsPerSlice + (place & (setsPerSlice - 1))]!;
            const at = set.indexOf(line);
            if (at >= 0) set.splice(at, 1);
            if (!isWrite && at >= 0) hits++;
            if (!isWrite && at < 0) misses++;
            if (at < 0 && set.length === l2CacheWays) {
              const victim = set.shift()!;
              if (dirty.delete(victim)) writtenBack++;
            }
            set.push(line);
            if (isWrite) dirty.add(line);
            // One access at a time.
            const ticket = port.open(cycle);
            if (isWrite) port.write(line, cycle);
            else port.read(ticket, line, cycle);
            const limit = cycle + 10_000;
            do {
              cycle++;
              memory.dram.clock(cycle);
              memory.l2.clock(cycle);
            } while (cycle < limit && !(port.isEmpty && port.isDone(ticket, cycle)));
            port.close(ticket);
            expect([memory.l2.hits, memory.l2.misses, memory.l2.writtenBack]).toEqual([
              hits,
              misses,
              writtenBack,
            ]);
          }
        },
      ),
      { numRuns: 100, seed: 56 },
    );
  });
});
