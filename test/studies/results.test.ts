import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../packages/experiments/src/tables/csv.ts';
import { readTable } from '../../packages/experiments/src/tables/document-tables.ts';
import {
  HAS_SHARED,
  RESULT_FILES,
  ROOT,
  WITHOUT_SAMPLE,
} from '../../packages/experiments/src/testing/result-files.ts';
import { findDifferences } from '../../packages/experiments/src/testing/row-differences.ts';

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the text of a document without tables, code and links. */
function proseOf(document: string): string {
  return document
    .replaceAll(/<!-- table[\s\S]*?<!-- end of table -->/g, '')
    .replaceAll(/```[\s\S]*?```|^ {4}.*$|`[^`]*`|\]\([^)]*\)/gm, '');
}

/**
 * Lists the figures of a text: numbers with a decimal point, and numbers with commas between
 * thousands, without the commas.
 */
function findFigures(text: string): string[] {
  const figures = text.match(/\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+/g) ?? [];
  return figures.map((figure) => figure.replaceAll(',', ''));
}

const FILES = readdirSync(join(ROOT, 'results')).filter((name) => name.endsWith('.csv'));

describe('results', () => {
  it('are each sampled, or named with the reason why not', () => {
    const known = [...Object.keys(RESULT_FILES), ...Object.keys(WITHOUT_SAMPLE)];
    expect(FILES.sort()).toEqual(known.sort());
    for (const { samples } of Object.values(RESULT_FILES)) expect(samples).not.toHaveLength(0);
  });

  it.each(FILES)('%s has rows as wide as its head, and no two with one key', (file) => {
    const { rows } = parseCsv(read(`results/${file}`));
    expect(rows.length).toBeGreaterThan(0);
    const { keyColumns } = (RESULT_FILES[file] ?? WITHOUT_SAMPLE[file])!;
    const seen = new Set<string>();
    const repeated = rows
      .map((row) => row.slice(0, keyColumns).join(', '))
      .filter((key) => seen.size === seen.add(key).size);
    expect(repeated.slice(0, 10)).toEqual([]);
  });
});

describe.each(Object.entries(RESULT_FILES))('results/%s', (file, result) => {
  for (const { title, needsShared, compute } of result.samples) {
    it.skipIf(needsShared && !HAS_SHARED)(`has what the study computes: ${title}`, async () => {
      const sample = await compute();
      expect(sample.table.rows.length).toBeGreaterThan(0);
      expect(findDifferences(parseCsv(read(`results/${file}`)), sample)).toEqual([]);
    });
  }

  const { listScenes, showTables, showPlot } = result;

  if (listScenes !== undefined) {
    it.skipIf(!HAS_SHARED)('has the scenes that the study was run on', async () => {
      const names = (await listScenes()).map(({ name }) => name);
      const { rows } = parseCsv(read(`results/${file}`));
      expect([...new Set(rows.map(([scene]) => scene))]).toEqual(names);
    });
  }

  if (showTables !== undefined) {
    it('has the tables of its document', () => {
      for (const { document, name, table } of showTables(read(`results/${file}`))) {
        expect(readTable(read(document), name)).toBe(table);
      }
    });
  }

  if (showTables !== undefined) {
    it('has the figures that the text of its document quotes', () => {
      const csv = read(`results/${file}`);
      const shown = showTables(csv);
      const tables = shown.map(({ table }) => table).join();
      const known = new Set([...findFigures(tables), ...parseCsv(csv).rows.flat()]);
      for (const document of new Set(shown.map((each) => each.document))) {
        const unknown = findFigures(proseOf(read(document))).filter((each) => !known.has(each));
        expect(unknown.filter((each) => result.otherFigures?.[each] === undefined)).toEqual([]);
      }
    });
  }

  if (showPlot !== undefined) {
    it('has the plot of its document', () => {
      const { file: plot, svg } = showPlot(read(`results/${file}`));
      expect(read(plot)).toBe(svg);
    });
  }
});
