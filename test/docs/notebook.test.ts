/**
 * The notebook is valid, has no outputs, and reads columns that studies have. Its cells run where
 * Python has pandas and matplotlib.
 */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { BOUNDS, csvPieces, STUDY_COLUMNS, type StudyRow } from '@tessera/study';
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

/** Python that has the packages of the notebook; null if there is none. */
function findPython(): string | null {
  const hasPackages = (python: string) => {
    try {
      execFileSync(python, ['-c', 'import pandas, matplotlib'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  return ['python3', '/usr/bin/python3'].find(hasPackages) ?? null;
}

const PYTHON = findPython();

describe.skipIf(PYTHON === null)('the cells of the notebook', () => {
  it('load rows over HTTP with a token and make the scaling plot', {
    timeout: 60_000,
  }, async () => {
    const rows = ['static', 'dynamic'].flatMap((policy) =>
      [1, 2, 4].flatMap((chiplets) =>
        ['box', 'duck'].map((scene, index) => ({
          scene,
          policy,
          chiplets,
          cycles: 1000 / chiplets,
          visibilityCycles: 10,
          lowerBoundCycles: 900 / chiplets,
          speedUp: chiplets ** (1 / (index + 1)),
          boundBy: 'all-bins' as const,
        })),
      ),
    ) satisfies Partial<StudyRow>[];
    const csv = [...csvPieces([rows], { swept: [], counters: [] })].join('');
    const server = createServer((request, response) => {
      const isAllowed = request.headers.authorization === 'Bearer secret';
      response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? csv : '');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const script = [
      ...CODE.map(({ source }) => source.join('')),
      'print(axes.get_xlabel(), [len(line.get_xdata()) for line in axes.lines])',
      "print(speed_ups.loc[4, 'static'])",
    ].join('\n');
    try {
      const { stdout } = await promisify(execFile)(PYTHON!, ['-c', script], {
        env: {
          ...process.env,
          MPLBACKEND: 'Agg',
          TESSERA_ROWS: `http://127.0.0.1:${port}/v1/studies/s/results.csv`,
          TESSERA_TOKEN: 'secret',
        },
      });
      const [shape, mean] = stdout.trim().split('\n').slice(-2);
      // Two policies and the ideal line, each with three numbers of chiplets.
      expect(shape).toBe('chiplets [3, 3, 3]');
      expect(Number(mean)).toBeCloseTo(Math.sqrt(4 * 2));
    } finally {
      server.close();
    }
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
