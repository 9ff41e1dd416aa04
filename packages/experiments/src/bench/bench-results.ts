/** Results of benchmarks in one CSV, each line with the machine, versions and commit that it was measured with. */
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

export interface BenchResult {
  readonly scene: string;
  /** What was measured, such as `functional, CPU`. */
  readonly quantity: string;
  /** `ms`, `MB`, `×` … */
  readonly unit: string;
  readonly median: number;
  readonly least?: number | undefined;
  readonly rounds: number;
}

/** Writes the results of one benchmark into the file, in place of what it had of that benchmark. */
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

/** The commit that was measured, `+` behind it if files were changed since; `unknown` outside of a repository. */
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
