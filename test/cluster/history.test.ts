/**
 * A short run of `npm run history -- --cluster` in network namespaces, with partitions between
 * gateways, cells and PostgreSQL.
 */
import { expect, it } from 'vitest';
import { POSTGRES_PROGRAMS } from '../../scripts/cluster/postgres-server.ts';
import { NetworkNamespaces } from '../../scripts/history/cluster/network-namespaces.ts';
import { runClusterHistory } from '../../scripts/history/cluster/run-cluster-history.ts';

const problem =
  POSTGRES_PROGRAMS === null ? 'PostgreSQL is not installed' : NetworkNamespaces.problem();

it('obeys the laws of the API while a cluster is disturbed and divided', async ({ skip }) => {
  if (problem !== null) skip(problem);
  const seed = Number(process.env.TESSERA_CHAOS_SEED ?? Math.floor(Math.random() * 1e9));
  const lines: string[] = [];
  const { violations, disturbances } = await runClusterHistory({
    seed,
    requestCount: 300,
    disturbanceCount: 5,
    seconds: null,
    requestsPerSecond: Number.POSITIVE_INFINITY,
    workerCount: 1,
    clientCount: 6,
    gatewayCount: 2,
    cellCount: 2,
    everyMs: 1000,
    longestMs: 2000,
    maxJobs: 6,
    recordPath: null,
    onLine: (line) => lines.push(line),
  });
  const told = `TESSERA_CHAOS_SEED=${seed}\n${lines.join('\n')}`;
  expect(violations, told).toEqual([]);
  expect(
    [...disturbances.values()].reduce((sum, count) => sum + count, 0),
    told,
  ).toBe(5);
}, 300_000);
