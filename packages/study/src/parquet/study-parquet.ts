/**
 * Rows of a study as Parquet, compressed with Snappy: the columns of the CSV with their types.
 * Whole numbers are INT64, ratios and milliseconds DOUBLE, switches BOOLEAN, all others UTF-8
 * texts. Figures that a row does not have are null.
 */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import {
  type ColumnInfo,
  cellsOf,
  columnNames,
  ENERGY_COLUMNS,
  type RequestedColumns,
  requestedColumns,
  STUDY_COLUMNS,
} from '../study-columns.ts';
import type { StudyRequest } from '../study-request.ts';
import type { StudyRow } from '../study-row.ts';

/**
 * Columns that vary with the request. Values by swept hardware parameter determine the types of
 * their columns.
 */
export type ParquetColumns = Pick<StudyRequest, 'sweep' | 'counters' | 'energy'>;

type ColumnType = 'STRING' | 'BOOLEAN' | 'DOUBLE' | 'INT64';

/** Least number of rows that are encoded together, and so held in memory. */
export const GROUP_ROWS = 4000;

/** Types of columns by unit. All other columns are whole numbers. */
const TYPE_BY_UNIT: Readonly<Record<string, ColumnType>> = {
  text: 'STRING',
  name: 'STRING',
  switch: 'BOOLEAN',
  ratio: 'DOUBLE',
  milliseconds: 'DOUBLE',
  milliwatts: 'DOUBLE',
  'picojoule seconds': 'DOUBLE',
};

/** Writes a file part by part, and holds the rows of one row group. */
export class StudyParquet {
  readonly #requested: RequestedColumns;
  readonly #columns: readonly { readonly name: string; readonly type: ColumnType }[];
  readonly #output = new PartWriter();
  readonly #writer: ParquetWriter;
  #rows: Partial<StudyRow>[] = [];

  constructor(columns: ParquetColumns) {
    const { sweep } = columns;
    this.#requested = requestedColumns(columns);
    this.#columns = columnNames(this.#requested).map((name) => ({
      name,
      type: typeOf(name, sweep),
    }));
    const columnData = this.#columns.map((column) => ({ ...column, data: [] }));
    const schema = schemaFromColumnData({ columnData });
    this.#writer = new ParquetWriter({ writer: this.#output, schema, createdBy: 'tessera' });
  }

  /**
   * Adds rows. Returns the next bytes of the file; none until a row group is full. It holds no rows
   * after it returned bytes.
   */
  add(rows: readonly Partial<StudyRow>[]): Uint8Array<ArrayBuffer> {
    for (const row of rows) this.#rows.push(row);
    if (this.#rows.length >= GROUP_ROWS) this.#writeGroup();
    return this.#output.take();
  }

  /** Returns the last bytes of the file. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#rows.length > 0) this.#writeGroup();
    this.#writer.finish();
    return this.#output.take();
  }

  #writeGroup(): void {
    const cells = this.#rows.map((row) => cellsOf(row, this.#requested));
    this.#rows = [];
    const columnData = this.#columns.map(({ name, type }, column) => {
      const data = cells.map((row) => {
        const value = row[column]!;
        if (value === '' && type !== 'STRING') return null;
        return type === 'INT64' ? BigInt(value) : value;
      });
      return { name, data };
    });
    this.#writer.write({ columnData, rowGroupSize: cells.length });
  }
}

/** Returns a whole file. */
export function formatParquet(
  rows: readonly Partial<StudyRow>[],
  columns: ParquetColumns,
): Uint8Array {
  const parquet = new StudyParquet(columns);
  return new Uint8Array(Buffer.concat([parquet.add(rows), parquet.finish()]));
}

/** Writer whose bytes are taken while more are written. */
class PartWriter extends ByteWriter {
  /** Returns the bytes since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.getBytes());
    this.index = 0;
    return bytes;
  }
}

function typeOf(name: string, sweep: ParquetColumns['sweep']): ColumnType {
  if (Object.hasOwn(sweep, name)) {
    const [value] = sweep[name]!;
    if (typeof value === 'boolean') return 'BOOLEAN';
    return typeof value === 'number' ? 'INT64' : 'STRING';
  }
  const columns: Readonly<Record<string, ColumnInfo>> = { ...STUDY_COLUMNS, ...ENERGY_COLUMNS };
  // Counters are whole.
  return TYPE_BY_UNIT[columns[name]?.unit ?? ''] ?? 'INT64';
}
