import { MemorySystem, Schedule } from '@tessera/chip/parts';
import { MEMORY_CLIENT, RecordRing } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timingSpecOf } from './timing-spec-words.ts';

const PAGE_LINES = 64;

/**
 * Makes a memory system with two ports. Returns a function that clocks it until both are served.
 */
function makeMemory(tlbEntries: number, tlbWays: number, pageTableLevels: number) {
  const spec = defineChipletSpec({
    tlbEntries,
    tlbWays,
    pageTableLevels,
    pageBytes: 64 * PAGE_LINES,
    pageWalks: 2,
    memoryBurstLines: 1,
  });
  const schedule = new Schedule(5);
  const ids = { dramId: 0, l2Id: 1, walkerId: 2 };
  const memory = new MemorySystem({
    spec: timingSpecOf(spec),
    schedule,
    heads: new RecordRing(1, 64),
    outbox: new RecordRing(1, 2),
    replies: new RecordRing(1, 2),
    ...ids,
  });
  memory.walker.tableLine = 100_000;
  const ports = [3, 4].map((module) => memory.connect(MEMORY_CLIENT.texture, module, 1));
  let cycle = 0;
  const read = (lines: readonly number[]): number => {
    const from = cycle;
    const tickets = ports.map((port) => port.open(cycle));
    for (const [i, line] of lines.entries()) ports[i]!.read(tickets[i]!, line, cycle);
    const isServed = () =>
      ports.every((port, i) => port.isEmpty && port.isDone(tickets[i]!, cycle));
    do {
      cycle++;
      memory.dram.clock(cycle);
      memory.l2.clock(cycle);
      memory.walker.clock(cycle);
    } while (!isServed() && cycle < from + 20_000);
    for (const [i, port] of ports.entries()) port.close(tickets[i]!);
    return cycle - from;
  };
  return { memory, read };
}

describe('page walker', () => {
  it('holds the translations that lists in the order of their last use hold', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 8),
        fc.constantFrom(1, 2, 4),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.nat(2000), { maxLength: 60 }),
        (sets, ways, levels, lines) => {
          const { memory, read } = makeMemory(sets * ways, ways, levels);
          const lists: number[][] = Array.from({ length: sets }, () => []);
          const count = { hits: 0, misses: 0 };
          for (const line of lines) {
            const page = Math.floor(line / PAGE_LINES);
            const list = lists[page % sets]!;
            const others = list.filter((other) => other !== page);
            count[others.length < list.length ? 'hits' : 'misses']++;
            lists[page % sets] = [page, ...others].slice(0, ways);
            read([line]);
            const { hits, misses } = memory.walker.translations;
            expect({ hits, misses }).toEqual(count);
          }
          expect(memory.walker.walkCount).toBe(count.misses);
          expect(memory.walker.port!.linesRead).toBe(levels * count.misses);
        },
      ),
      { numRuns: 60, seed: 61 },
    );
  });

  it('walks once for a page that two clients miss, and at the same time for two pages', () => {
    const same = makeMemory(4, 4, 3);
    same.read([0, 1]);
    expect(same.memory.walker.walkCount).toBe(1);
    expect(same.memory.walker.port!.linesRead).toBe(3);
    const one = makeMemory(4, 4, 3).read([0]);
    const both = makeMemory(4, 4, 3).read([0, 8 * PAGE_LINES]);
    expect(both).toBeLessThan(1.3 * one);
  });

  it('takes longer with each level', () => {
    const cycles = [1, 2, 3, 4].map((levels) => makeMemory(4, 4, levels).read([0]));
    expect(cycles.toSorted((a, b) => a - b)).toEqual(cycles);
    const steps = cycles.slice(1).map((each, i) => each - cycles[i]!);
    expect(Math.min(...steps)).toBeGreaterThan(50);
  });
});
