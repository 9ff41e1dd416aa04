/**
 * `npm run cluster:chaos`: thousands of units on a cluster while its cells, its database and its
 * gateway are killed. Compares every row with a service on one machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LaunchedService } from '../launch/service-launcher.ts';
import { waitUntil } from './cluster-processes.ts';
import { ClusterStudy, type PlacedRow, sweepOf } from './cluster-study.ts';
import { ComposeCluster } from './compose-cluster.ts';
import { ProcessCluster } from './process-cluster.ts';
import type { TrialCluster } from './trial-cluster.ts';

const USAGE = `npm run cluster:chaos -- [options]

  --units N      units of the study, 10,000 by default
  --cells N      cells, 4 by default
  --kill-every S seconds between two kills of a cell, 5 by default
  --restarts N   restarts of the database, 3 by default
  --gateways N   kills of the gateway, 2 by default
  --sqlite       SQLite instead of PostgreSQL, which is not restarted
  --compose      the containers of docker-compose.yml; build them before
  --coupling C   none or exact, none by default
`;

const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '10000' },
    cells: { type: 'string', default: '4' },
    'kill-every': { type: 'string', default: '5' },
    restarts: { type: 'string', default: '3' },
    gateways: { type: 'string', default: '2' },
    sqlite: { type: 'boolean', default: false },
    compose: { type: 'boolean', default: false },
    coupling: { type: 'string', default: 'none' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const startMs = performance.now();
const say = (line: string) => {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${seconds} s  ${line}\n`);
};
const secondsSince = (ms: number) => `${((performance.now() - ms) / 1000).toFixed(0)} s`;

const model = readFileSync(
  new URL('../../test/golden/models/BoxVertexColors.glb', import.meta.url),
);
const sweep = { ...sweepOf(Number(values.units)), coupling: values.coupling };
const environment = {
  TESSERA_LOG_LEVEL: 'warn',
  TESSERA_STUDY_FRAMES: '100000',
  TESSERA_STUDY_ROWS: '1000000',
};
/** Short chunks, and one frame at a time, because all cells share this machine. */
const clusterEnvironment = {
  ...environment,
  TESSERA_CHUNK_SECONDS: '10',
  TESSERA_FRAMES_IN_FLIGHT: '1',
};

/** Numbers of parts that were killed. */
const killed = { cells: 0, databases: 0, gateways: 0 };
const killedText = () =>
  `killed ${killed.cells} cells, ${killed.databases} databases, ${killed.gateways} gateways`;

/** Runs the study on one machine. Comes first, so that later starts find compiled code. */
async function runAlone(folder: string): Promise<readonly PlacedRow[]> {
  const alone = await LaunchedService.start({
    workerCount: 1,
    environment: {
      ...environment,
      TESSERA_PORT: '0',
      TESSERA_DATA_DIR: join(folder, 'alone'),
    },
    isRestarting: false,
    onLine: (name, line) => say(`${name}: ${line}`),
    onFatal: say,
  });
  try {
    const fromMs = performance.now();
    const study = await ClusterStudy.post(() => alone.url, model, sweep);
    while (!(await study.isOver())) await sleep(500);
    say(`${study.unitCount} units on one machine: ${secondsSince(fromMs)}`);
    return await study.rows();
  } finally {
    await alone.stop();
  }
}

/** Kills parts of the cluster until the study is over. */
async function disturb(cluster: TrialCluster, study: ClusterStudy): Promise<void> {
  const left = {
    databases: cluster.canRestartDatabase ? Number(values.restarts) : 0,
    gateways: Number(values.gateways),
  };
  const rounds = left.databases + left.gateways;
  const { cells } = cluster;
  for (let killMs = performance.now(); ; ) {
    killMs = Math.max(killMs + Number(values['kill-every']) * 1000, performance.now());
    while (performance.now() < killMs) {
      await sleep(500);
      if (await study.isOver()) return;
    }
    await cluster.restartCell(cells[killed.cells % cells.length]!);
    killed.cells++;
    const share = (await study.progress()) / study.unitCount;
    const due = rounds - left.databases - left.gateways;
    if (share > (due + 1) / (rounds + 1)) {
      if (left.databases >= left.gateways && left.databases > 0) {
        await cluster.restartDatabase();
        left.databases--;
        killed.databases++;
      } else if (left.gateways > 0) {
        await cluster.restartGateway();
        left.gateways--;
        killed.gateways++;
      }
    }
    say(`${Math.round(share * 100)} % done; ${killedText()}`);
  }
}

/** Returns the number of faults in the rows, and writes them. */
function judge(
  rows: readonly PlacedRow[],
  expected: readonly PlacedRow[],
  violationCount: number,
): number {
  const textByPlace = new Map(rows.map(({ place, text }) => [place, text]));
  const lost = expected.filter(({ place }) => !textByPlace.has(place)).length;
  const doubled = rows.length - textByPlace.size;
  const different =
    expected.filter(({ place, text }) => textByPlace.get(place) !== text).length - lost;
  say(
    `${rows.length} rows: ${lost} lost, ${doubled} double, ${different} different, ${violationCount} violations`,
  );
  return lost + doubled + different + violationCount;
}

const folder = mkdtempSync(join(tmpdir(), 'tessera-chaos-'));
const cellCount = Number(values.cells);
const cluster = values.compose
  ? new ComposeCluster(folder, cellCount, clusterEnvironment)
  : new ProcessCluster({
      folder,
      cellCount,
      isSqlite: values.sqlite,
      environment: clusterEnvironment,
    });
let faults = 0;
try {
  const expected = await runAlone(folder);
  await cluster.start();
  const fromMs = performance.now();
  const study = await ClusterStudy.post(() => cluster.url, model, sweep);
  await disturb(cluster, study);
  say(`${study.unitCount} units on ${cellCount} cells: ${secondsSince(fromMs)}; ${killedText()}`);
  await waitUntil('the gateway', async () => (await fetch(`${cluster.url}/readyz`)).ok);
  const { violationCount } = (await (await fetch(`${cluster.url}/v1/cells`)).json()) as {
    violationCount: number;
  };
  faults = judge(await study.rows(), expected, violationCount);
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults === 0 ? 0 : 1);
