/**
 * Results of benchmarks in one CSV. Each line has the machine, versions and commit of its
 * measurement.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { formatCsv, parseCsv } from '../tables/csv.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const RESULTS = resolve(ROOT, 'results/bench.csv');
const HEAD = [
  'bench',
  'scene',
  'quantity',
  'unit',
  'median',
  'least',
  'rounds',
  'processor',
  'cores',
  'load',
  'node',
  'commit',
] as const;

/** One figure of a benchmark. */
export interface BenchResult {
  readonly scene: string;
  /** Measured quantity, such as `functional, CPU`. */
  readonly quantity: string;
  /** Unit: `ms`, `MB`, `×` and so on. */
  readonly unit: string;
  readonly median: number;
  readonly least?: number | undefined;
  readonly rounds: number;
}

/** Writes the results of one benchmark into the file and replaces its earlier results. */
export function saveResults(bench: string, results: readonly BenchResult[], path = RESULTS): void {
  const kept = existsSync(path)
    ? parseCsv(readFileSync(path, 'utf8')).rows.filter(([name]) => name !== bench)
    : [];
  const machine = [
    cpus()[0]?.model.trim() ?? 'unknown',
    availableParallelism(),
    loadavg()[0]!.toFixed(1),
    process.version,
    readCommit(),
  ];
  const rows = results.map(({ scene, quantity, unit, median, least, rounds }) => [
    bench,
    scene,
    quantity,
    unit,
    round(median),
    least === undefined ? '' : round(least),
    rounds,
    ...machine,
  ]);
  writeFileSync(path, formatCsv({ head: HEAD, rows: [...kept, ...rows], keyColumns: 4 }));
  process.stdout.write(`\nwritten to ${path}\n`);
}

/**
 * Returns the measured commit, with `+` appended if files were changed since, or `unknown` outside
 * a repository.
 */
function readCommit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      'packages',
      'services',
    );
    return git('rev-parse', '--short', 'HEAD').trim() + (changed === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(3);
}
