/**
 * Runs random clients against a target while it is disturbed, records what they learn, and checks
 * the history against the laws of the API.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { checkHistory } from '../check/check-history.ts';
import type { Violation } from '../check/observations/history-index.ts';
import { drain } from '../clients/drain.ts';
import { Exchange } from '../clients/exchange.ts';
import { type ClientServices, HistoryClient } from '../clients/history-client.ts';
import type { Job } from '../clients/jobs.ts';
import { type RouteAction, runAction } from '../clients/routes.ts';
import { Subjects } from '../clients/subjects.ts';
import type { History } from '../record/entries.ts';
import { Recorder } from '../record/recorder.ts';
import { LiveWatch } from '../report/live-watch.ts';
import { type MemoryReport, MemorySamples } from '../report/memory-samples.ts';
import type { ProcessLog } from '../report/process-log.ts';
import { readHeader } from './read-header.ts';

/** Options of a run. */
export interface HistoryOptions {
  readonly seed: number;
  /** Number of requests after which clients stop, unless disturbances are left. */
  readonly requestCount: number;
  readonly disturbanceCount: number;
  /** Time after which clients stop in any case, or null. */
  readonly seconds: number | null;
  /** Upper bound on requests per second of all clients; may be infinite. */
  readonly requestsPerSecond: number;
  readonly workerCount: number;
  readonly clientCount: number;
  /** Mean time between two disturbances. */
  readonly everyMs: number;
  /** Maximum time that a process is halted or a link is broken. */
  readonly longestMs: number;
  /** Maximum number of different jobs, apart from those that sequences and studies need. */
  readonly maxJobs: number;
  /** File of the history, or null. */
  readonly recordPath: string | null;
  readonly onLine: (line: string) => void;
  /** Ends the run early; its history is checked nevertheless. */
  readonly stopSignal?: AbortSignal;
}

/** Result of a run. */
export interface HistoryTotals {
  readonly history: History;
  readonly violations: readonly Violation[];
  readonly disturbances: ReadonlyMap<string, number>;
  readonly memory: readonly MemoryReport[];
  readonly worstLiveMs: number;
  readonly worstUndisturbedLiveMs: number;
  readonly seconds: number;
}

/** Service or cluster under test. */
export interface Target {
  readonly isCluster: boolean;
  /** Returns the origin for the next request. */
  readonly origin: () => string;
  readonly jobs: readonly Job[];
  readonly actions: Readonly<Record<string, RouteAction>>;
  readonly pids: () => ReadonlyMap<string, number>;
  /** Reads the references, from this target or another one. */
  readonly readReferences: (services: ClientServices) => Promise<void>;
  /** Disturbs until the signal is aborted. When it resolves, everything is connected again. */
  readonly disturb: (
    signal: AbortSignal,
    onDisturbance: (kind: string, detail: string) => void,
  ) => Promise<void>;
  /** Records what only the target knows, at the end of the run. */
  readonly recordEnd?: (recorder: Recorder) => Promise<void>;
}

/** Time in which something that was accepted must end after the last disturbance. */
const DRAIN_MS = 120_000;
/** Time that a service may need after a disturbance to be back and to catch up. */
const RECOVERY_MS = 10_000;
const PROGRESS_MS = 10_000;
const CHECK_MS = 100;

/** Runs clients and disturbances, then checks the history. */
export async function runClients(
  options: HistoryOptions,
  target: Target,
  processLog: ProcessLog,
): Promise<HistoryTotals> {
  const { seed, onLine } = options;
  const { jobs, isCluster } = target;
  const recorder = new Recorder(
    await readHeader(target.origin(), jobs, isCluster),
    options.recordPath,
  );
  processLog.recordTo(recorder);
  const exchange = new Exchange();
  let lastNumber = 0;
  const services: ClientServices = {
    exchange,
    recorder,
    subjects: new Subjects(),
    jobs,
    origin: target.origin,
    nextNumber: () => ++lastNumber,
    lastEvent: { number: 0 },
    run: `s${seed}`,
  };
  await target.readReferences(services);
  onLine(`${jobs.length} jobs rendered undisturbed, ${recorder.callCount} requests`);
  recorder.phase = 'run';
  const ran = await runDisturbed(options, target, services);
  onLine(`${recorder.callCount} requests; waiting for what was accepted`);
  recorder.phase = 'final';
  await drain(new HistoryClient(services, 0, seededRandom(seed), true), DRAIN_MS);
  await target.recordEnd?.(recorder);
  exchange.close();
  recorder.close();
  const history = recorder.history();
  return { ...ran, history, violations: checkHistory(history) };
}

/** Runs the clients until enough was requested and disturbed. */
async function runDisturbed(
  options: HistoryOptions,
  target: Target,
  services: ClientServices,
): Promise<Omit<HistoryTotals, 'history' | 'violations'>> {
  const { seed, clientCount, longestMs, onLine } = options;
  const { recorder } = services;
  const startMs = performance.now();
  const memory = new MemorySamples(target.pids);
  const disturbances = new Map<string, number>();
  let disturbedUntilMs = startMs;
  const live = new LiveWatch(target.origin(), () => disturbedUntilMs);
  const over = new AbortController();
  const disturbed = target.disturb(over.signal, (kind, detail) => {
    disturbances.set(kind, (disturbances.get(kind) ?? 0) + 1);
    recorder.noteProcess(kind, 'disturbed', detail);
    disturbedUntilMs = performance.now() + longestMs + RECOVERY_MS;
    onLine(`${kind}: ${detail}`);
  });
  const progress = setInterval(() => onLine(`${recorder.callCount} requests`), PROGRESS_MS);
  const actions = Object.values(target.actions);
  const clients = Array.from({ length: clientCount }, async (_, i) => {
    const client = new HistoryClient(services, i + 1, seededRandom(seed + 2 + i));
    while (!over.signal.aborted) {
      await runAction(client, actions);
      const dueMs = startMs + (1000 * recorder.callCount) / options.requestsPerSecond;
      await sleep(Math.max(0, dueMs - performance.now()));
    }
  });
  const isEnough = () => {
    const disturbed = [...disturbances.values()].reduce((sum, count) => sum + count, 0);
    const { requestCount, disturbanceCount, seconds, stopSignal } = options;
    const isTimeUp = seconds !== null && performance.now() - startMs > 1000 * seconds;
    const isDone = recorder.callCount >= requestCount && disturbed >= disturbanceCount;
    return isTimeUp || isDone || stopSignal?.aborted === true;
  };
  const ended = Promise.all([disturbed, ...clients]);
  // A bug of a client ends the run.
  ended.catch(() => over.abort());
  while (!over.signal.aborted && !isEnough()) await sleep(CHECK_MS);
  over.abort();
  await ended;
  clearInterval(progress);
  const seconds = (performance.now() - startMs) / 1000;
  const { worstMs: worstLiveMs, worstUndisturbedMs: worstUndisturbedLiveMs } = await live.finish();
  const reports = memory.finish();
  return { disturbances, memory: reports, worstLiveMs, worstUndisturbedLiveMs, seconds };
}
