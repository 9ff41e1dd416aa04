import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunPlan } from '../records/run-plan.generated.ts';
import { packWords, SHARED_MEMORY_WORDS, type WordValues } from '../table/words.ts';
import { LineHomes } from './line-homes.ts';
import { AWAITED_HOME, PageHomes, UNKNOWN_HOME } from './page-homes.ts';

/** Address space: textures in lines 100 to 499, the user area in lines 600 to 999. */
const SPACE_LINES = 1024;
const PAGE_LINES = 4;

function makeHomes(
  placement: Pick<WordValues<typeof SHARED_MEMORY_WORDS>, 'textures' | 'buffers' | 'streams'>,
  chiplet = 1,
) {
  const homes = new LineHomes(64 * PAGE_LINES);
  homes.begin(
    packWords(SHARED_MEMORY_WORDS, {
      ...{ chiplet, chipletCount: 3, spaceCount: 2, spaceLines: SPACE_LINES },
      ...{ texturesLine: 100, texturesEndLine: 500, userLine: 600, userEndLine: 1000 },
      ...placement,
    }),
  );
  for (const space of [0, 1]) {
    const plan = new RunPlan();
    plan.buffersEndLine = space * SPACE_LINES + 700 + 10 * space;
    plan.streamsLine = space * SPACE_LINES + 800;
    homes.open(plan);
  }
  return homes;
}

describe('homes of lines', () => {
  it('are those of the class of the address, in each address space', () => {
    const homes = makeHomes({ textures: 'home', buffers: 'interleaved', streams: 'home' }, 1);
    const own = 1;
    for (const space of [0, SPACE_LINES]) {
      expect([99, 100, 499, 500].map((line) => homes.homeOf(space + line))).toEqual([
        own,
        0,
        0,
        own,
      ]);
      // Display lists are between buffers and streams.
      const end = space === 0 ? 700 : 710;
      const page = Math.floor((space + end - 1) / PAGE_LINES);
      expect(homes.homeOf(space + end - 1)).toBe(page % 3);
      expect([end, 799, 800, 999, 1000].map((line) => homes.homeOf(space + line))).toEqual([
        own,
        own,
        0,
        0,
        own,
      ]);
    }
    // The page table is above all address spaces.
    expect(homes.homeOf(2 * SPACE_LINES + 200)).toBe(own);
  });

  it('are those of the first access, which the directory of the page decides', () => {
    const homes = makeHomes({ textures: 'first-touch', buffers: 'home', streams: 'home' }, 1);
    const lineOf = (page: number) => page * PAGE_LINES;
    // Page 31 is of the directory of chiplet 1, page 32 of chiplet 2.
    expect(homes.homeOf(lineOf(31))).toBe(1);
    expect(homes.decide(31, 2)).toBe(1);
    expect(homes.decide(34, 2)).toBe(2);
    expect(homes.homeOf(lineOf(34) + 3)).toBe(2);
    expect(homes.homeOf(lineOf(32))).toBe(UNKNOWN_HOME);
    homes.await(32);
    expect(homes.homeOf(lineOf(32))).toBe(AWAITED_HOME);
    homes.dropLines(0, SPACE_LINES);
    expect(homes.homeOf(lineOf(34))).toBe(1);
    expect(homes.homeOf(lineOf(32))).toBe(UNKNOWN_HOME);
  });

  it('refuse more address spaces than there are limits for', () => {
    expect(() =>
      new LineHomes(64).begin(
        packWords(SHARED_MEMORY_WORDS, {
          ...{ chiplet: 0, chipletCount: 2, spaceCount: 65, spaceLines: 64 },
          ...{ texturesLine: 0, texturesEndLine: 1, userLine: 2, userEndLine: 3 },
          ...{ textures: 'home', buffers: 'home', streams: 'home' },
        }),
      ),
    ).toThrow(/more than 64 address spaces/);
  });
});

describe('homes of pages', () => {
  it('are those of a map', () => {
    const step = fc.record({
      kind: fc.constantFrom('set', 'set', 'set', 'drop'),
      page: fc.nat(3000),
      home: fc.integer({ min: -2, max: 63 }).filter((home) => home !== UNKNOWN_HOME),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 500, maxLength: 3000 }), (steps) => {
        const homes = new PageHomes();
        const model = new Map<number, number>();
        for (const { kind, page, home } of steps) {
          if (kind === 'drop' && page % 50 === 0) {
            homes.drop(page, page + 200);
            for (let each = page; each < page + 200; each++) model.delete(each);
          } else {
            homes.set(page, home);
            model.set(page, home);
          }
        }
        for (let page = 0; page <= 3000; page++) {
          expect(homes.homeOf(page)).toBe(model.get(page) ?? UNKNOWN_HOME);
        }
      }),
      { numRuns: 30, seed: 9 },
    );
  });
});
