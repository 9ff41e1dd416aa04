/** The notebook is valid, has no outputs, and reads columns that studies have. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BOUNDS, STUDY_COLUMNS } from '@tessera/study';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

interface Cell {
  readonly cell_type: string;
  readonly id: string;
  readonly source: readonly string[];
  readonly outputs?: readonly unknown[];
  readonly execution_count?: number | null;
}

const NOTEBOOK = JSON.parse(
  readFileSync(resolve(ROOT, 'docs/studies/read-results.ipynb'), 'utf8'),
) as {
  readonly nbformat: number;
  readonly nbformat_minor: number;
  readonly cells: readonly Cell[];
};
const CODE = NOTEBOOK.cells.filter(({ cell_type }) => cell_type === 'code');

/** Returns the names in `rows[…]` and in lists for groups, without columns that it adds. */
function columnsOf(code: string): string[] {
  const added = [...code.matchAll(/^rows\['(\w+)'\] =/gm)].map(([, name]) => name);
  const places =
    code.match(/rows\[.*?\]+|groupby\(\[.*?\]\)(?:\['\w+'\])?|unstack\('\w+'\)/g) ?? [];
  return places
    .flatMap((place) => [...place.matchAll(/'(\w+)'/g)].map(([, name]) => name!))
    .filter((name) => !added.includes(name));
}

describe('docs/studies/read-results.ipynb', () => {
  it('has the form of version 4.5, and no outputs', () => {
    expect([NOTEBOOK.nbformat, NOTEBOOK.nbformat_minor]).toEqual([4, 5]);
    const ids = NOTEBOOK.cells.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
    for (const { outputs, execution_count } of CODE) {
      expect([outputs, execution_count]).toEqual([[], null]);
    }
  });

  it('reads columns that every sweep has', () => {
    const names = CODE.flatMap(({ source }) => columnsOf(source.join('')));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !Object.hasOwn(STUDY_COLUMNS, name))).toEqual([]);
  });
});

describe('CITATION.cff', () => {
  it('has the version and licence of the repository', () => {
    const citation = readFileSync(resolve(ROOT, 'CITATION.cff'), 'utf8');
    const { version, license } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
    expect(citation).toContain(`\nversion: ${version}\n`);
    expect(citation).toContain(`\nlicense: ${license}\n`);
  });
});

describe('docs/studies/columns.md', () => {
  it('names every part that bounds a frame', () => {
    const { meaning } = STUDY_COLUMNS.boundBy;
    for (const name of Object.keys(BOUNDS)) expect(meaning).toContain(name);
  });
});
