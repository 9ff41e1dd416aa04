/** Lines of a study's plot: a figure over the number of chiplets, a line for each combination of all else. */
import type { StudyRow } from './study-types.ts';

/** Figures that can be plotted. */
export const PLOTTED = {
  cycles: 'simulated cycles',
  speedup: 'speed-up over one chiplet',
  efficiency: 'speed-up ÷ chiplets',
  imbalance: 'longest share of bins ÷ mean share',
  linkBytes: 'bytes over the link',
} as const satisfies Partial<Record<keyof StudyRow, string>>;
export type PlottedFigure = keyof typeof PLOTTED;

export interface Series {
  readonly name: string;
  /** By number of chiplets. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Columns that tell series apart, in the order in which they are named. */
const KEY_COLUMNS = ['policy', 'frame', 'spec', 'bins', 'visibility'] as const;

/** Names say only what differs between the series. */
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
