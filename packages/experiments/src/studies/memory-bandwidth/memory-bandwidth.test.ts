import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chipletPreset } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { formatCsv } from '../../tables/csv.ts';
import { plotBandwidth } from './bandwidth-plot.ts';
import { bandwidthTable } from './bandwidth-tables.ts';
import { PAPER, studyBandwidth, studyFillRate } from './memory-bandwidth.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

describe('memory-bandwidth study', () => {
  const rows = studyBandwidth(chipletPreset('hmgpu'));

  it('gives the committed table and plot', () => {
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    expect(formatCsv(bandwidthTable(rows))).toBe(read('results/memory-bandwidth.csv'));
    expect(plotBandwidth(rows)).toBe(read('docs/studies/memory-bandwidth.svg'));
  });

  it('matches the paper within 1 % at bursts of a page', () => {
    const page = rows.find(({ clients, busCycles }) => clients === 1 && busCycles === 64)!;
    expect(Math.abs(page.bytesPerSecond / PAPER.bytesPerSecond - 1)).toBeLessThan(0.01);
    const fill = studyFillRate(chipletPreset('hmgpu'));
    expect(Math.abs(fill / PAPER.pixelsPerSecond - 1)).toBeLessThan(0.01);
    expect((fill / 1e6).toFixed(2)).toBe('290.67');
  });
});
