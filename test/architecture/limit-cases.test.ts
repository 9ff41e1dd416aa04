/**
 * `npm run limits` covers every route: a new route needs a case with its worst permitted input, and
 * a measured row within the bounds.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../packages/client/src/generated.ts';
import {
  isWithin,
  type LimitRow,
  MOST_BYTES,
  MOST_LIVE_MS,
  mergeRows,
  pageWith,
  readResults,
  tableOf,
} from '../../scripts/limits/limit-results.ts';
import { ROUTE_CASES } from '../../scripts/limits/route-cases.ts';
import { PREPARATION } from '../../scripts/limits/run-limits.ts';

/** Results of the last full run. */
const results = readResults()!;
const ROW: LimitRow = {
  route: 'isLive',
  input: 'at once',
  seconds: 1,
  liveMs: MOST_LIVE_MS,
  liveWallMs: 2 * MOST_LIVE_MS,
  largestBytes: MOST_BYTES,
  prepareCpuSeconds: 0,
  chipletCpuSeconds: 0,
  load: 1,
};

describe('npm run limits', () => {
  it('has a case for every route of the OpenAPI document', () => {
    expect(Object.keys(ROUTE_CASES).sort()).toEqual(Object.keys(OPERATIONS).sort());
    for (const cases of Object.values(ROUTE_CASES)) expect(cases.length).toBeGreaterThan(0);
  });

  it('has a measured row within the bounds for every case', () => {
    const { rows } = results;
    const wanted = Object.entries(ROUTE_CASES).flatMap(([route, cases]) =>
      cases.map(({ input }) => ({ route, input })),
    );
    const measured = rows.filter(({ route }) => route !== PREPARATION);
    expect(measured.map(({ route, input }) => ({ route, input })).sort(byInput)).toEqual(
      wanted.sort(byInput),
    );
    for (const row of rows) {
      expect(isWithin(row), JSON.stringify(row)).toBe(true);
      expect(row.largestBytes, row.route).toBeGreaterThan(0);
    }
    // Work that chiplets and threads must do for a frame costs something.
    const again = rows.find(({ input }) => input.includes('256 coupled chiplets'))!;
    expect(again.prepareCpuSeconds).toBeGreaterThan(0);
    expect(again.chipletCpuSeconds).toBeGreaterThan(0);
  });

  it('has its table in docs/test-runs.md', () => {
    const page = new URL('../../docs/test-runs.md', import.meta.url);
    expect(readFileSync(page, 'utf8')).toBe(pageWith(results));
  });

  it('finds a row beyond a bound', () => {
    expect(isWithin(ROW)).toBe(true);
    expect(isWithin({ ...ROW, liveMs: MOST_LIVE_MS + 1 })).toBe(false);
    expect(isWithin({ ...ROW, largestBytes: MOST_BYTES + 1 })).toBe(false);
  });

  it('makes a line of the table for each row', () => {
    const rows = [ROW, { ...ROW, input: 'large', largestBytes: 2 ** 31 }];
    const table = tableOf({ node: 'v26', cores: 2, workers: 2, rows }).split('\n');
    expect(table.slice(2)).toEqual([
      '| `isLive` | at once | 1.0 | 1000 | 2000 | 954 | 0.0 | 0.0 | 1.0 |',
      '| `isLive` | large | 1.0 | 1000 | 2000 | 2048 | 0.0 | 0.0 | 1.0 |',
    ]);
  });

  it('replaces rows that are measured again, where they are', () => {
    const other = { ...ROW, input: 'other' };
    const again = { ...ROW, seconds: 2 };
    expect(mergeRows([ROW, other], [again])).toEqual([again, other]);
    expect(mergeRows([ROW], [other])).toEqual([ROW, other]);
  });
});

type Input = Pick<LimitRow, 'route' | 'input'>;

function byInput(a: Input, b: Input): number {
  const [first, second] = [a, b].map(({ route, input }) => `${route} ${input}`);
  return first! < second! ? -1 : 1;
}
