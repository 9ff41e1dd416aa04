import { LocalGpu } from '@tessera/local-gpu';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { rowsWhere } from './chiplet-study.ts';
import { LOCALITY } from './locality.ts';

describe('study of locality', () => {
  it('finds fewer bytes with each measure', async () => {
    const frame = terrainFrame({ widthPx: 128, heightPx: 96, triangles: 512 });
    const { measurement } = await new LocalGpu().render(frame, {
      timing: 'cycle',
      coupling: 'exact',
      grid: { kind: 'bins', count: 12 },
    });
    const figures = LOCALITY.figures([{ scene: 'terrain', bySetting: [measurement] }]);
    const rows = readRecords(parseCsv(formatCsv(figures)));
    const keys = rows.map((row) => Object.values(row).slice(0, figures.keyColumns).join());
    expect(new Set(keys).size).toBe(rows.length);
    const { table, plot } = LOCALITY.summarize(rows);
    for (const row of table.rows) expect(row).toHaveLength(table.head.length);
    expect(JSON.stringify(table.rows)).not.toMatch(/NaN|Infinity/);
    expect(table.rows[0]!.slice(1)).toEqual(['0.0 %', '0.0 %', '1.00', '1.00']);
    for (const { points } of plot.series) expect(points).toHaveLength(table.rows.length);

    const of = (step: string, bytesPerCycle: number, column: keyof CsvRecord) => {
      const [row, ...others] = rowsWhere(rows, { step, linkBytesPerCycle: bytesPerCycle });
      expect(others).toEqual([]);
      return Number(row![column]);
    };
    for (const bytesPerCycle of [16, 64]) {
      const bytesOf = (step: string) => of(step, bytesPerCycle, 'crossingBytes');
      expect(bytesOf('pixels kept')).toBeLessThan(bytesOf('nothing kept'));
      expect(bytesOf('remote lines cached')).toBeLessThan(bytesOf('first touch'));
      expect(bytesOf('copies')).toBeLessThan(bytesOf('bins pulled'));
      // Pixels wait for the display where they were drawn.
      expect(of('copies', bytesPerCycle, 'scanoutBytes')).toBeGreaterThan(0);
    }
    expect(of('nothing kept', 16, 'cycles')).toBeGreaterThan(of('nothing kept', 64, 'cycles'));
  });
});
