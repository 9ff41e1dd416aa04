/**
 * `npm run limits`: starts the service, sends each route the worst requests that the limits permit,
 * and measures the latency of /livez, the memory of the coordinator and the processor time of its
 * threads and of the chiplets. The exit status is 1 if a bound is exceeded.
 *
 * With `--write` each row replaces that of the same route and input in results/limits.json and in
 * the table of docs/test-runs.md. With `--only ROUTE` only those rows are measured.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
  cellsOf,
  headOfTable,
  isWithin,
  type LimitRow,
  lineOf,
  MOST_BYTES,
  MOST_LIVE_MS,
  mergeRows,
  readResults,
  writeResults,
} from './limit-results.ts';
import { sortRows } from './row-order.ts';
import { runLimits } from './run-limits.ts';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});
const lines: string[] = [];
process.stdout.write(`${headOfTable().join('\n')}\n`);
const { rows, failures } = await runLimits({
  workers: Number(values.workers),
  only: values.only,
  hasFrames: true,
  onRow: (row, failure) => {
    if (values.write && failure === null) addRow(row);
    const cells = cellsOf(row);
    const input = failure === null ? row.input : `${row.input}: failed, ${failure.message}`;
    process.stdout.write(`${lineOf(cells.map((cell, i) => (i === 1 ? input : cell)))}\n`);
  },
  onLine: (line) => lines.push(line),
});
for (const line of [...lines, ...failures]) process.stderr.write(`${line}\n`);
const isAllWithin = failures.length === 0 && rows.every(isWithin);
process.stdout.write(
  `\n${isAllWithin ? 'within' : 'NOT within'} ${MOST_LIVE_MS} ms and ${MOST_BYTES / 1e9} GB\n`,
);
process.exitCode = isAllWithin ? 0 : 1;

/** Adds a row to the results in the repository, as soon as it is measured. */
function addRow(row: LimitRow): void {
  const earlier = readResults()?.rows ?? [];
  writeResults({
    node: process.version,
    cores: availableParallelism(),
    workers: Number(values.workers),
    rows: sortRows(mergeRows(earlier, [row])),
  });
}
