import { LocalGpu } from '@tessera/local-gpu';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { rowsWhere } from './chiplet-study.ts';
import { MONOLITH } from './monolith.ts';

describe('study of a monolith', () => {
  it('finds it faster than chiplets with the same caches, and least bytes where pixels stay', async () => {
    const frame = terrainFrame({ widthPx: 128, heightPx: 96, triangles: 512 });
    const { measurement } = await new LocalGpu().render(frame, {
      timing: 'cycle',
      coupling: 'exact',
      grid: { kind: 'bins', count: 16 },
    });
    const figures = MONOLITH.figures([{ scene: 'terrain', bySetting: [measurement] }]);
    const rows = readRecords(parseCsv(formatCsv(figures)));
    const keys = rows.map((row) => Object.values(row).slice(0, figures.keyColumns).join());
    expect(new Set(keys).size).toBe(rows.length);
    const { table, plot } = MONOLITH.summarize(rows);
    for (const row of table.rows) expect(row).toHaveLength(table.head.length);
    expect(JSON.stringify(table.rows)).not.toMatch(/NaN|Infinity/);
    expect(table.rows[0]!.slice(5, 10)).toEqual(new Array(5).fill('100.0 %'));
    expect(plot.series).toHaveLength(table.rows.length);

    const of = (gpu: string, chiplets: number, column: keyof CsvRecord) => {
      const [row, ...others] = rowsWhere(rows, { gpu, chiplets });
      expect(others).toEqual([]);
      return Number(row![column]);
    };
    for (const chiplets of [2, 4, 8, 16]) {
      const cycles = of('monolith', chiplets, 'cycles');
      expect(of('monolith', chiplets, 'speedUp')).toBeGreaterThan(1);
      expect(of('monolith', chiplets, 'speedUp')).toBeLessThan(chiplets);
      // The same caches and homes of lines, over a link.
      expect(of('interleaved', chiplets, 'cycles')).toBeGreaterThan(cycles);
      expect(of('mcm-basic', chiplets, 'cycles')).toBeGreaterThan(
        of('monolith-sliced', chiplets, 'cycles'),
      );
      expect(of('mcm-optimized', chiplets, 'crossingBytes')).toBeLessThan(
        of('mcm-basic', chiplets, 'crossingBytes'),
      );
      expect(of('copies-kept', chiplets, 'crossingBytes')).toBeLessThan(
        of('copies-gathered', chiplets, 'crossingBytes'),
      );
    }
  });
});
