/** Sends the routes of a service their worst requests and measures what each costs. */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchedService } from '../launch/service-launcher.ts';
import { prepareFrames } from './limit-inputs.ts';
import type { LimitRow } from './limit-results.ts';
import { Meter } from './meter.ts';
import { readProcessorTime } from './processor-time.ts';
import { type CaseState, ROUTE_CASES } from './route-cases.ts';

const MEASURE_EVERY_MS = 20;
/** Time after a case during which its remaining work is included in the measurement. */
const SETTLE_MS = 1000;
/**
 * Timeout for clients that do not read. It is shorter than the default, because the memory that
 * such a client holds does not depend on it.
 */
const WRITE_STALL_MS = 4000;

/** Name of the row of the frames that the cases use. */
export const PREPARATION = '–';

/** Settings of a run. */
export interface LimitRun {
  readonly workers: number;
  /** Operations to run; all if it is empty. */
  readonly only: readonly string[];
  /** Whether the frames that most cases use are rendered first. */
  readonly hasFrames: boolean;
  readonly onRow: (row: LimitRow, failure: Error | null) => void;
  readonly onLine: (line: string) => void;
}

/** Outcome of a run. */
export interface LimitOutcome {
  readonly rows: readonly LimitRow[];
  /** Cases that could not be run, by route and input. */
  readonly failures: readonly string[];
}

/**
 * Runs the cases on a service of its own. One function, because the measurement of a case refers to
 * the service, the meter and the rows so far.
 */
export async function runLimits(run: LimitRun): Promise<LimitOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-limits-'));
  const rows: LimitRow[] = [];
  const failures: string[] = [];
  const launched = await LaunchedService.start({
    workerCount: run.workers,
    environment: {
      TESSERA_PORT: '0',
      TESSERA_DATA_DIR: folder,
      TESSERA_LOG_LEVEL: 'warn',
      TESSERA_WRITE_STALL_MS: String(WRITE_STALL_MS),
    },
    isRestarting: false,
    onLine: (name, line) => run.onLine(`${name}: ${line}`),
    onFatal: run.onLine,
  });
  const { url, headers } = launched;
  const pids = launched.pids();
  const meter = new Meter({ url, pid: pids.get('coordinator')!, everyMs: MEASURE_EVERY_MS });

  async function measure(
    route: string,
    input: string,
    send: () => Promise<unknown>,
  ): Promise<void> {
    await meter.read();
    const before = readProcessorTime(pids);
    const startMs = performance.now();
    let failure: Error | null = null;
    let seconds = 0;
    try {
      await send();
      seconds = (performance.now() - startMs) / 1000;
      await sleep(SETTLE_MS);
    } catch (error) {
      failure = error as Error;
      const cause = failure.cause === undefined ? '' : ` (${String(failure.cause)})`;
      failures.push(`${route}, ${input}: ${failure.message}${cause}`);
    }
    const after = readProcessorTime(pids);
    const reading = await meter.read();
    const row = {
      route,
      input,
      seconds: round(seconds),
      liveMs: round(reading.liveMs),
      liveWallMs: round(reading.liveWallMs),
      largestBytes: reading.largestBytes,
      prepareCpuSeconds: round(after.prepareSeconds - before.prepareSeconds),
      chipletCpuSeconds: round(after.chipletSeconds - before.chipletSeconds),
      load: round(loadavg()[0]!),
    };
    rows.push(row);
    run.onRow(row, failure);
  }

  try {
    const state: CaseState = {
      resources: '',
      namingFrame: '',
      sequence: '',
      study: '',
    };
    const frames = { largest: '', widest: '', middle: '', coupled: '', small: '' };
    const service = { url, headers, stalledForMs: 3 * WRITE_STALL_MS, frames };
    if (run.hasFrames) {
      await measure(PREPARATION, 'frames of the cases below', async () => {
        service.frames = await prepareFrames(service);
      });
    }
    const cases = Object.entries(ROUTE_CASES)
      .filter(([route]) => run.only.length === 0 || run.only.includes(route))
      .flatMap(([route, ofRoute]) => ofRoute.map((one) => ({ route, ...one })));
    for (const one of cases) await measure(one.route, one.input, () => one.run(service, state));
  } finally {
    await meter.close();
    await launched.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { rows, failures };
}

/** Rounds to two decimals. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
