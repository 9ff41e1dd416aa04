/**
 * Results of `npm run limits`: the file that a run writes, and the table of docs/test-runs.md that
 * is made from it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const RESULTS = resolve(ROOT, 'results/limits.json');
const PAGE = resolve(ROOT, 'docs/test-runs.md');
const HEADING = '## The worst case of every route';
const COLUMNS = [
  'route',
  'input',
  'seconds',
  '/livez, longest ms',
  'with waits for a core, ms',
  'memory, largest MiB',
  'CPU s, preparation',
  'CPU s, chiplets',
  'load',
] as const;
const MEBIBYTE = 2 ** 20;

/** Longest latency of /livez of every row, in milliseconds. */
export const MOST_LIVE_MS = 1000;
/** Resident memory of the coordinator in every row. */
export const MOST_BYTES = 1_000_000_000;

/** Cost of one input of a route. */
export interface LimitRow {
  /** Operation of the OpenAPI document; `–` for the frames that the other rows use. */
  readonly route: string;
  readonly input: string;
  /** Wall time. */
  readonly seconds: number;
  /** Longest latency of /livez without waits of the event loop for a core. */
  readonly liveMs: number;
  /** Longest latency of /livez in wall time. */
  readonly liveWallMs: number;
  /** Largest resident memory of the coordinator. */
  readonly largestBytes: number;
  /** Processor time of the coordinator's threads besides that of its event loop. */
  readonly prepareCpuSeconds: number;
  /** Processor time of the visibility chiplet and the workers. */
  readonly chipletCpuSeconds: number;
  /** Processes that ran or waited for a core, as an average over a minute. */
  readonly load: number;
}

/** Results of a run. */
export interface LimitResults {
  readonly node: string;
  readonly cores: number;
  readonly workers: number;
  readonly rows: readonly LimitRow[];
}

/** Whether a row is within its bounds. */
export function isWithin({ liveMs, largestBytes }: LimitRow): boolean {
  return liveMs <= MOST_LIVE_MS && largestBytes <= MOST_BYTES;
}

/** Returns the cells of a row in the order of the table. */
export function cellsOf(row: LimitRow): readonly string[] {
  return [
    `\`${row.route}\``,
    row.input,
    row.seconds.toFixed(1),
    row.liveMs.toFixed(0),
    row.liveWallMs.toFixed(0),
    (row.largestBytes / MEBIBYTE).toFixed(0),
    row.prepareCpuSeconds.toFixed(1),
    row.chipletCpuSeconds.toFixed(1),
    row.load.toFixed(1),
  ];
}

/** Returns the line of a table. */
export function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Returns the first two lines of the table. */
export function headOfTable(): readonly string[] {
  return [lineOf(COLUMNS), lineOf(COLUMNS.map(() => '---'))];
}

/** Returns the table. */
export function tableOf({ rows }: LimitResults): string {
  return [...headOfTable(), ...rows.map((row) => lineOf(cellsOf(row)))].join('\n');
}

/** Returns the results in the repository; null if there are none. */
export function readResults(): LimitResults | null {
  return existsSync(RESULTS) ? (JSON.parse(readFileSync(RESULTS, 'utf8')) as LimitResults) : null;
}

/** Returns the text of docs/test-runs.md with the table of results. */
export function pageWith(results: LimitResults): string {
  const text = readFileSync(PAGE, 'utf8');
  const start = text.indexOf('| route |', text.indexOf(HEADING));
  const end = text.indexOf('\n\nOn a machine', start);
  if (start === -1 || end === -1) throw new Error(`${PAGE}: no table under "${HEADING}"`);
  return text.slice(0, start) + tableOf(results) + text.slice(end);
}

/**
 * Writes results to the repository.
 *
 * @param rows New rows, which replace earlier rows of the same route and input.
 */
export function writeResults(results: LimitResults): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(PAGE, pageWith(results));
}

/** Returns rows in which new ones replace earlier ones of the same route and input. */
export function mergeRows(
  earlier: readonly LimitRow[],
  rows: readonly LimitRow[],
): readonly LimitRow[] {
  const keyOf = ({ route, input }: LimitRow) => `${route}: ${input}`;
  const newByKey = new Map(rows.map((row) => [keyOf(row), row]));
  const merged = earlier.map((row) => newByKey.get(keyOf(row)) ?? row);
  const known = new Set(earlier.map(keyOf));
  return [...merged, ...rows.filter((row) => !known.has(keyOf(row)))];
}
