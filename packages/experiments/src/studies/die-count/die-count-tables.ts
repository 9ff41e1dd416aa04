/** Tables and plot of the study of the number of dies. */
import { PACKAGING_NAMES } from '@tessera/die-cost';
import { plotPanels } from '@tessera/plot';
import { type CsvRecord, parseCsv, readRecords } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { BREAK_EVEN, DIE_COUNTS, STUDIED_NODES } from './die-count.ts';

/**
 * Cost on several dies ÷ cost on one of 800 mm², as the program of Chiplet Actuary prints it
 * (Yinxiao-Feng/DAC2022 at d8dc4f1, with its parameters).
 */
const CHIPLET_ACTUARY: Readonly<Record<string, readonly number[]>> = {
  'N7 organic': [0.8217, 0.6755, 0.6302],
  'N7 fan-out': [0.9837, 0.8503, 0.8367],
  'N7 interposer': [1.1211, 1.042, 1.1638],
  'N5 organic': [0.739, 0.5746, 0.5205],
  'N5 fan-out': [0.8287, 0.6729, 0.6419],
  'N5 interposer': [0.9182, 0.8007, 0.8676],
};
const ACTUARY_COUNTS = [2, 4, 8];
const SHOWN_TOTALS = ['small', 'large'];
const PLOTTED_NODE = 'N7';
/** Numbers of dies in the plot. The range of 16 would hide the others. */
const PLOTTED_COUNTS = [2, 4, 8];

/** Returns the tables of the document from the results file, by their names there. */
export function showDieCount(csv: string): ReadonlyMap<string, string> {
  const records = readRecords(parseCsv(csv));
  return new Map([
    ['costs', showCosts(records)],
    ['break-even', showBreakEven(records)],
    ['published', showPublished(records)],
  ]);
}

/** Draws the relative cost over the number of dies. */
export function plotDieCount(csv: string): string {
  const records = readRecords(parseCsv(csv));
  const columns = ['relativeCostLow', 'relativeCost', 'relativeCostHigh'] as const;
  const names = { relativeCostLow: ', low', relativeCost: '', relativeCostHigh: ', high' };
  return plotPanels({
    title: `Cost of several dies ÷ cost of one (${PLOTTED_NODE})`,
    xLabel: 'dies',
    yLabel: 'relative cost',
    xNames: PLOTTED_COUNTS.map(String),
    panels: PACKAGING_NAMES.map((packaging) => ({
      title: packaging,
      series: SHOWN_TOTALS.flatMap((total) =>
        columns.map((column) => ({
          name: total + names[column],
          points: PLOTTED_COUNTS.map((dies, x) => ({
            x,
            y: Number(rowOf(records, total, PLOTTED_NODE, packaging, dies)[column]),
          })),
        })),
      ),
    })),
  });
}

function rowOf(
  records: readonly CsvRecord[],
  total: string,
  node: string,
  packaging: string,
  dies: number,
): CsvRecord {
  return records.find(
    (each) =>
      each.total === total &&
      each.node === node &&
      each.package === packaging &&
      each.chiplets === String(dies),
  )!;
}

function showCosts(records: readonly CsvRecord[]): string {
  return formatMarkdownTable({
    head: ['GPU', 'node', 'package', ...DIE_COUNTS.map((dies) => `${dies} dies`)],
    rows: SHOWN_TOTALS.flatMap((total) =>
      STUDIED_NODES.flatMap((node) =>
        PACKAGING_NAMES.map((packaging) => [
          ...[total, node, packaging],
          ...DIE_COUNTS.map((dies) => {
            const row = rowOf(records, total, node, packaging, dies);
            return `${rangeOf(row)}, \`${row.dominatingAssumption}\``;
          }),
        ]),
      ),
    ),
  });
}

function showBreakEven(records: readonly CsvRecord[]): string {
  return formatMarkdownTable({
    head: ['node', 'package', ...DIE_COUNTS.map((dies) => `${dies} dies`)],
    rows: STUDIED_NODES.flatMap((node) =>
      PACKAGING_NAMES.map((packaging) => [
        ...[node, packaging],
        ...DIE_COUNTS.map((dies) => {
          const row = rowOf(records, BREAK_EVEN, node, packaging, dies);
          const [typical, low, high] = [
            row.monolithMm2!,
            row.monolithMm2AtLow!,
            row.monolithMm2AtHigh!,
          ].map((mm2) => (mm2 === '' ? 'none' : Number(mm2).toFixed(0)));
          return `${typical} (${low} to ${high}), \`${row.dominatingAssumption}\``;
        }),
      ]),
    ),
  });
}

function showPublished(records: readonly CsvRecord[]): string {
  return formatMarkdownTable({
    head: [...['node', 'package', 'dies', 'Chiplet Actuary', 'this model', 'distance', 'inside']],
    rows: STUDIED_NODES.flatMap((node) =>
      PACKAGING_NAMES.flatMap((packaging) =>
        ACTUARY_COUNTS.map((dies, i) => {
          const row = rowOf(records, 'published', node, packaging, dies);
          const theirs = CHIPLET_ACTUARY[`${node} ${packaging}`]![i]!;
          const percent = 100 * (Number(row.relativeCost) / theirs - 1);
          const isInside =
            theirs >= Number(row.relativeCostLow) && theirs <= Number(row.relativeCostHigh);
          return [
            ...[node, packaging, dies, theirs.toFixed(2), rangeOf(row)],
            `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(0)} %`,
            isInside ? 'yes' : 'no',
          ];
        }),
      ),
    ),
  });
}

function rangeOf(row: CsvRecord): string {
  const [low, typical, high] = [row.relativeCostLow, row.relativeCost, row.relativeCostHigh];
  return [low, typical, high].map((ratio) => Number(ratio).toFixed(2)).join(' … ');
}
