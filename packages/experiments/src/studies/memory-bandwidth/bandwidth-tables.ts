/** Tables of the memory-bandwidth study. */
import {
  type Cell,
  type CsvRecord,
  type KeyedTable,
  parseCsv,
  readRecords,
} from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import type { FillRow } from './drawn-fill.ts';
import {
  type BandwidthRow,
  BURST_LINES,
  CLIENT_COUNTS,
  PAGE_LINES,
  PAPER,
} from './memory-bandwidth.ts';

/** Load of the rows that read bursts. */
const READ = 'read bursts';

/** Returns the rows as the table of the results file. */
export function bandwidthTable(
  rows: readonly BandwidthRow[],
  fill: readonly FillRow[],
): KeyedTable {
  return {
    head: [
      'load',
      'clients',
      'burstLines',
      'busCycles',
      'kilobytesPerSecond',
      'peakKilobytesPerSecond',
      'longestWaitCycles',
      'kilopixelsPerSecond',
      'bytesReadPerPixel',
      'bytesWrittenPerPixel',
    ],
    keyColumns: 3,
    rows: [...rows.map(readCells), ...fill.map(fillCells)],
  };
}

function readCells(row: BandwidthRow): Cell[] {
  return [
    READ,
    row.clients,
    row.burstLines,
    row.busCycles,
    Math.round(row.bytesPerSecond / 1000),
    Math.round(row.peakBytesPerSecond / 1000),
    row.longestWaitCycles,
    '',
    '',
    '',
  ];
}

function fillCells(row: FillRow): Cell[] {
  return [
    row.load,
    '',
    '',
    '',
    Math.round(row.bytesPerSecond / 1000),
    '',
    '',
    Math.round(row.pixelsPerSecond / 1000),
    row.bytesReadPerPixel.toFixed(2),
    row.bytesWrittenPerPixel.toFixed(2),
  ];
}

/** Returns the tables of the document from a results file, by their names there. */
export function showBandwidth(csv: string): ReadonlyMap<string, string> {
  const records = readRecords(parseCsv(csv));
  const isRead = ({ load }: CsvRecord) => load === READ;
  return new Map([
    ['bursts', showBursts(records.filter((each) => isRead(each) && each.clients === '1'))],
    ['fill', showFill(records.filter((each) => !isRead(each)))],
  ]);
}

function inThousands(number: number, digits: number): string {
  const range = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return number.toLocaleString('en-US', range);
}

function showFill(rows: readonly CsvRecord[]): string {
  return formatMarkdownTable({
    head: [
      'what fills',
      'Mpixel/s',
      `from the paper's ${PAPER.pixelsPerSecond / 1e6}`,
      'MB/s',
      'bytes read a pixel',
      'bytes written a pixel',
    ],
    rows: rows.map((row) => {
      const pixels = 1000 * Number(row.kilopixelsPerSecond);
      const percent = 100 * (pixels / PAPER.pixelsPerSecond - 1);
      return [
        row.load!,
        (pixels / 1e6).toFixed(2),
        `${percent < 0 ? '−' : '+'}${Math.abs(percent).toFixed(1)} %`,
        inThousands(Number(row.kilobytesPerSecond) / 1000, 1),
        row.bytesReadPerPixel!,
        row.bytesWrittenPerPixel!,
      ];
    }),
  });
}

function showBursts(rows: readonly CsvRecord[]): string {
  const peak = Number(rows[0]!.peakKilobytesPerSecond);
  return formatMarkdownTable({
    head: [
      'bus cycles of a burst',
      'bytes',
      'MB/s',
      `of the peak of ${inThousands(peak / 1000, 0)} MB/s`,
    ],
    rows: rows.map((row) => {
      const kilobytes = Number(row.kilobytesPerSecond);
      const burstLines = Number(row.burstLines);
      return [
        burstLines === PAGE_LINES ? `${row.busCycles}, a page` : row.busCycles!,
        inThousands(64 * burstLines, 0),
        inThousands(kilobytes / 1000, 1),
        `${Math.round((100 * kilobytes) / peak)} %`,
      ];
    }),
  });
}

/** Formats megabytes per second, with a row for each length of bursts. */
export function formatBandwidthTable(rows: readonly BandwidthRow[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const clients = CLIENT_COUNTS.map((count) => `${count} client${count > 1 ? 's' : ''}`);
  const head = ['bus cycles of a burst', ...clients];
  const body = BURST_LINES.map((burstLines) => {
    const of = rows.filter((row) => row.burstLines === burstLines);
    return line([
      String(of[0]!.busCycles),
      ...of.map(({ bytesPerSecond }) => (bytesPerSecond / 1e6).toFixed(1)),
    ]);
  });
  return [line(head), line(head.map(() => '---')), ...body].join('\n');
}
