import { DEFAULT_ENERGY_OPTIONS } from '@tessera/energy';
import { csvPieces, requestedColumns, type StudyRow } from '@tessera/study';
import { formatParquet } from '@tessera/study/parquet';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../packages/experiments/src/tables/csv.ts';

const COLUMNS = {
  sweep: { hasL2Cache: [true], smCount: [4] },
  counters: ['memory.bytesRead'],
  energy: DEFAULT_ENERGY_OPTIONS,
};
const REQUESTED = requestedColumns(COLUMNS);

function makeRow(cycles: number): Partial<StudyRow> {
  return {
    scene: 'a "b", c',
    occlusion: cycles > 5,
    cycles,
    speedUp: 1.25,
    simulatedMs: 1,
    energyTypicalPj: 2 ** 33,
    powerTypicalMw: 7.5,
    settings: { hasL2Cache: true, smCount: 4 },
    counters: { 'memory.bytesRead': 2 ** 40 },
  };
}

describe('Parquet of a sweep', () => {
  it('has the columns and values of the CSV, with types', async () => {
    const rows = [makeRow(5), makeRow(6)];
    const file = formatParquet(rows, COLUMNS).slice().buffer;
    const read = await parquetReadObjects({ file });
    const csv = readRecords(parseCsv([...csvPieces([rows], REQUESTED)].join('')));
    expect(Object.keys(read[0]!)).toEqual(Object.keys(csv[0]!));
    expect(read[1]).toMatchObject({
      scene: 'a "b", c',
      occlusion: true,
      cycles: 6n,
      speedUp: 1.25,
      simulatedMs: 1,
      hasL2Cache: true,
      smCount: 4n,
      energyTypicalPj: 2n ** 33n,
      powerTypicalMw: 7.5,
      energyLowPj: null,
      'memory.bytesRead': 2n ** 40n,
      policy: '',
    });
    const types = new Map(parquetMetadata(file).schema.map(({ name, type }) => [name, type]));
    expect([types.get('cycles'), types.get('simulatedMs'), types.get('scene')]).toEqual([
      'INT64',
      'DOUBLE',
      'BYTE_ARRAY',
    ]);
  });

  it('has null for a figure that one row does not have', async () => {
    const { cycles: _cycles, ...row } = makeRow(5);
    const file = formatParquet([makeRow(5), row], COLUMNS).slice().buffer;
    const read = await parquetReadObjects({ file });
    expect(read.map((each) => each.cycles)).toEqual([5n, null]);
  });
});
