/** `tessera counters [TEXT]`: explains counters, and shows those of a report. */
import { COUNTERS, RenderError, type Report } from '@tessera/frame';
import { readReport } from '../reports/read-report.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';

type CounterRow = { name: string; unit: string; meaning: string };

/** Runs the command. @throws {RenderError} On bad options or a file that is not a report. */
export async function runCountersCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    json: { type: 'boolean', default: false },
    report: { type: 'string' },
  });
  if (positionals.length > 1) throw new RenderError('REQUEST_INVALID', 'give at most one text');
  const text = (positionals[0] ?? '').toLowerCase();
  const found = Object.entries(COUNTERS)
    .map(([name, { unit, meaning }]) => ({ name, unit, meaning }))
    .filter(({ name, meaning }) => `${name} ${meaning}`.toLowerCase().includes(text));
  if (found.length === 0) {
    throw new RenderError('REQUEST_INVALID', `no counter has '${text}' in its name or meaning`);
  }
  if (values.report === undefined) {
    const rows = found.map(({ name, unit, meaning }) => [name, unit, meaning]);
    if (values.json) printJson(found);
    else printText(formatColumns(rows));
    return;
  }
  const { chiplets } = await readReport(values.report);
  const counted = countsOf(found, chiplets);
  if (values.json) {
    printJson(counted);
    return;
  }
  const head = ['counter', 'unit', ...chiplets.map(({ id }) => `chiplet ${id}`)];
  const rows = counted.map(({ name, unit, chiplets: counts }) => [
    name,
    unit,
    ...counts.map(String),
  ]);
  printText(formatColumns([head, ...rows]));
}

type ChipletCounts = Pick<Report['chiplets'][number], 'id' | 'counters'>;

/** Returns the counts of the chiplets by counter, without counters that are 0 on every chiplet. */
function countsOf(counters: readonly CounterRow[], chiplets: readonly ChipletCounts[]) {
  return counters
    .map(({ name, unit }) => ({
      name,
      unit,
      chiplets: chiplets.map(
        ({ counters: counts }) => (counts as Readonly<Record<string, number>>)[name] ?? 0,
      ),
    }))
    .filter(({ chiplets: counts }) => counts.some((count) => count > 0));
}
