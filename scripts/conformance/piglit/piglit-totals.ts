/** Tables of a run of piglit: outcomes by group, and what does not agree by its cause. */
import type { PiglitOutcome, PiglitResult } from './piglit-result.ts';

const COLUMNS: readonly PiglitOutcome[] = [
  'agrees',
  'wrong',
  'refused',
  'crash',
  'timeout',
  'not judged',
];

/** Formats the outcomes of each group, with the part of the judged tests that agree. */
export function formatGroups(results: readonly PiglitResult[]): string {
  const groups = [...new Set(results.map(({ folder }) => folder)), 'all'];
  const rows = groups.map((group) => {
    const own = results.filter(({ folder }) => group === 'all' || folder === group);
    const counts = COLUMNS.map((column) => own.filter(({ outcome }) => outcome === column).length);
    const judged = own.length - counts.at(-1)!;
    return [group, ...counts, `${((100 * counts[0]!) / Math.max(judged, 1)).toFixed(1)} %`];
  });
  return [['group', ...COLUMNS, 'agree'], ...rows].map((row) => row.join(' | ')).join('\n');
}

/** Formats what does not agree, grouped by its first message without numbers. */
export function formatCauses(results: readonly PiglitResult[]): string {
  const byCause = new Map<string, string[]>();
  for (const { name, outcome, messages } of results) {
    if (outcome === 'agrees' || outcome === 'not judged') continue;
    const reason = outcome === 'wrong' ? (messages[2] ?? '') : messages[0]!.split('\n')[0]!;
    const cause = `${outcome}: ${reason.replaceAll(/call \d+/g, 'call').replaceAll(/\d+/g, 'n')}`;
    byCause.set(cause, [...(byCause.get(cause) ?? []), name]);
  }
  return [...byCause]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(
      ([cause, names]) =>
        `${names.length} × ${cause.slice(0, 200)}\n    ${names.slice(0, 3).join(', ')}`,
    )
    .join('\n');
}
