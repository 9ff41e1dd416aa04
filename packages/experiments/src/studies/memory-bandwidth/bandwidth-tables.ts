/** Tables of the memory-bandwidth study. */
import { type KeyedTable, parseCsv, readRecords } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { type BandwidthRow, BURST_LINES, CLIENT_COUNTS, PAGE_LINES } from './memory-bandwidth.ts';

/** Returns the rows as the table of the results file. */
export function bandwidthTable(rows: readonly BandwidthRow[]): KeyedTable {
  return {
    head: [
      'clients',
      'burstLines',
      'busCycles',
      'kilobytesPerSecond',
      'peakKilobytesPerSecond',
      'longestWaitCycles',
    ],
    keyColumns: 2,
    rows: rows.map((row) => [
      row.clients,
      row.burstLines,
      row.busCycles,
      Math.round(row.bytesPerSecond / 1000),
      Math.round(row.peakBytesPerSecond / 1000),
      row.longestWaitCycles,
    ]),
  };
}

/** Returns the Markdown table of the document from a results file, for one client that reads. */
export function showBandwidth(csv: string): string {
  const rows = readRecords(parseCsv(csv)).filter(({ clients }) => clients === '1');
  const inThousands = (number: number, digits: number) =>
    number.toLocaleString('en-US', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
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
