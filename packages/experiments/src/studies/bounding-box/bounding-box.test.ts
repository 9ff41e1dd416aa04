import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv, readRecords } from '../../tables/csv.ts';
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import {
  type BoundingBoxRow,
  gainOf,
  LEVELS,
  pixelWeightedGain,
  studyBoundingBox,
} from './bounding-box.ts';
import { countsTable, gainsTable, readCounts } from './bounding-box-tables.ts';
import { plotGains } from './gain-plot.ts';

const ROW: BoundingBoxRow = {
  scene: 's',
  widthPx: 200,
  heightPx: 150,
  tilePoint: 'corner',
  withoutBoxTest: [0, 4, 0, 0, 0, 10, 100],
  withBoxTest: [0, 3, 0, 0, 0, 8, 50],
};

describe('bounding-box study', () => {
  it('gives the share of a level that the box test removes', () => {
    expect(LEVELS.map((level) => gainOf(ROW, level))).toEqual([0, 0.25, 0, 0, 0, 0.2, 0.5]);
  });

  it('weights sub-tiles by their pixels in the mean', () => {
    // A sub-tile of level 2 has 1024 pixels, of level 6 four, of level 7 one.
    expect(pixelWeightedGain([ROW])).toBeCloseTo((1024 + 8 + 50) / (4096 + 40 + 100), 12);
    expect(pixelWeightedGain([])).toBe(0);
  });

  it('writes table, CSV and plot', () => {
    expect(formatMarkdownTable(gainsTable([ROW])).split('\n')[2]).toBe(
      '| s | 0.0 | 25.0 | 0.0 | 0.0 | 0.0 | 20.0 | 50.0 |',
    );
    const csv = formatCsv(countsTable([ROW]));
    expect(csv.split('\n')[7]).toBe('s,corner,7,200,150,100,50');
    expect(readCounts(readRecords(parseCsv(csv)))).toEqual([ROW]);
    expect(gainsTable([ROW, { ...ROW, scene: 't' }]).rows).toHaveLength(1);
    expect(gainsTable([ROW, { ...ROW, scene: 't' }]).rows[0]![0]).toBe('s, t');
    expect(plotGains([ROW])).toContain('<polyline');
  });

  const model = join(import.meta.dirname, '../../../../../test/golden/models/BoxVertexColors.glb');

  it('walks a model; the box test never adds a sub-tile', async () => {
    const [row] = await studyBoundingBox('box', model, { entersAtBoxLevel: true });
    for (const level of LEVELS) {
      expect(row!.withBoxTest[level - 1]!).toBeLessThanOrEqual(row!.withoutBoxTest[level - 1]!);
    }
    expect(row!.withoutBoxTest[6]!).toBeGreaterThan(0);
  });
});

const CAPTURES = join(import.meta.dirname, '../../../../../../shared/captures');
const SCENES = ['build', 'buffer', 'bump', 'loop', 'jellyfish', 'ideas'];

describe.skipIf(!existsSync(CAPTURES))('bounding-box study of the captures at 200×150', () => {
  it('gains more at the late levels than at the early ones, 4 to 20 % in the mean', async () => {
    const rows: BoundingBoxRow[] = [];
    for (const scene of SCENES) {
      const path = join(CAPTURES, scene, '200x150', 'trace.trace');
      rows.push(
        ...(await studyBoundingBox(scene, path, { entersAtBoxLevel: true })).filter(
          ({ tilePoint }) => tilePoint === 'corner',
        ),
      );
    }
    const gainOver = (levels: readonly number[]) => {
      const gains = rows.flatMap((row) => levels.map((level) => gainOf(row, level)));
      return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
    };
    expect(gainOver([5, 6, 7])).toBeGreaterThan(2 * gainOver([1, 2, 3]));
    expect(pixelWeightedGain(rows)).toBeGreaterThan(0.04);
    expect(pixelWeightedGain(rows)).toBeLessThan(0.2);
  });
});
