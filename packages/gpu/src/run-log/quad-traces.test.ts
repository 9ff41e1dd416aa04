import { END_OF_TRACE, TRACE } from '@tessera/chip/records';
import { defineChipletSpec } from '@tessera/chiplet-spec';
import {
  EXECUTION_LOG,
  type IssueCost,
  type LogSites,
  NO_COST,
  QUAD_RECORD,
  SAMPLE_MASK_SHIFT,
} from '@tessera/shader/codegen';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChipletMemory } from '../memory/chiplet-memory.ts';
import { wordOfLineZero } from '../texture/layout/line-table.ts';
import { BinLog } from './bin-log.ts';
import { QuadTraces } from './quad-traces.ts';
import type { TextureLines } from './texture-lines.ts';

const memory = new ChipletMemory(
  defineChipletSpec({ maxBinPixels: 2 ** 14, texturePoolBytes: 2 ** 23 }),
);
const GROUP_BYTES = 16;
const WARP_QUADS = 8;
const TEXTURE_LINES: TextureLines = {
  words: memory.i32,
  lineZero: wordOfLineZero(memory.lineTable),
  firstLines: Int32Array.of(1000, 7, 123_456),
};
const FIRST_POOL_LINE = memory.texturePoolPtr / 64;

// A line of the pool has the same number in memory, except for pairs of lines that share one.
const STORED_LINES = Int32Array.from({ length: memory.texturePoolBytes / 64 }, (_, line) =>
  line % 64 === 33 ? line - 1 : line,
);
memory.i32.set(STORED_LINES, memory.lineTable.ptr / 4);
memory.i32[memory.lineTable.ptr / 4 - 1] = -1;

/** Returns the cost of instructions that issue for two cycles and stall in every third. */
function costOf(instructions: number): IssueCost {
  const stallCycles = Math.floor(instructions / 3);
  return { instructions, issueCycles: 2 * instructions, stallCycles };
}

/**
 * Returns a program of lookups, the n-th after 10 n + 3 instructions. Sites of `sections` are
 * sections of 20 n + 1 instructions instead.
 */
function programOf(siteCount: number, sections: readonly number[] = []): LogSites {
  return {
    sites: Array.from({ length: siteCount }, (_, site) => {
      const isSection = sections.includes(site);
      return {
        kind: isSection ? ('section' as const) : ('lookup' as const),
        slot: isSection ? -1 : site % TEXTURE_LINES.firstLines.length,
        loops: [],
        costs: [costOf(10 * site + 3)],
        roundCost: isSection ? costOf(20 * site + 1) : NO_COST,
        lookupsInFlight: isSection ? 0 : site % 3,
      };
    }),
    cost: costOf(10 * siteCount + 1),
  };
}

interface Lookup {
  readonly site: number;
  readonly lanes: number;
  readonly reads: number;
  /** Vectors of lines, counted from the start of the pool, −1 for a lane that reads none. */
  readonly lines: readonly (readonly number[])[];
}

/** Returns the line of memory of a line of the pool. */
function inPool(line: number): number {
  return line === -1 ? -1 : FIRST_POOL_LINE + line;
}

/** Writes the records of quads, in order or with their second half first. */
function writeLog(quads: readonly (readonly Lookup[])[], isInterleaved = false): void {
  const { i32, executionLogPtr, quadsPtr } = memory;
  let at = (executionLogPtr + EXECUTION_LOG.records) >> 2;
  const half = quads.length >> 1;
  for (let i = 0; i < quads.length; i++) {
    const quad = isInterleaved ? (i + half) % quads.length : i;
    for (const { site, lanes, reads, lines } of quads[quad]!) {
      const bytes = 20 + 16 * lines.length;
      i32.set(
        [site, quadsPtr + GROUP_BYTES * quad, lanes, bytes, reads, ...lines.flat().map(inPool)],
        at,
      );
      at += bytes >> 2;
    }
  }
  i32[(executionLogPtr + EXECUTION_LOG.cursor) >> 2] = 4 * at;
}

/** Returns the traces of the quads in the log, of two calls in order. */
function form(quadCount: number, program: LogSites, isNaive: boolean) {
  const log = new BinLog();
  const traces = new QuadTraces(memory, log, WARP_QUADS, isNaive);
  for (let call = 0; call < 2; call++) {
    traces.add(memory.quadsPtr, GROUP_BYTES, quadCount, program, TEXTURE_LINES);
  }
  const { fragmentTraces, fragmentTraceWords } = log;
  return {
    starts: [...fragmentTraces.words.subarray(0, fragmentTraces.end)],
    words: [...fragmentTraceWords.words.subarray(0, fragmentTraceWords.end)],
    lookups: traces.lookups,
    lines: traces.lines,
  };
}

const SITES = 4;
/** Lines near each other, a few that share a slot in the table of lines, and none. */
const line = fc.oneof(
  fc.constant(-1),
  fc.integer({ min: 500, max: 520 }),
  fc.integer({ min: 0, max: 3 }).map((n) => 4097 * n),
);
const lookup = fc.record({
  lanes: fc.constantFrom(15, 15, 6, 0),
  reads: fc.integer({ min: 0, max: 33 }),
  lines: fc.array(fc.array(line, { minLength: 4, maxLength: 4 }), { maxLength: 5 }),
});
const quad = fc
  .array(fc.option(lookup), { minLength: SITES, maxLength: SITES })
  .map((lookups): Lookup[] =>
    lookups.flatMap((made, site) => (made === null ? [] : [{ site, ...made }])),
  );
const quads = fc.array(quad, { minLength: 1, maxLength: 21 });

describe('quad traces', () => {
  it.each([false, true])(
    'are the same with the kernel and without (interleaved: %s)',
    (isInterleaved) => {
      fc.assert(
        fc.property(quads, fc.subarray([0, 1, 2, 3]), (list, sections) => {
          writeLog(list, isInterleaved);
          const program = programOf(SITES, sections);
          expect(form(list.length, program, false)).toEqual(form(list.length, program, true));
        }),
        { numRuns: 150, seed: 31 },
      );
    },
  );

  it('go on where there was no more room', () => {
    // 2,000 quads of 40 lines each, more than the kernel writes in one call.
    const list = Array.from({ length: 2000 }, (_, quad): Lookup[] => [
      {
        site: 0,
        lanes: 15,
        reads: 40,
        lines: Array.from({ length: 10 }, (_, vector) =>
          [0, 1, 2, 3].map((lane) => 40 * quad + 4 * vector + lane),
        ),
      },
    ]);
    writeLog(list);
    const formed = form(list.length, programOf(1), false);
    const shared = STORED_LINES.slice(0, 80_000).filter((line, pool) => line !== pool).length;
    expect(formed.lines).toBe(2 * (80_000 - shared));
    expect(formed).toEqual(form(list.length, programOf(1), true));
  });

  it('name a line once for a lookup', () => {
    const lines = [
      [5, 5, 6, -1],
      [6, 7, 5, 5],
    ];
    writeLog([[{ site: 0, lanes: 15, reads: 2, lines }]]);
    const { words } = form(1, programOf(1), false);
    expect(words.slice(0, 12)).toEqual([3, 6, 1, 0, 1, 3, 1005, 1006, 1007, 8, 16, 2]);
  });
});

/** Words of the clauses of the only trace. */
function clausesOf({ words, end }: { readonly words: Int32Array; readonly end: number }) {
  const clauses: number[][] = [];
  for (let at = 0; at < end; ) {
    const isLast = words[at + TRACE.passes] === END_OF_TRACE;
    const size = isLast ? TRACE.passes + 1 : TRACE.lines + words[at + TRACE.lineCount]!;
    clauses.push([...words.subarray(at, at + size)]);
    at += size;
  }
  return clauses;
}

/** Sets which quads have a lane in a round. */
function setCovered(isCovered: readonly boolean[]): void {
  for (const [quad, covered] of isCovered.entries()) {
    const mask = covered ? 15 << SAMPLE_MASK_SHIFT : 0;
    memory.i32[(memory.quadsPtr + GROUP_BYTES * quad + QUAD_RECORD.mask) >> 2] = mask;
  }
}

describe('traces of warps with a round for each sample', () => {
  const warp = fc.array(quad, { minLength: 1, maxLength: WARP_QUADS });
  const covered = fc.array(fc.boolean(), { minLength: WARP_QUADS, maxLength: WARP_QUADS });
  const round = fc.record({ list: warp, isCovered: covered });

  it('are those of the rounds of covered quads, one after another', () => {
    fc.assert(
      fc.property(
        fc.array(round, { minLength: 1, maxLength: 4 }),
        fc.subarray([0, 1, 2, 3]),
        (rounds, sections) => {
          const program = programOf(SITES, sections);
          const expected: number[][] = [];
          let lookups = 0;
          for (const { list, isCovered } of rounds) {
            writeLog(list.map((lookups, quad) => (isCovered[quad] ? lookups : [])));
            const alone = new BinLog();
            const traces = new QuadTraces(memory, alone, WARP_QUADS);
            traces.add(memory.quadsPtr, GROUP_BYTES, list.length, program, TEXTURE_LINES);
            lookups += traces.lookups;
            const [first, ...rest] = clausesOf(alone.fragmentTraceWords);
            const before = expected.pop() ?? [0, 0, 0];
            const joined = [0, 1, 2].map((part) => before[part]! + first![part]!);
            expected.push([...joined, ...first!.slice(3)], ...rest);
          }
          const log = new BinLog();
          const traces = new QuadTraces(memory, log, WARP_QUADS);
          for (const [number, { list, isCovered }] of rounds.entries()) {
            writeLog(list);
            setCovered(isCovered);
            const isLast = number === rounds.length - 1;
            const { quadsPtr } = memory;
            const { length } = list;
            traces.add(quadsPtr, GROUP_BYTES, length, program, TEXTURE_LINES, null, { isLast });
          }
          expect(clausesOf(log.fragmentTraceWords)).toEqual(expected);
          expect(log.fragmentTraces.end).toBe(1);
          expect(traces.lookups).toBe(lookups);
        },
      ),
      { numRuns: 150, seed: 25 },
    );
  });
});
