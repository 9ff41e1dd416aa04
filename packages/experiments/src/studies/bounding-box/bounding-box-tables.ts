/** Tables of the bounding-box study: that of the results file, and those of the document. */
import type { TilePoint } from '@tessera/gpu';
import {
  type CsvRecord,
  type KeyedTable,
  parseCsv,
  readRecords,
  type Table,
} from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { type BoundingBoxRow, gainOf, LEVELS, pixelWeightedGain } from './bounding-box.ts';
import { plotGains } from './gain-plot.ts';

/** Returns the counts as the table of the results file, a row per level. */
export function countsTable(rows: readonly BoundingBoxRow[]): KeyedTable {
  return {
    head: ['scene', 'tilePoint', 'level', 'widthPx', 'heightPx', 'withoutBoxTest', 'withBoxTest'],
    keyColumns: 3,
    rows: rows.flatMap(({ scene, widthPx, heightPx, tilePoint, withoutBoxTest, withBoxTest }) =>
      LEVELS.map((level) => {
        const counts = [withoutBoxTest[level - 1]!, withBoxTest[level - 1]!];
        return [scene, tilePoint, level, widthPx, heightPx, ...counts];
      }),
    ),
  };
}

/** Returns the counts of a results file. */
export function readCounts(records: readonly CsvRecord[]): BoundingBoxRow[] {
  const groups = Map.groupBy(records, ({ scene, tilePoint }) => JSON.stringify([scene, tilePoint]));
  return [...groups.values()].map((own) => ({
    scene: own[0]!.scene!,
    widthPx: Number(own[0]!.widthPx),
    heightPx: Number(own[0]!.heightPx),
    tilePoint: own[0]!.tilePoint as TilePoint,
    withoutBoxTest: own.map((record) => Number(record.withoutBoxTest)),
    withBoxTest: own.map((record) => Number(record.withBoxTest)),
  }));
}

/** Returns the gains in percent. Scenes of one size with the same counts share a row. */
export function gainsTable(rows: readonly BoundingBoxRow[]): Table {
  const alike = Map.groupBy(rows, ({ widthPx, heightPx, withoutBoxTest, withBoxTest }) =>
    JSON.stringify([widthPx, heightPx, withoutBoxTest, withBoxTest]),
  );
  return {
    head: ['scene', ...LEVELS.map((level) => `level ${level}`)],
    rows: [...alike.values()].map((same) => [
      same.map(({ scene }) => scene).join(', '),
      ...LEVELS.map((level) => (100 * gainOf(same[0]!, level)).toFixed(1)),
    ]),
  };
}

/** Scenes of the paper that are among the captures. */
const PAPER_SCENES = ['build', 'buffer', 'bump', 'loop', 'jellyfish', 'ideas', 'terrain'];
const SIZES = [
  [200, 150],
  [800, 600],
] as const;

/** Returns the pixel-weighted means over the captures, by size and by where tiles are tested. */
function meansTable(rows: readonly BoundingBoxRow[]): Table {
  const isOf = (names: readonly string[], { scene }: BoundingBoxRow) =>
    names.includes(scene.replace(/ 200x150$/, ''));
  const withoutTerrain = PAPER_SCENES.filter((name) => name !== 'terrain');
  const groups: readonly (readonly [string, (row: BoundingBoxRow) => boolean])[] = [
    ['all', () => true],
    [
      `scenes of the paper that were captured: ${PAPER_SCENES.join(', ')}`,
      (row) => isOf(PAPER_SCENES, row),
    ],
    ['these without terrain', (row) => isOf(withoutTerrain, row)],
  ];
  const columns = (['corner', 'centre'] as const).flatMap((tilePoint) =>
    SIZES.map(([widthPx, heightPx]) => ({ tilePoint, widthPx, heightPx })),
  );
  return {
    head: [
      'scenes',
      ...columns.map(
        ({ tilePoint, widthPx, heightPx }) =>
          `${widthPx}×${heightPx}${tilePoint === 'centre' ? ', tests at sample points' : ''}`,
      ),
    ],
    rows: groups.map(([name, isIn]) => [
      name,
      ...columns.map((column) => {
        const own = rows.filter(
          (row) =>
            isIn(row) &&
            row.tilePoint === column.tilePoint &&
            row.widthPx === column.widthPx &&
            row.heightPx === column.heightPx,
        );
        return `${(100 * pixelWeightedGain(own)).toFixed(2)} %`;
      }),
    ]),
  };
}

/**
 * Returns the document's tables by their names and its plot of the small captures, from a results
 * file.
 */
export function showGains(csv: string): {
  readonly tables: ReadonlyMap<string, string>;
  readonly plot: string;
} {
  const rows = readCounts(readRecords(parseCsv(csv)));
  const atCorners = rows.filter(({ tilePoint }) => tilePoint === 'corner');
  return {
    tables: new Map([
      ['gains', formatMarkdownTable(gainsTable(atCorners))],
      ['means', formatMarkdownTable(meansTable(rows))],
    ]),
    plot: plotGains(atCorners.filter(({ widthPx }) => widthPx === SIZES[0][0])),
  };
}
