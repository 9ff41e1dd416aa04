/**
 * `npm run cluster:chaos`: thousands of units on a cluster of processes while its cells, its
 * database and its gateway are killed. Compares every row with a service on one machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LaunchedService } from '../launch/service-launcher.ts';
import { Cluster, waitUntil } from './cluster-processes.ts';
import { ClusterStudy, sweepOf } from './cluster-study.ts';
import { PostgresServer } from './postgres-server.ts';

const USAGE = `npm run cluster:chaos -- [options]

  --units N      units of the study, 10,000 by default
  --cells N      cells, 4 by default
  --kill-every S seconds between two kills of a cell, 5 by default
  --restarts N   restarts of the database, 3 by default
  --gateways N   kills of the gateway, 2 by default
  --sqlite       SQLite instead of PostgreSQL, which is not restarted
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
    coupling: { type: 'string', default: 'none' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const unitCount = Number(values.units);
const cellCount = Number(values.cells);
const startMs = performance.now();
const say = (line: string) => {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1).padStart(7);
  process.stdout.write(`${seconds} s  ${line}\n`);
};

const folder = mkdtempSync(join(tmpdir(), 'tessera-chaos-'));
const model = readFileSync(
  new URL('../../test/golden/models/BoxVertexColors.glb', import.meta.url),
);
const environment = { TESSERA_STUDY_FRAMES: '100000', TESSERA_STUDY_ROWS: '1000000' };
const sweep = { ...sweepOf(unitCount), coupling: values.coupling };
const server = values.sqlite ? null : await PostgresServer.start();
const cluster = new Cluster({
  folder,
  engineUrl: server?.url ?? `sqlite:${join(folder, 'engine.db')}`,
  workerCount: 1,
  // One frame at a time, because all cells share the processors of this machine.
  environment: { ...environment, TESSERA_CHUNK_SECONDS: '10', TESSERA_FRAMES_IN_FLIGHT: '1' },
});
let failures = 0;
try {
  // First, so that later starts find compiled code.
  say('the study on one machine …');
  const alone = await LaunchedService.start({
    workerCount: 1,
    environment: {
      ...environment,
      TESSERA_LOG_LEVEL: 'warn',
      TESSERA_PORT: '0',
      TESSERA_DATA_DIR: join(folder, 'alone'),
    },
    isRestarting: false,
    onLine: (name, line) => say(`${name}: ${line}`),
    onFatal: say,
  });
  const aloneMs = performance.now();
  const expected = await ClusterStudy.post(() => alone.url, model, sweep);
  while (!(await expected.isOver())) await sleep(250);
  const aloneSeconds = (performance.now() - aloneMs) / 1000;
  const expectedRows = await expected.rows();
  await alone.stop();

  await cluster.startGateway();
  const cells = Array.from({ length: cellCount }, (_, i) => `cell-${i + 1}`);
  for (const cell of cells) cluster.startCell(cell);
  await cluster.waitForCells(cellCount);
  const study = await ClusterStudy.post(() => cluster.url, model, sweep);
  say(`${study.unitCount} units, ${cellCount} cells`);

  const counts = { cells: 0, databases: 0, gateways: 0 };
  const left = {
    databases: server === null ? 0 : Number(values.restarts),
    gateways: Number(values.gateways),
  };
  const rounds = left.databases + left.gateways;
  let next = 0;
  for (let isOver = false; !isOver; ) {
    const endMs = performance.now() + Number(values['kill-every']) * 1000;
    while (performance.now() < endMs && !isOver) {
      await sleep(500);
      isOver = await study.isOver();
    }
    if (isOver) break;
    const cell = cells[next++ % cells.length]!;
    await cluster.end(cell, 'SIGKILL');
    cluster.startCell(cell);
    counts.cells++;
    const share = (await study.progress()) / study.unitCount;
    const due = rounds - left.databases - left.gateways;
    if (share > (due + 1) / (rounds + 1)) {
      if (server !== null && left.databases >= left.gateways && left.databases > 0) {
        await server.kill();
        await sleep(1000);
        await server.launch();
        left.databases--;
        counts.databases++;
      } else if (left.gateways > 0) {
        await cluster.end('gateway', 'SIGKILL');
        await cluster.startGateway();
        left.gateways--;
        counts.gateways++;
      }
    }
    say(
      `${Math.round(share * 100)} % done; killed ${counts.cells} cells, ${counts.databases} databases, ${counts.gateways} gateways`,
    );
  }
  const clusterSeconds = (performance.now() - startMs) / 1000;
  say('the study is over');
  await waitUntil('the gateway', async () => (await fetch(`${cluster.url}/readyz`)).ok);
  const rows = await study.rows();
  const stats = (await (await fetch(`${cluster.url}/v1/cells`)).json()) as {
    violationCount: number;
    resultCount: number;
  };
  await cluster.stop();

  const textByPlace = new Map(rows.map(({ place, text }) => [place, text]));
  const lost = expectedRows.filter(({ place }) => !textByPlace.has(place)).length;
  const doubled = rows.length - textByPlace.size;
  const different = expectedRows.filter(
    ({ place, text }) => textByPlace.get(place) !== text,
  ).length;
  failures = lost + doubled + different + stats.violationCount;
  say(
    `${rows.length} rows of ${study.unitCount} units: ${lost} lost, ${doubled} double, ${different} different, ${stats.violationCount} violations`,
  );
  say(
    `killed ${counts.cells} cells, ${counts.databases} databases, ${counts.gateways} gateways; ${clusterSeconds.toFixed(0)} s, and ${aloneSeconds.toFixed(0)} s on one machine`,
  );
} finally {
  await cluster.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
