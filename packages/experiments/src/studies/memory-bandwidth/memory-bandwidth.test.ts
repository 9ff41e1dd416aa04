import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chipletPreset } from '@tessera/chiplet-spec';
import { describe, expect, it } from 'vitest';
import { formatCsv } from '../../tables/csv.ts';
import { plotBandwidth } from './bandwidth-plot.ts';
import { bandwidthTable } from './bandwidth-tables.ts';
import { studyFill } from './drawn-fill.ts';
import { PAPER, studyBandwidth } from './memory-bandwidth.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

describe('memory-bandwidth study', async () => {
  const rows = studyBandwidth(chipletPreset('hmgpu'));
  const fill = await studyFill(chipletPreset('hmgpu'));
  const [traffic, color, depth] = fill;
  const fromPaper = (pixelsPerSecond: number) => pixelsPerSecond / PAPER.pixelsPerSecond - 1;

  it('gives the committed table and plot', () => {
    const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
    expect(formatCsv(bandwidthTable(rows, fill))).toBe(read('results/memory-bandwidth.csv'));
    expect(plotBandwidth(rows)).toBe(read('docs/studies/memory-bandwidth.svg'));
  });

  it('matches the paper within 1 % at bursts of a page', () => {
    const page = rows.find(({ clients, busCycles }) => clients === 1 && busCycles === 64)!;
    expect(Math.abs(page.bytesPerSecond / PAPER.bytesPerSecond - 1)).toBeLessThan(0.01);
    expect(Math.abs(fromPaper(traffic!.pixelsPerSecond))).toBeLessThan(0.01);
    expect((traffic!.pixelsPerSecond / 1e6).toFixed(2)).toBe('290.67');
  });

  it('draws color 5 % faster than the paper fills, and color with depth a third slower', () => {
    expect(fromPaper(color!.pixelsPerSecond)).toBeCloseTo(0.05, 2);
    expect(fromPaper(depth!.pixelsPerSecond)).toBeCloseTo(-0.32, 2);
    // Drawn frames have the bandwidth of the paper. The difference is in the bytes of a pixel.
    for (const { bytesPerSecond } of [color!, depth!]) {
      expect(Math.abs(bytesPerSecond / PAPER.bytesPerSecond - 1)).toBeLessThan(0.06);
    }
    // A fine bin exceeds the color cache, so most of its pixels are read back for the bus.
    expect(color!.bytesReadPerPixel).toBeGreaterThan(3);
    expect(depth!.bytesWrittenPerPixel).toBeGreaterThan(color!.bytesWrittenPerPixel + 3);
  });
});
