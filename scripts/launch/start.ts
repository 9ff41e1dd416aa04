/**
 * `npm start`: starts the whole service on this machine, renders an example and prints the address
 * of its image and that of the dashboard. The other examples follow. With `--parent PID` it stops
 * when that process, which must be its parent, exits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { escapeControls } from '@tessera/frame';
import { formatLogLine } from './log-line.ts';
import { renderExamples } from './render-examples.ts';
import { LaunchedService } from './service-launcher.ts';

const DEFAULT_WORKERS = 4;
const MAX_WORKERS = 64;
/** Time for which the other examples wait, so that the page of who opens it now loads first. */
const OTHER_EXAMPLES_AFTER_MS = 3000;
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

/** Lets the coordinator build the scripts of the dashboard while the first example is rendered. */
async function prepareDashboard(url: string): Promise<void> {
  await (await fetch(`${url}/dashboard/scripts/main.js`)).arrayBuffer();
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

const { url, headers } = service;
const tokenOption = 'Authorization' in headers ? "-H 'Authorization: Bearer …' " : '';
const examples = renderExamples(service);
let image: string;
try {
  const [first] = await Promise.all([examples.next(), prepareDashboard(url)]);
  image = url + first.value;
} catch (error) {
  image = `failed: ${escapeControls((error as Error).message)}`;
  process.exitCode = 1;
}
process.stdout.write(`
Tessera is up: a visibility chiplet and ${count} workers.

  first image     ${image}
  dashboard       ${url}/
  documentation   ${url}/docs

Render your own model:

  npx tessera submit model.glb -o image.png${url.endsWith(':8080') ? '' : ` --url ${url}`}

or with HTTP only:

  curl ${tokenOption}-H 'Content-Type: model/gltf-binary' -H 'Prefer: wait=60' -H 'Accept: image/png' \\
    --data-binary @model.glb -o image.png '${url}/v1/frames?name=model.glb'

Log level: TESSERA_LOG_LEVEL=${environment.TESSERA_LOG_LEVEL} (info and debug log more). Ctrl-C stops everything.
`);

try {
  await sleep(OTHER_EXAMPLES_AFTER_MS, undefined, { signal: stopping.signal });
  for await (const _image of examples);
} catch (error) {
  if (!stopping.signal.aborted)
    process.stderr.write(`${escapeControls((error as Error).message)}\n`);
}
