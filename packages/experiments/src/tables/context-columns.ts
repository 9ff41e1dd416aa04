/**
 * Columns of a study's CSV that say what its rows were measured on. Files in results/ do not have
 * them, because a new hardware parameter or a commit would change every row.
 */
import type { StudyColumn } from '@tessera/study';
import type { Cell, KeyedTable } from './csv.ts';

/** Values of common columns that all rows of a table share. */
export type Context = { readonly [Name in StudyColumn]?: Cell };

/** Returns the table with a column for each value that it does not have as a figure. */
export function withContext(table: KeyedTable, context: Context): KeyedTable {
  const entries: [string, Cell][] = Object.entries(context);
  const added = entries.filter(([name]) => !table.head.includes(name));
  const names = added.map(([name]) => name);
  const values = added.map(([, value]) => value);
  return {
    ...table,
    head: [...table.head, ...names],
    contextColumns: [...(table.contextColumns ?? []), ...names],
    rows: table.rows.map((row) => [...row, ...values]),
  };
}

/** Returns the table as the files in results/ have it. */
export function withoutContext({ contextColumns = [], ...table }: KeyedTable): KeyedTable {
  const kept = table.head.map((name) => !contextColumns.includes(name));
  const keep = <Value>(values: readonly Value[]) => values.filter((_, i) => kept[i]);
  return { ...table, head: keep(table.head), rows: table.rows.map(keep) };
}
