/**
 * Runs random clients over the routes of several gateways, while gateways, cells, the database and
 * the network between them are disturbed. A service on one machine renders the references.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { withService } from '../../chaos/run-chaos.ts';
import { type ClientServices, HistoryClient } from '../clients/history-client.ts';
import { makeClusterJobs, spreadJobs } from '../clients/jobs.ts';
import { readReferences } from '../clients/references.ts';
import { Subjects } from '../clients/subjects.ts';
import type { Recorder } from '../record/recorder.ts';
import { ProcessLog } from '../report/process-log.ts';
import {
  type HistoryOptions,
  type HistoryTotals,
  runClients,
  type Target,
} from '../run/run-clients.ts';
import { disturbCluster } from './cluster-disturbances.ts';
import { CLUSTER_ACTIONS } from './cluster-routes.ts';
import { NetworkedCluster } from './networked-cluster.ts';

/** Options of {@link runClusterHistory}. */
export interface ClusterHistoryOptions extends HistoryOptions {
  readonly gatewayCount: number;
  readonly cellCount: number;
}

/** Runs clients and disturbances, then checks the history. */
export async function runClusterHistory(options: ClusterHistoryOptions): Promise<HistoryTotals> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-history-'));
  const processLog = new ProcessLog(options.onLine);
  const cluster = await NetworkedCluster.start({
    ...options,
    folder,
    onLine: (name, text) => {
      for (const line of text.split('\n')) processLog.add(`${name}: ${line}`);
    },
  });
  try {
    return await runClients(options, await targetOf(options, cluster), processLog);
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function targetOf(
  options: ClusterHistoryOptions,
  cluster: NetworkedCluster,
): Promise<Target> {
  const { seed, maxJobs } = options;
  const random = seededRandom(seed + 1);
  const { gateways } = cluster;
  return {
    isCluster: true,
    origin: () => cluster.originOf(random.pick(gateways)),
    jobs: spreadJobs(await makeClusterJobs(), maxJobs),
    actions: CLUSTER_ACTIONS,
    pids: () => cluster.pids(),
    readReferences: (services) => readAlone(options, services),
    disturb: (signal, onDisturbance) =>
      disturbCluster({
        ...options,
        cluster,
        random: seededRandom(seed + 2),
        maxDisturbances: options.disturbanceCount,
        signal,
        onDisturbance,
      }),
    recordEnd: (recorder) => recordViolations(cluster.originOf(gateways[0]!), recorder),
  };
}

/** Reads the references from a service on one machine. */
async function readAlone(
  { workerCount, seed, onLine }: ClusterHistoryOptions,
  services: ClientServices,
): Promise<void> {
  const environment = { TESSERA_LOG_LEVEL: 'warn' };
  const alone = { workerCount, url: null, isVerbose: false, onLine, environment };
  await withService(alone, async (url) => {
    const own = { ...services, origin: () => url, subjects: new Subjects() };
    await readReferences(new HistoryClient(own, 0, seededRandom(seed), true));
  });
}

/** Records results of cells that differed. */
async function recordViolations(origin: string, recorder: Recorder): Promise<void> {
  const answer = await fetch(`${origin}/v1/violations`);
  const { violations } = (await answer.json()) as { violations: readonly unknown[] };
  for (const violation of violations) {
    recorder.noteProcess('cluster', 'bug', JSON.stringify(violation).slice(0, 1000));
  }
}
