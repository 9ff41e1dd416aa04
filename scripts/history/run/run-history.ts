/** Runs random clients over all routes of a service on this machine. */
import { seededRandom } from '@tessera/scenes/seeded-random';
import type { ChaosCluster } from '../../chaos/chaos-cluster.ts';
import { DISTURBANCE_KINDS, disturb } from '../../chaos/disturbances.ts';
import { withService } from '../../chaos/run-chaos.ts';
import { HistoryClient } from '../clients/history-client.ts';
import { makeJobs, spreadJobs } from '../clients/jobs.ts';
import { readReferences } from '../clients/references.ts';
import { ROUTE_ACTIONS } from '../clients/routes.ts';
import { ProcessLog } from '../report/process-log.ts';
import { type HistoryOptions, type HistoryTotals, runClients, type Target } from './run-clients.ts';

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
  return withService(service, async (url, cluster) =>
    runClients(options, await targetOf(options, url, cluster!), processLog),
  );
}

async function targetOf(
  { seed, maxJobs, ...options }: HistoryOptions,
  url: string,
  cluster: ChaosCluster,
): Promise<Target> {
  return {
    isCluster: false,
    origin: () => url,
    jobs: spreadJobs(await makeJobs(), maxJobs),
    actions: ROUTE_ACTIONS,
    pids: () => cluster.service.pids(),
    readReferences: (services) =>
      readReferences(new HistoryClient(services, 0, seededRandom(seed), true)),
    disturb: (signal, onDisturbance) =>
      disturb({
        ...options,
        cluster,
        random: seededRandom(seed + 1),
        maxDisturbances: options.disturbanceCount,
        kinds: DISTURBANCE_KINDS,
        signal,
        onDisturbance,
      }),
  };
}
