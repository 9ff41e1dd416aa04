/**
 * The memory-bandwidth study: what local memory gives over the length of bursts and the number of clients, on the
 * preset with the memory manager paper's limits, and the fill rate that follows. Clients do nothing but ask.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { RenderError } from '@tessera/frame';
import { chipletPreset, type MemoryLoad, measureMemory } from '@tessera/gpu';
import { parseOptions } from '../command-options.ts';
import { formatCsv, type KeyedTable, parseCsv, readRecords } from '../csv.ts';
import { printJson, printText } from '../terminal-output.ts';
import { plotBandwidth } from './bandwidth-plot.ts';
import { formatMarkdownTable, replaceTable } from './document-tables.ts';

export const MEMORY_BANDWIDTH_USAGE = `tessera study memory-bandwidth [options]

  Bandwidth of the memory system of a preset over burst length and number of clients, and its fill rate.

      --spec NAME    preset (default hmgpu)
      --csv FILE     the table
      --json         print the table as JSON
      --svg FILE     the plot
      --doc FILE     a document whose table is rewritten

  npx tessera study memory-bandwidth --csv bandwidth.csv
`;

/** The paper's figures. */
export const PAPER = { bytesPerSecond: 2_021_200_000, pixelsPerSecond: 289_980_000 } as const;
/** Lines of 64 bytes: 4 to 128 cycles of a 64-bit bus at double data rate. */
const BURST_LINES = [1, 2, 4, 8, 16, 32] as const;
export const PAGE_LINES = 16;
const CLIENT_COUNTS = [1, 2, 4, 8] as const;
/** Bytes that each measurement moves, over all clients. */
const TOTAL_LINES = 32_768;
/** Each burst is in another row; clients lie far apart. */
const STRIDE_LINES = 33 * 32;
const CLIENT_LINES = 2 ** 22;
/** Colour without alpha, depth with stencil: ours, after the paper's two figures (6.97 bytes a pixel). */
const COLOR_BYTES = 3;
const DEPTH_BYTES = 4;

export interface BandwidthRow {
  readonly clients: number;
  readonly burstLines: number;
  /** Of the data bus of all channels, if one transfer followed the other. */
  readonly busCycles: number;
  readonly bytesPerSecond: number;
  readonly peakBytesPerSecond: number;
  readonly longestWaitCycles: number;
}

/** Measures each number of clients with each length of bursts. */
export function studyBandwidth(specName: string): BandwidthRow[] {
  const spec = chipletPreset(specName);
  return CLIENT_COUNTS.flatMap((clients) =>
    BURST_LINES.map((burstLines) => {
      const loads = Array.from(
        { length: clients },
        (_, client): MemoryLoad => ({
          client: 'texture',
          burstLines,
          bursts: TOTAL_LINES / burstLines / clients,
          isWrite: false,
          firstLine: client * CLIENT_LINES,
          strideLines: STRIDE_LINES,
        }),
      );
      const { bytesPerSecond, peakBytesPerSecond, longestWaitCycles } = measureMemory(spec, loads);
      const busCycles = (64 * burstLines) / spec.dramBytesPerCycle;
      return {
        clients,
        burstLines,
        busCycles,
        bytesPerSecond,
        peakBytesPerSecond,
        longestWaitCycles,
      };
    }),
  );
}

/** Pixels per second when colour and depth are written in bursts of a page. */
export function studyFillRate(specName: string): number {
  const bursts = 300;
  const load = { burstLines: PAGE_LINES, isWrite: true, strideLines: STRIDE_LINES } as const;
  const { bytesPerSecond } = measureMemory(chipletPreset(specName), [
    { ...load, client: 'color', bursts: COLOR_BYTES * bursts, firstLine: 0 },
    { ...load, client: 'depth', bursts: DEPTH_BYTES * bursts, firstLine: CLIENT_LINES },
  ]);
  return bytesPerSecond / (COLOR_BYTES + DEPTH_BYTES);
}

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

/** Returns the Markdown table of the document, of one client that reads, of a results file. */
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

/** Megabytes per second, a row per length of bursts. */
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

/** Runs the command. @throws {RenderError} On bad options. */
export async function runMemoryBandwidthCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    help: { type: 'boolean', short: 'h', default: false },
    spec: { type: 'string', default: 'hmgpu' },
    csv: { type: 'string' },
    json: { type: 'boolean', default: false },
    svg: { type: 'string' },
    doc: { type: 'string' },
  });
  if (values.help) {
    printText(MEMORY_BANDWIDTH_USAGE);
    return;
  }
  if (positionals.length > 0) {
    throw new RenderError('REQUEST_INVALID', `memory-bandwidth takes no path: ${positionals[0]}`);
  }
  let rows: BandwidthRow[];
  try {
    rows = studyBandwidth(values.spec);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RenderError('REQUEST_INVALID', error.message, { cause: error });
  }
  const fill = studyFillRate(values.spec);
  if (values.json) printJson({ rows, fillPixelsPerSecond: fill });
  else
    printText(
      `MB/s of ${values.spec}, peak ${(rows[0]!.peakBytesPerSecond / 1e6).toFixed(1)}\n\n` +
        `${formatBandwidthTable(rows)}\n\nfill: ${(fill / 1e6).toFixed(2)} Mpixel/s at ` +
        `${COLOR_BYTES + DEPTH_BYTES} bytes a pixel; paper: ${PAPER.bytesPerSecond / 1e6} MB/s, ` +
        `${PAPER.pixelsPerSecond / 1e6} Mpixel/s\n`,
    );
  const csv = formatCsv(bandwidthTable(rows));
  if (values.csv !== undefined) await writeFile(values.csv, csv);
  if (values.svg !== undefined) await writeFile(values.svg, plotBandwidth(rows));
  if (values.doc !== undefined) {
    const document = await readFile(values.doc, 'utf8');
    await writeFile(values.doc, replaceTable(document, '', showBandwidth(csv)));
  }
}
