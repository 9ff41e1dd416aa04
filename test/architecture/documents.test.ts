/**
 * Tables of documents match the tables in the code, links resolve, and long files give a reason.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  COUNTERS,
  ERROR_CODES,
  IDLE_REASONS,
  LINK_TRANSFER_KINDS,
  PATH_STEPS,
} from '@tessera/frame';
import {
  DEFAULT_INTERCONNECT,
  DEFAULT_NETWORK,
  INTERCONNECT_FIELDS,
  LINK_TOPOLOGY_NAMES,
  NETWORK_FIELDS,
  NETWORK_TOPOLOGIES,
  TOPOLOGIES,
} from '@tessera/multi-chiplet';
import { BENCHMARK_SET_VERSION } from '@tessera/scenes';
import { ENERGY_COLUMNS, STUDY_COLUMNS } from '@tessera/study';
import { describe, expect, it } from 'vitest';
import { VISIBILITY_STREAM_COLUMNS } from '../../packages/experiments/src/studies/bins/visibility-stream.ts';
import { parseCsv } from '../../packages/experiments/src/tables/csv.ts';
import { RESULT_COLUMNS } from '../../packages/experiments/src/tables/result-columns.ts';
import { writeBenchmarkTables } from '../../scripts/generate/generate-benchmark-docs.ts';
import { writeEnergyTables } from '../../scripts/generate/generate-energy-docs.ts';
import { writeSpecTables } from '../../scripts/generate/generate-spec-docs.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function readDocument(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Returns the rows of the tables of a document, with trimmed cells and without code marks. */
function readTable(path: string): string[][] {
  return readDocument(path)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    );
}

function listFiles(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}

describe('documents', () => {
  it('docs/errors.md lists the table of error codes', () => {
    expect(readTable('docs/errors.md')).toEqual(
      Object.entries(ERROR_CODES).map(([code, { httpStatus, isRetryable, meaning }]) => [
        code,
        String(httpStatus),
        isRetryable ? 'yes' : 'no',
        meaning,
      ]),
    );
  });

  it('docs/studies/columns.md lists the columns of studies', () => {
    expect(readTable('docs/studies/columns.md')).toEqual(
      Object.entries({ ...STUDY_COLUMNS, ...ENERGY_COLUMNS, ...RESULT_COLUMNS }).map(
        ([name, { unit, meaning }]) => [name, unit, meaning],
      ),
    );
  });

  it('docs/studies/columns.md lists every column of results, each under one name', () => {
    // Benchmarks are no studies. Figures of sequences have a column per policy and feature.
    const files = listFiles('results', '.csv').filter(
      (path) => !path.endsWith('bench.csv') && !path.includes('sequences'),
    );
    const used = new Set(files.flatMap((path) => parseCsv(readDocument(path)).head));
    const common = Object.keys({ ...STUDY_COLUMNS, ...ENERGY_COLUMNS });
    const own = Object.keys(RESULT_COLUMNS);
    expect([...used].filter((name) => !common.includes(name) && !own.includes(name))).toEqual([]);
    const printed: readonly string[] = VISIBILITY_STREAM_COLUMNS;
    expect(own.filter((name) => !used.has(name) && !printed.includes(name))).toEqual([]);
    expect(own.filter((name) => common.includes(name))).toEqual([]);
  });

  it('docs/counters.md lists the table of counters', () => {
    expect(readTable('docs/counters.md')).toEqual(
      Object.entries(COUNTERS).map(([name, { unit, meaning }]) => [name, unit, meaning]),
    );
  });

  it('docs/chiplet-spec.md lists the parameters of a chiplet, the presets and their sources', () => {
    const document = readDocument('docs/chiplet-spec.md');
    expect(document).toContain('| `l2CacheBytes` | 4096 to 67108864 bytes, a power of two |');
    expect(document).toBe(writeSpecTables(document));
  });

  it('docs/causes.md lists the steps of critical paths and the reasons of idle chiplets', () => {
    const names = readTable('docs/causes.md').map(([name]) => name);
    expect(names.slice(0, PATH_STEPS.length)).toEqual([...PATH_STEPS]);
    expect(names.slice(-IDLE_REASONS.length)).toEqual([...IDLE_REASONS]);
  });

  it('docs/energy.md lists events, memories, links and published figures', () => {
    const document = readDocument('docs/energy.md');
    expect(document).toContain('| `floatMultiply` | 3.7 pJ, 32 bits | 45 nm |');
    expect(document).toBe(writeEnergyTables(document));
  });

  it('docs/benchmark-set.md lists the benchmark set', () => {
    const document = readDocument('docs/benchmark-set.md');
    expect(document).toBe(writeBenchmarkTables(document));
    expect(document).toContain(`This is version ${BENCHMARK_SET_VERSION} of the set.`);
  });

  it('docs/interconnect.md lists the parameters and topologies of the crosslink', () => {
    const table = readTable('docs/interconnect.md');
    const topologies = LINK_TOPOLOGY_NAMES.join(', ');
    const parameters = Object.entries(INTERCONNECT_FIELDS).map(
      ([name, { unit, min, max, meaning }]) => [
        name,
        `${min} to ${max}`,
        String(DEFAULT_INTERCONNECT[name as keyof typeof INTERCONNECT_FIELDS]),
        `${unit}: ${meaning}`,
      ],
    );
    expect(table.slice(0, 3)).toEqual([
      ['topology', topologies, DEFAULT_INTERCONNECT.topology, 'how chiplets are joined'],
      ...parameters,
    ]);
    expect(table.slice(3, 6)).toEqual(Object.entries(TOPOLOGIES));
    expect(table.slice(6).map(([kind]) => kind)).toEqual([...LINK_TRANSFER_KINDS]);
  });

  it('docs/network.md lists the parameters and topologies of the packet network', () => {
    const topologies = Object.entries(NETWORK_TOPOLOGIES);
    const names = topologies.map(([name]) => name).join(', ');
    const parameters = Object.entries(NETWORK_FIELDS).map(([name, { unit, min, max, meaning }]) => [
      name,
      `${min} to ${max}`,
      String(DEFAULT_NETWORK[name as keyof typeof NETWORK_FIELDS]),
      `${unit}: ${meaning}`,
    ]);
    const table = readTable('docs/network.md');
    const rows = [
      ['topology', names, DEFAULT_NETWORK.topology, 'how chiplets are joined'],
      ...parameters,
      ...topologies.map(([name, { links }]) => [name, links]),
    ];
    expect(table.slice(0, rows.length)).toEqual(rows);
    // The last table gives the source of every value.
    const sources = table.slice(rows.length).flatMap(([names]) => names!.split('`, `'));
    expect(sources).toEqual(Object.keys(NETWORK_FIELDS).filter((name) => sources.includes(name)));
    expect(sources.length).toBe(parameters.length);
  });

  it('links between documents resolve', () => {
    const documents = [
      'README.md',
      'SECURITY.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      ...listFiles('docs', '.md'),
    ];
    const broken = documents.flatMap((path) =>
      [...readDocument(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
        .map((match) => match[1]!)
        .filter((target) => !existsSync(resolve(ROOT, dirname(path), target)))
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
