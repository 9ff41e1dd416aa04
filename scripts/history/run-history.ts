/**
 * Runs random clients over all routes of a service whose processes are disturbed, records what they
 * learn, and checks the history against the laws of the API.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@tessera/scenes/seeded-random';
import type { ChaosCluster } from '../chaos/chaos-cluster.ts';
import { DISTURBANCE_KINDS, disturb } from '../chaos/disturbances.ts';
import { withService } from '../chaos/run-chaos.ts';
import { checkHistory } from './check/check-history.ts';
import type { Violation } from './check/history-index.ts';
import { drain } from './clients/drain.ts';
import { Exchange } from './clients/exchange.ts';
import { type ClientServices, HistoryClient } from './clients/history-client.ts';
import { makeJobs } from './clients/jobs.ts';
import { readReferences } from './clients/references.ts';
import { ROUTE_ACTIONS, runAction } from './clients/routes.ts';
import { Subjects } from './clients/subjects.ts';
import type { History } from './record/entries.ts';
import { readHeader } from './record/read-header.ts';
import { Recorder } from './record/recorder.ts';
import { LiveWatch } from './report/live-watch.ts';
import { type MemoryReport, MemorySamples } from './report/memory-samples.ts';
import { ProcessLog } from './report/process-log.ts';

/** Options of {@link runHistory}. */
export interface HistoryOptions {
  readonly seed: number;
  /** Number of requests after which clients stop, unless disturbances are left. */
  readonly requestCount: number;
  readonly disturbanceCount: number;
  /** Time after which clients stop in any case, or null. */
  readonly seconds: number | null;
  readonly workerCount: number;
  readonly clientCount: number;
  /** Mean time between two disturbances. */
  readonly everyMs: number;
  /** Maximum time that a process is halted or a link is broken. */
  readonly longestMs: number;
  /** Maximum number of different jobs. */
  readonly maxJobs: number;
  /** File of the history, or null. */
  readonly recordPath: string | null;
  readonly onLine: (line: string) => void;
}

/** Result of {@link runHistory}. */
export interface HistoryTotals {
  readonly history: History;
  readonly violations: readonly Violation[];
  readonly disturbances: ReadonlyMap<string, number>;
  readonly memory: readonly MemoryReport[];
  readonly worstLiveMs: number;
  readonly worstUndisturbedLiveMs: number;
  readonly seconds: number;
}

/** Time in which something that was accepted must end after the last disturbance. */
const DRAIN_MS = 120_000;
/** Time that the coordinator may need after a disturbance to be back and to catch up. */
const RECOVERY_MS = 10_000;
const PROGRESS_MS = 10_000;
const ENVIRONMENT = {
  TESSERA_LOG_LEVEL: 'warn',
  TESSERA_QUEUE_FRAMES: '64',
  // No frame may disappear, so that the checker can expect each.
  TESSERA_STORED_FRAMES: '1000000',
  TESSERA_STORED_BYTES: String(2 ** 36),
};

/** Runs clients and disturbances, then checks the history. */
export async function runHistory(options: HistoryOptions): Promise<HistoryTotals> {
  const processLog = new ProcessLog(options.onLine);
  const service = {
    workerCount: options.workerCount,
    url: null,
    // The log says when a process ends.
    isVerbose: true,
    onLine: (line: string) => processLog.add(line),
    environment: ENVIRONMENT,
  };
  return withService(service, (url, cluster) => runClients(options, url, cluster!, processLog));
}

async function runClients(
  options: HistoryOptions,
  url: string,
  cluster: ChaosCluster,
  processLog: ProcessLog,
): Promise<HistoryTotals> {
  const { seed, clientCount, onLine } = options;
  const jobs = (await makeJobs(false)).slice(0, options.maxJobs);
  const recorder = new Recorder(await readHeader(url, jobs, false), options.recordPath);
  processLog.recordTo(recorder);
  const exchange = new Exchange();
  let lastNumber = 0;
  const services: ClientServices = {
    exchange,
    recorder,
    subjects: new Subjects(),
    jobs,
    origin: () => url,
    nextNumber: () => ++lastNumber,
    lastEvent: { number: 0 },
    run: `s${seed}`,
  };
  const patient = new HistoryClient(services, 0, seededRandom(seed), true);
  await readReferences(patient);
  onLine(`${jobs.length} jobs rendered undisturbed, ${recorder.callCount} requests`);

  recorder.phase = 'run';
  const startMs = performance.now();
  const memory = new MemorySamples(() => cluster.service.pids());
  const disturbances = new Map<string, number>();
  let disturbedUntilMs = startMs;
  const live = new LiveWatch(url, () => disturbedUntilMs);
  const over = new AbortController();
  const disturbed = disturb({
    cluster,
    workerCount: options.workerCount,
    random: seededRandom(seed + 1),
    everyMs: options.everyMs,
    longestMs: options.longestMs,
    maxDisturbances: options.disturbanceCount,
    kinds: DISTURBANCE_KINDS,
    signal: over.signal,
    onDisturbance: (kind, detail) => {
      disturbances.set(kind, (disturbances.get(kind) ?? 0) + 1);
      recorder.noteProcess(kind, 'disturbed', detail);
      disturbedUntilMs = performance.now() + options.longestMs + RECOVERY_MS;
      onLine(`${kind}: ${detail}`);
    },
  });
  const progress = setInterval(() => onLine(`${recorder.callCount} requests`), PROGRESS_MS);
  const clients = Array.from({ length: clientCount }, (_, i) =>
    runClient(new HistoryClient(services, i + 1, seededRandom(seed + 2 + i)), over.signal),
  );
  const countOf = () => [...disturbances.values()].reduce((sum, count) => sum + count, 0);
  await waitUntilOver(options, startMs, () => recorder.callCount, countOf);
  over.abort();
  await Promise.all([disturbed, ...clients]);
  clearInterval(progress);
  const seconds = (performance.now() - startMs) / 1000;
  onLine(`${recorder.callCount} requests; waiting for what was accepted`);

  recorder.phase = 'final';
  await drain(patient, DRAIN_MS);
  const { worstMs: worstLiveMs, worstUndisturbedMs: worstUndisturbedLiveMs } = await live.finish();
  const memoryReports = memory.finish();
  exchange.close();
  recorder.close();
  const history = recorder.history();
  const violations = checkHistory(history);
  return {
    history,
    violations,
    disturbances,
    memory: memoryReports,
    worstLiveMs,
    worstUndisturbedLiveMs,
    seconds,
  };
}

async function runClient(client: HistoryClient, over: AbortSignal): Promise<void> {
  const actions = Object.values(ROUTE_ACTIONS);
  while (!over.aborted) await runAction(client, actions);
}

/** Waits for the number of requests and disturbances, or for the time. */
async function waitUntilOver(
  { requestCount, disturbanceCount, seconds }: HistoryOptions,
  startMs: number,
  callCount: () => number,
  disturbed: () => number,
): Promise<void> {
  for (;;) {
    await sleep(100);
    const isTimeUp = seconds !== null && performance.now() - startMs > 1000 * seconds;
    if (isTimeUp) return;
    if (callCount() >= requestCount && disturbed() >= disturbanceCount) return;
  }
}
