/** Tables of the study of what bounds frames. */
import { type CsvRecord, parseCsv, readRecords } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { isKnownBound } from './bounds.ts';

const HEAD = [
  ...['frame', 'chiplets', 'cycles', 'bound by', 'busy', 'settings', 'predicted', 'measured'],
  'error',
];

/** Returns the tables of the document from the results file, by their names there. */
export function showBounds(csv: string): ReadonlyMap<string, string> {
  const records = readRecords(parseCsv(csv));
  const isKnown = ({ scene }: CsvRecord) => isKnownBound(scene!);
  return new Map([
    ['known', showRows(records.filter((row) => isKnown(row) && row.bound === '1'))],
    ['benchmark', showRows(records.filter((row) => !isKnown(row) && isShown(row)))],
  ]);
}

/** Second bounds are shown if they were checked. */
function isShown({ bound, cyclesMeasured }: CsvRecord): boolean {
  return bound === '1' || cyclesMeasured !== '';
}

function showRows(records: readonly CsvRecord[]): string {
  return formatMarkdownTable({
    head: HEAD,
    rows: records.map((row) => [
      row.bound === '1' ? row.scene! : 'then',
      ...[row.chiplets!, row.cycles!, row.boundUnits!.replaceAll(' ', ', ')],
      percent(Number(row.boundUtilization)),
      row.settings === '' ? 'none' : row.settings!.replaceAll(' ', ', '),
      ...[row.cyclesPredicted!, row.cyclesMeasured === '' ? '–' : row.cyclesMeasured!],
      row.predictionError === '' ? '–' : signed(Number(row.predictionError)),
    ]),
  });
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

function signed(ratio: number): string {
  return `${ratio < 0 ? '−' : '+'}${(100 * Math.abs(ratio)).toFixed(1)} %`;
}
