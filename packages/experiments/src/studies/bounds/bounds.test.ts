/** The published rows of frames whose bound is known; another test computes them again. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../tables/csv.ts';
import { KNOWN_BOUNDS } from './known-bounds.ts';

const RESULTS = join(import.meta.dirname, '../../../../../results/bounds.csv');
const MAX_ERROR = 0.1;

describe('frames of known bounds', () => {
  const rows = readRecords(parseCsv(readFileSync(RESULTS, 'utf8')));

  it.each(Object.entries(KNOWN_BOUNDS))('%s: right bound, right prediction', (scene, known) => {
    const row = rows.find((each) => each.scene === scene && each.bound === '1')!;
    expect(row.boundUnits).toBe(known.resource);
    expect(Math.abs(Number(row.predictionError))).toBeLessThan(MAX_ERROR);
    expect(Number(row.cyclesMeasured)).toBeLessThan(0.8 * Number(row.cycles));
  });
});
