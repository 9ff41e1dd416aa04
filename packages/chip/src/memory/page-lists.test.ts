import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordRing } from '../records/record-ring.ts';
import { PageLists } from './page-lists.ts';

const PAGE_LINES = 16;
/** Objects of 3, 1 and 40 pages from page 10 on. */
const HEADS = [20, 26, 28, 109];

function makeLists(cyclesPerEntry: number): PageLists {
  const heads = new RecordRing(1, 64);
  for (const page of HEADS) heads.words[heads.append()] = page;
  const lists = new PageLists(heads, cyclesPerEntry);
  lists.reset();
  return lists;
}

describe('PageLists', () => {
  it('reads an entry for each page that it passes, and the index block first', () => {
    const lists = makeLists(2);
    const entriesTo = (page: number): number => {
      const before = lists.entriesRead;
      lists.reach(page * PAGE_LINES + 5, 0);
      return lists.entriesRead - before;
    };
    expect([14, 14, 16, 30, 29].map(entriesTo)).toEqual([1, 0, 2, 14, 16]);
    // Another object has its own place.
    expect([12, 29, 11, 13].map(entriesTo)).toEqual([3, 0, 2, 1]);
    expect(lists.walks).toBe(7);
  });

  it('walks one list after another', () => {
    const lists = makeLists(3);
    expect(lists.reach(12 * PAGE_LINES, 100)).toBe(109);
    expect(lists.reach(15 * PAGE_LINES, 101)).toBe(115);
    expect(lists.reach(15 * PAGE_LINES, 102)).toBe(102);
    expect(lists.reach(16 * PAGE_LINES, 200)).toBe(203);
  });

  it('has no lists for other lines', () => {
    const lists = makeLists(1);
    const outside = fc.oneof(fc.nat(10 * PAGE_LINES - 1), fc.integer({ min: 54 * PAGE_LINES }));
    fc.assert(
      fc.property(outside, fc.nat(1000), (line, cycle) => {
        expect(lists.reach(line, cycle)).toBe(cycle);
      }),
    );
    expect(lists.entriesRead).toBe(0);
  });
});
