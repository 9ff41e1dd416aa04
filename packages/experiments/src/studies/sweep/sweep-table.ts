/** Table of a sweep: means over the scenes for each combination of the other values. */
import { formatValue } from '@tessera/chiplet-spec';
import type { StudyRow } from '@tessera/study';
import type { KeyedTable } from '../../tables/csv.ts';
import { geometricMean } from '../chiplets/chiplet-study.ts';

type Row = Partial<StudyRow>;

/** Columns that differ between scenes, unless the request sets them. */
export type ComparedColumn = 'widthPx' | 'heightPx' | 'grid';

/** Columns that distinguish configurations, in order. */
const AXES = [
  'spec',
  'specDigest',
  'bins',
  'split',
  'visibility',
  'occlusion',
  'organization',
  'visibilityChiplets',
  'visibilityDelivery',
  'policy',
  'chiplets',
  'linkTopology',
  'linkBytesPerCycle',
  'linkLatencyCycles',
  'placement',
  'overlap',
] as const satisfies readonly (keyof StudyRow)[];

/** Energies of a table; the CSV has the ranges. */
const ENERGIES = [
  'energyTypicalPj',
  'energyDelayTypicalPjS',
] as const satisfies readonly (keyof Row)[];

/** Axes that are shown even if they have one value. */
const ALWAYS: ReadonlySet<string> = new Set(['policy', 'chiplets']);

/**
 * Returns the geometric means of cycles, speed-up, efficiency and energy, if rows have one, over
 * the frames of all scenes, and the part that bounds most of them. A row is a combination of the
 * values that differ.
 *
 * @param compared Columns of sizes and grids that are compared; others are averaged, as scenes are,
 *   because each scene may have its own.
 */
export function meansTable(rows: readonly Row[], compared: readonly ComparedColumn[]): KeyedTable {
  const axes = [...compared, ...AXES]
    .filter((axis) => ALWAYS.has(axis) || new Set(rows.map((row) => row[axis])).size > 1)
    .filter((axis, _, shown) => axis !== 'specDigest' || !isNamed(rows, shown.includes('spec')));
  const byKey = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(axes.map((axis) => row[axis]));
    const own = byKey.get(key);
    if (own === undefined) byKey.set(key, [row]);
    else own.push(row);
  }
  const energies = rows.some((row) => row.energyTypicalPj !== undefined) ? ENERGIES : [];
  return {
    head: [...axes, 'frames', 'cycles', 'speedUp', 'efficiency', ...energies, 'boundBy'],
    keyColumns: axes.length,
    rows: [...byKey.values()].map((own) => [
      ...axes.map((axis) => formatValue(own[0]![axis] ?? '')),
      own.length,
      Math.round(meanOf(own, 'cycles')),
      meanOf(own, 'speedUp').toFixed(4),
      meanOf(own, 'efficiency').toFixed(4),
      ...energies.map((name) => Number(meanOf(own, name).toPrecision(4))),
      mostFrequent(own.map(({ boundBy = '' }) => boundBy)),
    ]),
  };
}

/** Returns whether the table shows names of specifications, and each has its own. */
function isNamed(rows: readonly Row[], hasNames: boolean): boolean {
  const pairs = new Set(rows.map(({ spec, specDigest }) => `${spec} ${specDigest}`));
  return hasNames && pairs.size === new Set(rows.map(({ spec }) => spec)).size;
}

function meanOf(
  rows: readonly Row[],
  figure: 'cycles' | 'speedUp' | 'efficiency' | (typeof ENERGIES)[number],
): number {
  return geometricMean(rows.map((row) => Number(row[figure])));
}

/** Returns the most frequent word, the first of several. */
function mostFrequent(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
