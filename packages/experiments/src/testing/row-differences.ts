/** Compares rows that a study computed again with those of a results file. */
import type { TextTable } from '../tables/csv.ts';

/** Rows that a study computed again. */
export interface SampledRows {
  readonly table: TextTable;
  /**
   * Number of leading columns that name a group. The file must have all rows of each sampled group,
   * and no other rows of it.
   */
  readonly groupColumns: number;
}

/**
 * Returns the differences, one per line. Returns an empty list if all sampled groups are in the
 * file as they were computed.
 */
export function findDifferences(file: TextTable, { table, groupColumns }: SampledRows): string[] {
  if (file.head.join() !== table.head.join()) {
    return [`the file has the columns ${file.head}; the study has ${table.head}`];
  }
  const groupOf = (row: readonly string[]) => JSON.stringify(row.slice(0, groupColumns));
  const differences: string[] = [];
  for (const group of new Set(table.rows.map(groupOf))) {
    const isOfGroup = (row: readonly string[]) => groupOf(row) === group;
    const found = file.rows.filter(isOfGroup);
    const expected = table.rows.filter(isOfGroup);
    if (found.length !== expected.length) {
      differences.push(`${group}: the file has ${found.length} rows, the study ${expected.length}`);
    }
    for (const [i, row] of expected.entries()) {
      const line = found[i]?.join(', ');
      if (line !== row.join(', ')) {
        differences.push(`the file has ${line ?? 'no row'}; the study gives ${row.join(', ')}`);
      }
    }
  }
  return differences;
}
