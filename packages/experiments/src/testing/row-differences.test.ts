import { describe, expect, it } from 'vitest';
import type { TextTable } from '../tables/csv.ts';
import { findDifferences } from './row-differences.ts';

const HEAD = ['scene', 'chiplets', 'cycles'];
const ROWS = [
  ['cube', '2', '170'],
  ['cube', '4', '90'],
  ['duck', '2', '55.10'],
];
const FILE: TextTable = { head: HEAD, rows: ROWS };
const SAMPLE = { table: { head: HEAD, rows: ROWS.slice(0, 2) }, groupColumns: 1 };

describe('comparison of sampled rows', () => {
  it('finds nothing in a file that has the rows, whatever else it has', () => {
    expect(findDifferences(FILE, SAMPLE)).toEqual([]);
  });

  it('finds a changed digit in any cell of a sampled row', () => {
    for (const i of [0, 1]) {
      for (const column of HEAD.keys()) {
        const rows = ROWS.map((row) => [...row]);
        rows[i]![column] += '1';
        expect(findDifferences({ head: HEAD, rows }, SAMPLE)).not.toEqual([]);
      }
    }
    const rows = ROWS.map((row) => [...row]);
    rows[2]![2] = '55.11';
    expect(findDifferences({ head: HEAD, rows }, SAMPLE)).toEqual([]);
  });

  it('finds rows that are missing, duplicated, or in another order', () => {
    const of = (...rows: string[][]) => findDifferences({ head: HEAD, rows }, SAMPLE);
    expect(of(ROWS[0]!, ROWS[2]!)).not.toEqual([]);
    expect(of(ROWS[0]!, ROWS[1]!, ROWS[1]!)).not.toEqual([]);
    expect(of(ROWS[1]!, ROWS[0]!)).not.toEqual([]);
  });

  it('finds other columns', () => {
    expect(findDifferences({ head: ['scene', 'bins', 'cycles'], rows: ROWS }, SAMPLE)).toEqual([
      'the file has the columns scene,bins,cycles; the study has scene,chiplets,cycles',
    ]);
  });
});
