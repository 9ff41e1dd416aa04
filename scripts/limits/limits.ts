/**
 * `npm run limits`: starts the service, sends each route the worst requests that the limits permit,
 * and measures the latency of /livez and the memory of the coordinator. The exit status is 1 if a
 * bound is exceeded.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LaunchedService } from '../launch/service-launcher.ts';
import { prepareFrames } from './limit-inputs.ts';
import { Meter } from './meter.ts';
import { type CaseState, ROUTE_CASES } from './route-cases.ts';

/** Bounds stated in docs/test-runs.md. */
const MOST_LIVE_MS = 1000;
const MOST_BYTES = 2 ** 30;
const MEASURE_EVERY_MS = 20;
/** Time after a case during which its remaining work is included in the measurement. */
const SETTLE_MS = 1000;
const MEGABYTE = 2 ** 20;
/**
 * Timeout for clients that do not read. It is shorter than the default, because the memory that
 * such a client holds does not depend on it.
 */
const WRITE_STALL_MS = 4000;

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: [] },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'tessera-limits-'));
const lines: string[] = [];
const launched = await LaunchedService.start({
  workerCount: Number(values.workers),
  environment: {
    TESSERA_PORT: '0',
    TESSERA_DATA_DIR: folder,
    TESSERA_LOG_LEVEL: 'warn',
    TESSERA_WRITE_STALL_MS: String(WRITE_STALL_MS),
  },
  isRestarting: false,
  onLine: (name, line) => lines.push(`${name}: ${line}`),
  onFatal: (message) => lines.push(message),
});
let isWithin = true;
let meter: Meter | null = null;

function row(...cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

async function measure(
  name: string,
  input: string,
  run: () => Promise<unknown>,
  mostBytes = MOST_BYTES,
): Promise<void> {
  const startMs = performance.now();
  await meter!.read();
  let failure = '';
  try {
    await run();
    await sleep(SETTLE_MS);
  } catch (error) {
    isWithin = false;
    failure = `: failed, ${(error as Error).message}`;
  }
  const { worstLiveMs, largestBytes } = await meter!.read();
  if (worstLiveMs > MOST_LIVE_MS || largestBytes > mostBytes) isWithin = false;
  const seconds = (performance.now() - startMs - SETTLE_MS) / 1000;
  const [load] = loadavg();
  const live = worstLiveMs.toFixed(0);
  const memory = (largestBytes / MEGABYTE).toFixed(0);
  row(`\`${name}\``, `${input}${failure}`, seconds.toFixed(1), live, memory, load!.toFixed(1));
}

try {
  const { url, headers } = launched;
  const pid = launched.pids().get('coordinator')!;
  meter = new Meter({ url, pid, everyMs: MEASURE_EVERY_MS });
  const cores = availableParallelism();
  process.stdout.write(`Node ${process.version}, ${cores} cores, ${values.workers} workers\n\n`);
  row('route', 'input', 'seconds', '/livez, max ms', 'memory, max MiB', 'load');
  row('---', '---', '---', '---', '---', '---');
  const state: CaseState = {
    resources: '',
    namingFrame: '',
    sequence: '',
    wideSequence: '',
    study: '',
  };
  const stalledForMs = 3 * WRITE_STALL_MS;
  const service = {
    url,
    headers,
    stalledForMs,
    frames: { largest: '', widest: '', middle: '', small: '' },
  };
  await measure('–', 'frames of the cases below', async () => {
    service.frames = await prepareFrames(service);
  });
  for (const [name, cases] of Object.entries(ROUTE_CASES)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue;
    for (const { input, run, mostBytes } of cases) {
      await measure(name, input, () => run(service, state), mostBytes);
    }
  }
} catch (error) {
  isWithin = false;
  lines.push((error as Error).stack ?? String(error));
} finally {
  await meter?.close();
  await launched.stop();
  rmSync(folder, { recursive: true, force: true });
}
for (const line of lines) process.stderr.write(`${line}\n`);
process.stdout.write(
  `\n${isWithin ? 'within' : 'NOT within'} ${MOST_LIVE_MS} ms and ${MOST_BYTES / MEGABYTE} MiB\n`,
);
process.exitCode = isWithin ? 0 : 1;
