import { terrainFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import { type CsvRecord, formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { MeasurementStore } from '../scenes/measurement-store.ts';
import { rowsWhere } from './chiplet-study.ts';
import { PERFORMANCE_PER_WATT } from './performance-per-watt.ts';

describe('study of performance per watt', { timeout: 120_000 }, () => {
  it('differs between packages by the energy of links and by cost alone', async () => {
    const store = await MeasurementStore.open();
    const frame = terrainFrame({ widthPx: 128, heightPx: 96, triangles: 512 });
    const settings = PERFORMANCE_PER_WATT.settings(16);
    const bySetting = await store.measure({ read: async () => frame }, settings);
    const figures = PERFORMANCE_PER_WATT.figures([{ scene: 'terrain', bySetting }]);
    const rows = readRecords(parseCsv(formatCsv(figures)));
    const keys = rows.map((row) => Object.values(row).slice(0, figures.keyColumns).join());
    expect(new Set(keys).size).toBe(rows.length);
    const { table, plot } = PERFORMANCE_PER_WATT.summarize(rows);
    for (const row of table.rows) expect(row).toHaveLength(table.head.length);
    expect(JSON.stringify(table.rows)).not.toMatch(/NaN|Infinity/);
    expect(table.rows).toHaveLength(4 * plot.series.length);

    const of = (gpu: string, chiplets: number, column: keyof CsvRecord) => {
      const [row, ...others] = rowsWhere(rows, { gpu, chiplets });
      expect(others).toEqual([]);
      return Number(row![column]);
    };
    for (const chiplets of [2, 4, 8, 16]) {
      for (const { gpu = '' } of rowsWhere(rows, { chiplets })) {
        const [low, typical, high] = ['energyLowPj', 'energyTypicalPj', 'energyHighPj'].map(
          (name) => of(gpu, chiplets, name),
        );
        expect(low).toBeGreaterThan(0);
        expect(typical).toBeGreaterThan(low!);
        expect(high).toBeGreaterThan(typical!);
        // Cycles of 1 ns, milliwatts of picojoules.
        expect(
          of(gpu, chiplets, 'powerTypicalMw') / (typical! / of(gpu, chiplets, 'cycles')),
        ).toBeCloseTo(1, 4);
        expect(of(gpu, chiplets, 'unitUsdHigh')).toBeGreaterThan(of(gpu, chiplets, 'unitUsdLow'));
      }
      for (const memory of ['copies', 'one memory']) {
        const [organic, interposer] = [`organic, ${memory}`, `interposer, ${memory}`];
        expect(of(interposer, chiplets, 'cycles')).toBe(of(organic, chiplets, 'cycles'));
        const saved = ['energyLowPj', 'energyTypicalPj', 'energyHighPj'].map(
          (name) => of(organic, chiplets, name) - of(interposer, chiplets, name),
        );
        // 0.5, 0.54 and 0.6 pJ/bit, and 0.2, 0.25 and 0.3, for the same bytes.
        expect(saved[0]! / saved[2]!).toBeCloseTo(1, 4);
        expect(saved[1]! / saved[2]!).toBeCloseTo(0.29 / 0.3, 4);
        expect(saved[0]).toBeGreaterThan(0);
      }
      expect(of('one-die', chiplets, 'relativeCost')).toBe(1);
      expect(of('one-die', chiplets, 'dieMm2')).toBeGreaterThan(
        of('organic, copies', chiplets, 'dieMm2'),
      );
      expect(of('one-die', chiplets, 'dieYield')).toBeLessThan(
        of('organic, copies', chiplets, 'dieYield'),
      );
    }
  });
});
