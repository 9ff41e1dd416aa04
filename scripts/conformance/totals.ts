/** Totals of a run, by folder and for all cases. */
import type { Outcome, Verdict } from './verdict.ts';

const COLUMNS: readonly Outcome[] = ['pass', 'skipped', 'fail', 'empty', 'timeout', 'crash'];

/**
 * Formats a table: folder, number of cases, number of cases per outcome, assertions, CPU seconds.
 */
export function formatTotals(verdicts: readonly Verdict[]): string {
  const folders = [...new Set(verdicts.map(({ folder }) => folder))];
  const rows = folders.map((folder) =>
    formatRow(
      folder,
      verdicts.filter((verdict) => verdict.folder === folder),
    ),
  );
  const head = ['folder', 'cases', ...COLUMNS, 'assertions', 'CPU s'];
  const table = [head, ...rows, formatRow('all', verdicts)];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  '),
    )
    .join('\n');
}

function formatRow(folder: string, verdicts: readonly Verdict[]): string[] {
  const sum = (countOf: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + countOf(verdict), 0);
  return [
    folder,
    String(verdicts.length),
    ...COLUMNS.map((column) => String(sum(({ outcome }) => (outcome === column ? 1 : 0)))),
    String(sum(({ assertions }) => assertions)),
    (sum(({ cpuMs }) => cpuMs ?? 0) / 1000).toFixed(1),
  ];
}
