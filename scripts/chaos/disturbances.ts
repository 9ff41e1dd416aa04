/**
 * Disturbances of a service, chosen from a seed: processes are killed and halted, links are cut.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { ChaosCluster } from './chaos-cluster.ts';

/** Options of {@link disturb}. */
export interface DisturbOptions {
  readonly cluster: ChaosCluster;
  readonly workerCount: number;
  readonly random: SeededRandom;
  /** Mean time between two disturbances. */
  readonly everyMs: number;
  /** Maximum time that a process is halted or a link is broken. */
  readonly longestMs: number;
  /** Number of disturbances after which the service is left undisturbed. */
  readonly maxDisturbances: number;
  /** Kinds to choose from. */
  readonly kinds: readonly DisturbanceKind[];
  readonly signal: AbortSignal;
  readonly onDisturbance: (kind: string, detail: string) => void;
}

/** Relative frequencies of the kinds. */
const WEIGHTS = {
  'worker killed': 4,
  'visibility chiplet killed': 3,
  'coordinator killed': 2,
  'all workers killed': 1,
  'everything killed': 1,
  'worker halted': 3,
  'worker slowed': 3,
  'visibility chiplet halted': 2,
  'coordinator halted': 1,
  'worker ended': 1,
  'rolling restart': 1,
  'link cut': 3,
  'link a black hole': 3,
} as const;
/** Kind of a disturbance. */
export type DisturbanceKind = keyof typeof WEIGHTS;
/** All kinds of disturbances. */
export const DISTURBANCE_KINDS = Object.keys(WEIGHTS) as DisturbanceKind[];
/** Kinds that disturb workers alone. */
export const WORKER_DISTURBANCES: readonly DisturbanceKind[] = [
  'worker killed',
  'all workers killed',
  'worker halted',
  'worker slowed',
  'worker ended',
];

/** Times for which a slowed worker is halted and runs, in turn. */
const HALTED_MS = 40;
const RUNNING_MS = 10;
const RESTART_POLL_MS = 50;

/**
 * Disturbs the service until the signal is aborted. When it returns, everything is running and
 * connected again.
 */
export async function disturb(options: DisturbOptions): Promise<void> {
  const { random, everyMs, maxDisturbances, signal, kinds } = options;
  const ends = new Set<Promise<void>>();
  // Each kind occurs once before the order is random, so that a short run has them all.
  const first = [...kinds].sort(() => random.next() - 0.5);
  for (let count = 0; count < maxDisturbances && !signal.aborted; count++) {
    await sleep(random.between(0.5, 1.5) * everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) break;
    const end = disturbOnce(first.pop() ?? pickKind(random, kinds), options);
    ends.add(end);
    end.finally(() => ends.delete(end));
  }
  await Promise.all(ends);
}

async function disturbOnce(
  kind: DisturbanceKind,
  { cluster, workerCount, random, longestMs, signal, onDisturbance }: DisturbOptions,
): Promise<void> {
  const workers = Array.from({ length: workerCount }, (_, i) => `chiplet-worker ${i + 1}`);
  const worker = random.pick(workers);
  const lastsMs = Math.round(random.between(0.1, 1) * longestMs);
  const lasting = async (detail: string, begin: () => void, end: () => void): Promise<void> => {
    onDisturbance(kind, `${detail}, ${lastsMs} ms`);
    begin();
    await sleep(lastsMs, undefined, { signal }).catch(() => {});
    end();
  };
  const halt = (name: string) =>
    lasting(
      name,
      () => cluster.signal(name, 'SIGSTOP'),
      () => cluster.signal(name, 'SIGCONT'),
    );
  const slow = async (name: string): Promise<void> => {
    const end = new AbortController();
    const slowed = (async () => {
      while (!end.signal.aborted) {
        cluster.signal(name, 'SIGSTOP');
        await sleep(HALTED_MS);
        cluster.signal(name, 'SIGCONT');
        await sleep(RUNNING_MS);
      }
    })();
    await lasting(
      name,
      () => {},
      () => end.abort(),
    );
    await slowed;
  };
  const kill = (names: readonly string[]) => {
    onDisturbance(kind, names.join(', '));
    for (const name of names) cluster.signal(name, 'SIGKILL');
  };
  const breakLink = (state: 'cut' | 'black-hole') => {
    const link = random.pick(cluster.linkNames());
    return lasting(
      link,
      () => cluster.setLink(link, state),
      () => cluster.setLink(link, 'passing'),
    );
  };
  switch (kind) {
    case 'worker killed':
      return kill([worker]);
    case 'visibility chiplet killed':
      return kill(['visibility-chiplet']);
    case 'coordinator killed':
      return kill(['coordinator']);
    case 'all workers killed':
      return kill(workers);
    case 'everything killed':
      return kill(['coordinator', 'visibility-chiplet', ...workers]);
    case 'worker halted':
      return halt(worker);
    case 'worker slowed':
      return slow(worker);
    case 'visibility chiplet halted':
      return halt('visibility-chiplet');
    case 'coordinator halted':
      return halt('coordinator');
    case 'worker ended':
      onDisturbance(kind, worker);
      return cluster.signal(worker, 'SIGTERM');
    case 'rolling restart':
      onDisturbance(kind, 'every process, one after the other');
      return restartAll(cluster, signal);
    case 'link cut':
      return breakLink('cut');
    case 'link a black hole':
      return breakLink('black-hole');
  }
}

/** Ends every process in order, each when the one before it has been started again. */
async function restartAll(cluster: ChaosCluster, signal: AbortSignal): Promise<void> {
  for (const [name, pid] of cluster.service.pids()) {
    cluster.signal(name, 'SIGTERM');
    const isBack = () => ![undefined, pid].includes(cluster.service.pids().get(name));
    while (!signal.aborted && !isBack()) await sleep(RESTART_POLL_MS);
  }
}

function pickKind(random: SeededRandom, kinds: readonly DisturbanceKind[]): DisturbanceKind {
  const sum = kinds.reduce((total, kind) => total + WEIGHTS[kind], 0);
  let left = random.next() * sum;
  for (const kind of kinds) {
    left -= WEIGHTS[kind];
    if (left < 0) return kind;
  }
  return kinds[0]!;
}
