/**
 * Series of a study's plot: a figure over the number of chiplets, with a line per combination of
 * the other parameters.
 */
import type { StudyRow } from './study-types.ts';

/** Meanings of the figures that can be plotted. */
export const PLOTTED = {
  cycles: 'simulated cycles',
  speedup: 'speed-up over one chiplet',
  efficiency: 'speed-up ÷ chiplets',
  imbalance: 'largest share of bins ÷ mean share',
  linkBytes: 'bytes over the link',
} as const satisfies Partial<Record<keyof StudyRow, string>>;
/** Name of a figure of {@link PLOTTED}. */
export type PlottedFigure = keyof typeof PLOTTED;

/** One line of the plot. */
export interface Series {
  readonly name: string;
  /** Points by number of chiplets. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Columns that distinguish series, in the order in which names list them. */
const KEY_COLUMNS = ['policy', 'frame', 'spec', 'bins', 'visibility'] as const;

/** Returns the series of the rows. A name lists only the columns that differ. */
export function makeSeries(rows: readonly StudyRow[], figure: PlottedFigure): Series[] {
  const columns = KEY_COLUMNS.filter(
    (column) => column === 'policy' || new Set(rows.map((row) => row[column])).size > 1,
  );
  const nameOf = (row: StudyRow) =>
    columns
      .map((column) => {
        if (column === 'frame') return row.frame.slice(0, 8);
        return column === 'bins' ? `${row.bins} bins` : row[column];
      })
      .join(', ');
  return [...Map.groupBy(rows, nameOf)].map(([name, own]) => ({
    name,
    points: own.map((row) => ({ x: row.chiplets, y: row[figure] })).sort((a, b) => a.x - b.x),
  }));
}
