/**
 * Tables of results as CSV, quoted as in RFC 4180. Lines end with LF, because the files are kept in
 * a repository. The reader also accepts CRLF.
 */

import { quoteCsv } from '@tessera/study';

/** Value of a cell. */
export type Cell = string | number;

/** A table with plain numbers. The study that makes it decides on the number of digits. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Table for a results file. */
export interface KeyedTable extends Table {
  /** Number of leading columns that form the key of a row; at least 1. Keys are unique. */
  readonly keyColumns: number;
  /** Columns that the files in results/ do not have; none by default. */
  readonly contextColumns?: readonly string[] | undefined;
}

/** Table as read from a file. */
export interface TextTable extends Table {
  readonly rows: readonly (readonly string[])[];
}

/**
 * Writes a table with its header.
 *
 * @throws {Error} If a row has more or fewer cells than the header, a number is not finite, or two
 *   rows have the same key.
 */
export function formatCsv({ head, rows, keyColumns }: KeyedTable): string {
  const keys = new Set<string>();
  for (const [i, row] of rows.entries()) {
    const place = `csv: row ${i + 1} (${row.join(', ')})`;
    if (row.length !== head.length) {
      throw new Error(`${place} has ${row.length} cells; the header has ${head.length}`);
    }
    const broken = row.find((cell) => typeof cell === 'number' && !Number.isFinite(cell));
    if (broken !== undefined)
      throw new Error(`${place} contains ${broken}; numbers must be finite`);
    const key = formatLine(row.slice(0, keyColumns));
    if (keys.has(key)) throw new Error(`${place} has the key of an earlier row: ${key}`);
    keys.add(key);
  }
  return [head, ...rows].map((row) => `${formatLine(row)}\n`).join('');
}

function formatLine(cells: readonly Cell[]): string {
  return cells.map((cell) => quoteCsv(String(cell))).join(',');
}

/**
 * Reads the output of {@link formatCsv}.
 *
 * @throws {Error} If there is no header, a quote is misplaced, or a record has more or fewer fields
 *   than the header.
 */
export function parseCsv(text: string): TextTable {
  const [head, ...rows] = splitRecords(text);
  if (head === undefined) throw new Error('csv: there is no header row');
  for (const [i, row] of rows.entries()) {
    if (row.length === head.length) continue;
    throw new Error(
      `csv: record ${i + 2} (${row.join(', ')}) has ${row.length} fields; the header has ${head.length}`,
    );
  }
  return { head, rows };
}

/**
 * A field, quoted or plain, and its terminator: a comma, the end of a line, or the end of the text.
 */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

function splitRecords(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let position = 0;
  while (position < text.length || record.length > 0) {
    FIELD.lastIndex = position;
    const match = FIELD.exec(text);
    if (match === null) {
      throw new Error(`csv: record ${records.length + 1} has a misplaced quote`);
    }
    const [whole, quoted, plain, end] = match;
    record.push(quoted?.replaceAll('""', '"') ?? plain!);
    position += whole.length;
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

/** Row of a file by the names of its columns. */
export type CsvRecord = Readonly<Record<string, string>>;

/** Returns the rows by the names of their columns. */
export function readRecords({ head, rows }: TextTable): CsvRecord[] {
  return rows.map((row) => Object.fromEntries(head.map((column, i) => [column, row[i]!])));
}
