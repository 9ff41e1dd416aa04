/** Rows of a sweep as Parquet: the columns of the CSV with their types. */
import {
  cellsOf,
  columnNames,
  type RequestedColumns,
  STUDY_COLUMNS,
  type StudyColumn,
  type StudyRow,
} from '@tessera/study';
import { parquetWriteBuffer } from 'hyparquet-writer';

/** Units of columns with fractions. All other numbers are whole. */
const FRACTIONS: readonly string[] = ['ratio', 'milliseconds'];

/**
 * Returns a Parquet file, compressed with Snappy. Whole numbers are INT64, ratios DOUBLE, switches
 * BOOLEAN, all others UTF-8 texts. Figures that a row does not have are null.
 */
export function formatParquet(
  rows: readonly Partial<StudyRow>[],
  requested: RequestedColumns,
): Uint8Array {
  const cells = rows.map((row) => cellsOf(row, requested));
  const columnData = columnNames(requested).map((name, column) => {
    const values = cells.map((row) => row[column]!);
    const type = typeOf(name, values);
    const data = values.map((value) => {
      if (value === '' && type !== 'STRING') return null;
      return type === 'INT64' ? BigInt(value as number) : value;
    });
    return { name, data, type };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData, createdBy: 'tessera' }));
}

function typeOf(
  name: string,
  values: readonly (string | number | boolean)[],
): 'STRING' | 'BOOLEAN' | 'DOUBLE' | 'INT64' {
  const value = values.find((each) => each !== '');
  if (typeof value === 'boolean') return 'BOOLEAN';
  if (typeof value !== 'number') return 'STRING';
  const isCommon = Object.hasOwn(STUDY_COLUMNS, name);
  // Hardware parameters and counters are whole.
  const isFraction = isCommon && FRACTIONS.includes(STUDY_COLUMNS[name as StudyColumn].unit);
  return isFraction ? 'DOUBLE' : 'INT64';
}
