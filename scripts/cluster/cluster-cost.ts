/**
 * `npm run cluster:cost`: processor and wall time of one study on one machine, in a cluster of one
 * cell and in one of four, in turns. Medians.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeKnotModel } from '../launch/examples/knot-model.ts';
import { LaunchedService } from '../launch/service-launcher.ts';
import { Cluster } from './cluster-processes.ts';
import { ClusterStudy } from './cluster-study.ts';
import { PostgresServer } from './postgres-server.ts';

const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '3' },
    width: { type: 'string', default: '320' },
    height: { type: 'string', default: '180' },
  },
});
const model = await makeKnotModel();
const unitCount = Number(values.units);
/** Units of each size: numbers of bins × visibility shaders. */
const UNITS_PER_SIZE = 10;
/** Interval between two questions for the study, each of which costs time of the gateway. */
const POLL_MS = 1000;
/** Clock ticks per second of /proc, which Linux fixes for programs. */
const TICKS = 100;

/** Time of a study. */
interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

/** Time of a study on a cluster, and the part of its database. */
interface ClusterCost extends Cost {
  readonly databaseMs: number;
}

/**
 * Returns the processor time of processes, of those in their groups and of their children, in
 * milliseconds. Processes of PostgreSQL have groups of their own.
 */
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
    const [parent, group] = [Number(fields[1]), Number(fields[2])];
    if (![Number(entry), parent, group].some((pid) => pids.includes(pid))) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1000) / TICKS;
}

/** Returns a sweep. Sweeps of different numbers have no unit in common. */
function sweepOf(number: number) {
  const [width, height] = [Number(values.width) + 8 * number, Number(values.height)];
  return {
    title: `sweep ${number}`,
    chiplets: [1, 4],
    policies: ['static', 'dynamic'],
    sizes: Array.from({ length: unitCount / UNITS_PER_SIZE }, (_, i) => `${width}x${height + i}`),
    bins: [8, 12, 16, 24, 32],
    visibility: ['minimal', 'full'],
  };
}

/** Measures a study after others, so that all processes have compiled code. */
async function measure(url: string, pids: readonly number[], warmUps: number): Promise<Cost> {
  const run = async (number: number) => {
    const study = await ClusterStudy.post(() => url, model, sweepOf(number));
    while (!(await study.isOver())) await sleep(POLL_MS);
  };
  for (let number = 1; number <= warmUps; number++) await run(number);
  const cpuMs = cpuMsOf(pids);
  const startMs = performance.now();
  await run(0);
  return { cpuMs: cpuMsOf(pids) - cpuMs, wallMs: performance.now() - startMs };
}

async function measureAlone(): Promise<ClusterCost> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-cost-'));
  const service = await LaunchedService.start({
    workerCount: 1,
    environment: { TESSERA_LOG_LEVEL: 'warn', TESSERA_PORT: '0', TESSERA_DATA_DIR: folder },
    isRestarting: false,
    onLine: (name, line) => process.stderr.write(`${name}: ${line}\n`),
    onFatal: (message) => process.stderr.write(`${message}\n`),
  });
  try {
    return { ...(await measure(service.url, [...service.pids().values()], 2)), databaseMs: 0 };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureCluster(cellCount: number): Promise<ClusterCost> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-cost-'));
  const server = await PostgresServer.start();
  // As docs/cluster.md says of cells that share the processors of a machine.
  const environment: Record<string, string> =
    cellCount === 1 ? {} : { TESSERA_FRAMES_IN_FLIGHT: '1' };
  const cluster = new Cluster({ folder, engineUrl: server.url, workerCount: 1, environment });
  try {
    await cluster.startGateway();
    for (let i = 1; i <= cellCount; i++) cluster.startCell(`cell-${i}`);
    await cluster.waitForCells(cellCount);
    const database = [server.pid];
    const pids = [...cluster.pids().values()];
    // Warm-up of every cell. The time of the database includes that of the warm-up.
    const warmUps = 2 * cellCount;
    const cost = await measure(cluster.url, [...pids, ...database], warmUps);
    const units = (warmUps + 1) * unitCount;
    return { ...cost, databaseMs: (cpuMsOf(database) * unitCount) / units };
  } finally {
    await cluster.stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!;
const costs: Record<string, ClusterCost[]> = { alone: [], 'one cell': [], 'four cells': [] };
for (let round = 1; round <= Number(values.rounds); round++) {
  costs.alone!.push(await measureAlone());
  costs['one cell']!.push(await measureCluster(1));
  costs['four cells']!.push(await measureCluster(4));
  for (const [name, list] of Object.entries(costs)) {
    const [cpu, wall, database] = (['cpuMs', 'wallMs', 'databaseMs'] as const).map((part) =>
      (median(list.map((cost) => cost[part])) / unitCount).toFixed(2),
    );
    process.stdout.write(
      `round ${round}: ${name.padEnd(10)} ${cpu} ms CPU a unit, ${database} of them in the database; ${wall} ms wall time\n`,
    );
  }
}
