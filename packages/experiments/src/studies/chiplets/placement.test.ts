import { LocalGpu } from '@tessera/local-gpu';
import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { rowsWhere } from './chiplet-study.ts';
import { PLACEMENT } from './placement.ts';

describe('study of placements', () => {
  it('finds more traffic and more cycles with one memory, and fewer bytes with a cache', async () => {
    const frame = terrainFrame({ widthPx: 96, heightPx: 64, triangles: 512 });
    const { measurement } = await new LocalGpu().render(frame, {
      timing: 'cycle',
      coupling: 'exact',
      grid: { kind: 'bins', count: 6 },
    });
    const figures = PLACEMENT.figures([{ scene: 'terrain', bySetting: [measurement] }]);
    const rows = readRecords(parseCsv(formatCsv(figures)));
    const keys = rows.map((row) => Object.values(row).slice(0, figures.keyColumns).join());
    expect(new Set(keys).size).toBe(rows.length);
    const { table, plot } = PLACEMENT.summarize(rows);
    for (const row of table.rows) expect(row).toHaveLength(table.head.length);
    expect(JSON.stringify(table.rows)).not.toMatch(/NaN|Infinity/);
    expect(plot.series.map(({ name }) => name)).toEqual(['interleaved', 'first-touch', 'home']);

    const sum = (of: Readonly<Record<string, string | number>>, column: keyof CsvRecord) =>
      rowsWhere(rows, of).reduce((total, row) => total + Number(row[column]), 0);
    expect(sum({ placement: 'replicated' }, 'remoteBytes')).toBe(0);
    for (const placement of ['interleaved', 'first-touch', 'home']) {
      expect(sum({ placement }, 'remoteBytes')).toBeGreaterThan(0);
      expect(sum({ placement, linkBytesPerCycle: 16 }, 'cycles')).toBeGreaterThan(
        sum({ placement, linkBytesPerCycle: 256 }, 'cycles'),
      );
    }
    const bytesWith = (remoteCache: string) =>
      sum({ placement: 'interleaved', remoteCache, chiplets: 4 }, 'remoteBytes');
    expect(sum({ remoteCache: 'none' }, 'linesCached')).toBe(0);
    expect(bytesWith('own')).toBeLessThan(bytesWith('none'));
  });
});
