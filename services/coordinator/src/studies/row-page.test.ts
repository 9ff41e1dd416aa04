import type { StudyRequest } from '@tessera/study';
import { describe, expect, it } from 'vitest';
import { type PointRows, readRowPage } from './row-page.ts';

/** Ten points of six rows: two policies on three numbers of chiplets. */
const REQUEST = {
  kinds: ['capture'],
  specs: [null],
  sweep: {},
  bins: [8],
  grids: [],
  splits: [],
  visibility: ['minimal'],
  occlusion: [],
  organizations: [],
  visibilityChiplets: [],
  visibilityDelivery: [],
  sizes: [],
  frameIndices: Array.from({ length: 10 }, (_, i) => i),
  chiplets: [1, 2, 4],
  policies: ['static', 'dynamic'],
  linkTopologies: ['bus'],
  linkBytesPerCycle: [64],
  linkLatencyCycles: [8],
  placements: ['replicated'],
  overlaps: ['none'],
} as unknown as StudyRequest;

const rowsOf = (position: number) =>
  Array.from({ length: 6 }, (_, i) => ({ cycles: position * 6 + i }));

/** Reads points, of which those in `missing` are not finished. */
function reader(missing: readonly number[] = []) {
  const asked: [first: number, end: number][] = [];
  const read = (first: number, end: number): PointRows[] => {
    asked.push([first, end]);
    return Array.from({ length: end - first }, (_, i) => first + i)
      .filter((position) => !missing.includes(position))
      .map((position) => ({ position, rows: rowsOf(position) }));
  };
  return { asked, read };
}

describe('readRowPage', () => {
  it.each([
    [0, 6, [0, 1]],
    [4, 4, [0, 2]],
    [13, 3, [2, 3]],
    [54, 100, [9, 10]],
  ])('reads only the points of a page from %d of %d rows', async (from, limit, points) => {
    const { asked, read } = reader();
    const page = await readRowPage(REQUEST, { from, limit }, read);
    expect(asked).toEqual([points]);
    expect(page.total).toBe(60);
    const end = Math.min(from + limit, 60);
    expect(page.next).toBe(end < 60 ? end : null);
    const numbers = Array.from({ length: end - from }, (_, i) => from + i);
    expect(page.rows).toEqual(numbers.map((number) => ({ number, cycles: number })));
  });

  it('keeps the numbers of rows when points before them are missing', async () => {
    const { read } = reader([0, 2]);
    const { rows } = await readRowPage(REQUEST, { from: 3, limit: 12 }, read);
    expect(rows.map(({ number }) => number)).toEqual([6, 7, 8, 9, 10, 11]);
  });

  it('is empty after the last row', async () => {
    const { asked, read } = reader();
    expect(await readRowPage(REQUEST, { from: 60, limit: 5 }, read)).toEqual({
      from: 60,
      total: 60,
      next: null,
      rows: [],
    });
    expect(asked).toEqual([]);
  });
});
