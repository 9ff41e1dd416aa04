/** Tables of a run of piglit: outcomes by group, and what does not agree by its cause. */
import { formatCsv, parseCsv, readRecords } from '@tessera/experiments/csv';
import type { PiglitOutcome, PiglitResult } from './piglit-result.ts';

const COLUMNS: readonly PiglitOutcome[] = [
  'agrees',
  'wrong',
  'refused',
  'crash',
  'timeout',
  'not judged',
];
const MAX_CAUSE_LENGTH = 160;

/** Formats the outcomes of each group as Markdown, with the part of the judged that agree. */
export function formatGroups(results: readonly PiglitResult[]): string {
  const groups = [...new Set(results.map(({ folder }) => folder)), 'all'];
  const rows = groups.map((group) => {
    const own = results.filter(({ folder }) => group === 'all' || folder === group);
    const counts = COLUMNS.map((column) => own.filter(({ outcome }) => outcome === column).length);
    const judged = own.length - counts.at(-1)!;
    const part = (100 * counts[0]!) / Math.max(judged, 1);
    return [group, ...counts.map(String), `${part.toFixed(1)} %`];
  });
  return formatMarkdown(['group', ...COLUMNS, 'agree'], rows);
}

/** Formats what does not agree as Markdown, by cause: number, cause and one test. */
export function formatCauses(results: readonly PiglitResult[]): string {
  const byCause = new Map<string, string[]>();
  for (const result of results) {
    if (result.outcome === 'agrees' || result.outcome === 'not judged') continue;
    const cause = causeOf(result);
    byCause.set(cause, [...(byCause.get(cause) ?? []), result.name]);
  }
  const rows = [...byCause]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([cause, names]) => [String(names.length), cause, `\`${names[0]!}\``]);
  return formatMarkdown(['tests', 'cause', 'one of them'], rows);
}

/** Writes results as CSV: name, group, outcome and cause of each test. */
export function formatResults(results: readonly PiglitResult[]): string {
  const rows = results.map((result) => [
    result.name,
    result.folder,
    result.outcome,
    result.outcome === 'agrees' ? '' : causeOf(result),
  ]);
  return formatCsv({ head: ['test', 'group', 'outcome', 'cause'], rows, keyColumns: 1 });
}

/** Reads results from CSV; their cause is their only message. */
export function parseResults(text: string): PiglitResult[] {
  return readRecords(parseCsv(text)).map(({ test, group, outcome, cause }) => ({
    name: test!,
    folder: group!,
    outcome: outcome as PiglitOutcome,
    messages: cause === '' ? [] : [cause!],
  }));
}

/** Returns the first line of the reason, without the numbers of calls and programs. */
function causeOf({ outcome, messages }: PiglitResult): string {
  const [first = ''] = messages[0]?.split('\n') ?? [];
  const cause = first
    .replace(/^call \d+ /, '')
    .replaceAll(/\b(program|shader|texture|framebuffer|query) \d+\b/g, '$1')
    .replaceAll('|', '/')
    .slice(0, MAX_CAUSE_LENGTH);
  return cause.startsWith(outcome) ? cause : `${outcome}: ${cause}`;
}

function formatMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
