/**
 * `npm run cluster:cost`: processor and wall time of one study on one machine, in a cluster of one
 * cell and in one of four, in turns. Medians.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LaunchedService } from '../launch/service-launcher.ts';
import { Cluster } from './cluster-processes.ts';
import { ClusterStudy, sweepOf } from './cluster-study.ts';
import { PostgresServer } from './postgres-server.ts';

const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '3' },
  },
});
const model = readFileSync(
  new URL('../../test/golden/models/BoxVertexColors.glb', import.meta.url),
);
/** Clock ticks per second of /proc, which Linux fixes for programs. */
const TICKS = 100;

/** Time of a study. */
interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Returns the processor time of processes and of those in their groups, in milliseconds. */
function cpuMsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    let stat: string;
    try {
      stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
    } catch {
      continue; // The process has ended.
    }
    // The name of the program may contain spaces; fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const group = Number(fields[2]);
    if (!pids.includes(Number(entry)) && !pids.includes(group)) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1000) / TICKS;
}

/** Runs a study twice, so that the second finds compiled code, and measures the second. */
async function measure(url: string, pids: readonly number[]): Promise<Cost> {
  const units = Number(values.units);
  const run = async (chiplets: number[], sizes: string[]) => {
    const study = await ClusterStudy.post(() => url, model, { ...sweepOf(units), chiplets, sizes });
    while (!(await study.isOver())) await sleep(100);
  };
  const { sizes } = sweepOf(units);
  // Other sizes, so that no result is known.
  await run([1, 4], ['20x20']);
  const cpuMs = cpuMsOf(pids);
  const startMs = performance.now();
  await run([1, 4], sizes);
  return { cpuMs: cpuMsOf(pids) - cpuMs, wallMs: performance.now() - startMs };
}

async function measureAlone(): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-cost-'));
  const service = await LaunchedService.start({
    workerCount: 1,
    environment: { TESSERA_LOG_LEVEL: 'warn', TESSERA_PORT: '0', TESSERA_DATA_DIR: folder },
    isRestarting: false,
    onLine: (name, line) => process.stderr.write(`${name}: ${line}\n`),
    onFatal: (message) => process.stderr.write(`${message}\n`),
  });
  try {
    return await measure(service.url, [...service.pids().values()]);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCluster(cellCount: number): Promise<Cost & { databaseMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-cost-'));
  const server = await PostgresServer.start();
  const cluster = new Cluster({ folder, engineUrl: server.url, workerCount: 1 });
  try {
    await cluster.startGateway();
    for (let i = 1; i <= cellCount; i++) cluster.startCell(`cell-${i}`);
    await cluster.waitForCells(cellCount);
    const database = [server.pid];
    const before = cpuMsOf(database);
    const cost = await measure(cluster.url, [...cluster.pids().values()]);
    return { ...cost, databaseMs: cpuMsOf(database) - before };
  } finally {
    await cluster.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
const costs: Record<string, Cost[]> = { alone: [], 'one cell': [], 'four cells': [] };
for (let round = 1; round <= Number(values.rounds); round++) {
  costs.alone!.push(await measureAlone());
  costs['one cell']!.push(await measureCluster(1));
  costs['four cells']!.push(await measureCluster(4));
  for (const [name, list] of Object.entries(costs)) {
    const cpuMs = median(list.map((cost) => cost.cpuMs));
    const wallMs = median(list.map((cost) => cost.wallMs));
    const perUnit = cpuMs / Number(values.units);
    process.stdout.write(
      `round ${round}: ${name.padEnd(10)} ${perUnit.toFixed(1)} ms CPU and ${(wallMs / Number(values.units)).toFixed(1)} ms wall time a unit\n`,
    );
  }
}
