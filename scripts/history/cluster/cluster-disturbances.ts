/**
 * Disturbances of a cluster, chosen from a seed: its parts are killed, stopped and halted, and
 * separated from each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { NetworkedCluster } from './networked-cluster.ts';

/** Options of {@link disturbCluster}. */
export interface ClusterDisturbOptions {
  readonly cluster: NetworkedCluster;
  readonly random: SeededRandom;
  readonly everyMs: number;
  readonly longestMs: number;
  readonly maxDisturbances: number;
  readonly signal: AbortSignal;
  readonly onDisturbance: (kind: string, detail: string) => void;
}

/** Kinds that need no network namespaces. */
const PROCESS_KINDS = [
  'gateway killed',
  'gateway stopped',
  'gateway halted',
  'cell killed',
  'cell stopped',
  'cell halted',
  'database killed',
] as const;
/** Partitions. */
const PARTITION_KINDS = [
  'gateway separated from database',
  'cell separated from database',
  'gateway without network',
  'cell without network',
] as const;
/** Kind of a disturbance. */
type ClusterDisturbance = (typeof PROCESS_KINDS)[number] | (typeof PARTITION_KINDS)[number];

/**
 * Disturbs one part after another until the signal is aborted. When it resolves, everything runs
 * and is connected.
 */
export async function disturbCluster(options: ClusterDisturbOptions): Promise<void> {
  const { cluster, random, everyMs, maxDisturbances, signal } = options;
  const kinds: readonly ClusterDisturbance[] =
    cluster.network === null ? PROCESS_KINDS : [...PROCESS_KINDS, ...PARTITION_KINDS];
  // Each kind occurs once before the order is random, so that a short run has many.
  const first = [...kinds].sort(() => random.next() - 0.5);
  for (let count = 0; count < maxDisturbances && !signal.aborted; count++) {
    await sleep(random.between(0.5, 1.5) * everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    await disturbOnce(first.pop() ?? random.pick(kinds), options);
  }
}

async function disturbOnce(
  kind: ClusterDisturbance,
  { cluster, random, longestMs, signal, onDisturbance }: ClusterDisturbOptions,
): Promise<void> {
  const name = random.pick(kind.startsWith('gateway') ? cluster.gateways : cluster.cells);
  const lastsMs = Math.round(random.between(0.1, 1) * longestMs);
  const lasting = async (begin: () => void, end: () => void): Promise<void> => {
    onDisturbance(kind, `${name}, ${lastsMs} ms`);
    begin();
    await sleep(lastsMs, undefined, { signal }).catch(() => {});
    end();
  };
  switch (kind) {
    case 'gateway killed':
    case 'cell killed':
      onDisturbance(kind, name);
      return cluster.restart(name, 'SIGKILL');
    case 'gateway stopped':
    case 'cell stopped':
      onDisturbance(kind, name);
      return cluster.restart(name, 'SIGTERM');
    case 'gateway halted':
    case 'cell halted':
      return lasting(
        () => cluster.signal(name, 'SIGSTOP'),
        () => cluster.signal(name, 'SIGCONT'),
      );
    case 'database killed':
      onDisturbance(kind, 'for a second');
      return cluster.restartDatabase();
    case 'gateway separated from database':
    case 'cell separated from database':
      return lasting(
        () => cluster.setSwallowing(name, true),
        () => cluster.setSwallowing(name, false),
      );
    case 'gateway without network':
    case 'cell without network':
      return lasting(
        () => cluster.network!.setCable(name, false),
        () => cluster.network!.setCable(name, true),
      );
  }
}
