/** The validation is reproducible: its table is what a new measurement gives. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureRows } from '../../packages/experiments/src/studies/validation/measure-rows.ts';
import {
  agrees,
  measurePipelineStatistics,
  showStatistics,
} from '../../packages/experiments/src/studies/validation/pipeline-statistics.ts';
import { judge } from '../../packages/experiments/src/studies/validation/validation-rows.ts';
import { showValidation } from '../../packages/experiments/src/studies/validation/validation-table.ts';
import { readTable } from '../../packages/experiments/src/tables/document-tables.ts';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../docs/validation.md'), 'utf8');

describe('the validation', async () => {
  const rows = await measureRows();

  it('has the table of its document', () => {
    expect(readTable(DOCUMENT, 'model')).toBe(showValidation(rows));
  });

  it.each(rows)('$name is inside its tolerance, or has a reason', (row) => {
    expect(judge(row).isInside).toBe(row.reason === '');
  });
});

const CAPTURES = resolve(import.meta.dirname, '../../../shared/captures');

describe.skipIf(!existsSync(CAPTURES))('pipeline statistics of captures', () => {
  it('are those of the document, and agree with Mesa', async () => {
    const statistics = await measurePipelineStatistics(CAPTURES);
    expect(statistics.filter((capture) => !agrees(capture))).toEqual([]);
    expect(readTable(DOCUMENT, 'captures')).toBe(showStatistics(statistics));
  });
});
