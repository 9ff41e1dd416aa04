/**
 * `npm start`: starts the whole service on this machine and shows examples. `npm run cell` starts
 * the same processes as a cell of a cluster. With `--parent PID` it stops when that process, which
 * must be its parent, exits.
 */
import { parseArgs } from 'node:util';
import { escapeControls } from '@tessera/frame';
import { formatLogLine } from './log-line.ts';
import { LaunchedService } from './service-launcher.ts';
import { showExamples } from './show-examples.ts';

const DEFAULT_WORKERS = 4;
const MAX_WORKERS = 64;
/** Interval at which the launcher checks that its parent is still running. */
const CHECK_PARENT_EVERY_MS = 500;

/** Returns the id of the process with which this one stops, if there is one. */
function parentId(): number | null {
  try {
    const { parent } = parseArgs({ options: { parent: { type: 'string' } } }).values;
    return parent === undefined ? null : Number(parent);
  } catch (error) {
    process.stderr.write(`npm start: ${escapeControls((error as Error).message)}\n`);
    process.exit(2);
  }
}

function workerCount(): number {
  const text = process.env.TESSERA_WORKERS ?? String(DEFAULT_WORKERS);
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > MAX_WORKERS) {
    process.stderr.write(`TESSERA_WORKERS: '${text}' is not an integer from 0 to ${MAX_WORKERS}\n`);
    process.exit(2);
  }
  return count;
}

/**
 * Stops when the npm that started this process exits. npm forwards SIGINT and SIGTERM, but does not
 * report other exits. The script of package.json passes npm's id, because npm may have exited while
 * this process was loading its modules.
 */
function stopWithParent(parent: number, onLeft: () => void): void {
  const check = () => {
    if (process.ppid !== parent) onLeft();
  };
  check();
  setInterval(check, CHECK_PARENT_EVERY_MS).unref();
}

const parent = parentId();
const count = workerCount();
const environment = { TESSERA_LOG_LEVEL: process.env.TESSERA_LOG_LEVEL ?? 'warn' };
const stopping = new AbortController();
let service: LaunchedService | null = null;

process.stdout.write(`Starting a coordinator, a visibility chiplet and ${count} workers …\n`);

async function stop(): Promise<void> {
  if (stopping.signal.aborted) return;
  process.stdout.write('\nStopping …\n');
  stopping.abort();
  if (service === null) return; // The start fails with an error.
  await service.stop();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
if (parent !== null) stopWithParent(parent, stop);

try {
  service = await LaunchedService.start({
    workerCount: count,
    environment,
    isRestarting: true,
    stopSignal: stopping.signal,
    onLine: (name, line) => {
      if (!stopping.signal.aborted) process.stderr.write(`${formatLogLine(name, line)}\n`);
    },
    onFatal: (message) => {
      process.stderr.write(`${escapeControls(message)}; everything was stopped\n`);
      process.exit(1);
    },
  });
} catch (error) {
  if (stopping.signal.aborted) process.exit(0);
  process.stderr.write(`${escapeControls((error as Error).message)}\n`);
  process.exit(1);
}

if (process.env.TESSERA_ROLE === 'cell') {
  process.stdout.write(`
The cell is up: a visibility chiplet and ${count} workers take work of the cluster.

  dashboard of this cell   ${service.url}/

Ctrl-C gives unfinished work back and stops everything.
`);
} else {
  const logLevel = environment.TESSERA_LOG_LEVEL;
  await showExamples(service, { workerCount: count, logLevel, signal: stopping.signal });
}
