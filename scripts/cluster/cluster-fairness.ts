/**
 * `npm run cluster:fairness`: two tenants of equal weight with demands of 10 to 1 on one cell, then
 * a flood of frames against a quota, while the memory of the gateway is watched.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { residentBytes } from '../load/resident-bytes.ts';
import { Cluster } from './cluster-processes.ts';
import { ClusterStudy, sweepOf } from './cluster-study.ts';
import { POSTGRES_PROGRAMS, PostgresServer } from './postgres-server.ts';

const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '30' },
  },
});
const model = readFileSync(
  new URL('../../test/golden/models/BoxVertexColors.glb', import.meta.url),
);
const small = Number(values.units);
const tokenOf = (name: string) => `${name}-${'x'.repeat(40)}`;
const tenants = [
  { name: 'large', tokens: [tokenOf('large')] },
  { name: 'small', tokens: [tokenOf('small')] },
  { name: 'flood', tokens: [tokenOf('flood')], maxQueuedUnits: 50 },
];

const folder = mkdtempSync(join(tmpdir(), 'tessera-fairness-'));
mkdirSync(folder, { recursive: true });
const tenantsFile = join(folder, 'tenants.json');
writeFileSync(tenantsFile, JSON.stringify(tenants));
const server = POSTGRES_PROGRAMS === null ? null : await PostgresServer.start();
const cluster = new Cluster({
  folder,
  engineUrl: server?.url ?? `sqlite:${join(folder, 'engine.db')}`,
  workerCount: 1,
  environment: {
    TESSERA_TENANTS_FILE: tenantsFile,
    TESSERA_CHUNK_SECONDS: '1',
    TESSERA_STUDY_FRAMES: '100000',
    TESSERA_STUDY_ROWS: '1000000',
  },
  onLine: (name, line) => process.stderr.write(`${name}: ${line}\n`),
  headers: { Authorization: `Bearer ${tokenOf('large')}` },
});

/** Resident memory of the gateway in MiB. */
function gatewayMib(): number {
  return Math.round(residentBytes(cluster.pids().get('gateway')!) / 2 ** 20);
}

let isFair = false;
let isRefused = false;
try {
  await cluster.startGateway();
  cluster.startCell('cell-1');
  await cluster.waitForCells(1);
  const post = (name: string, units: number, heightPx: number) =>
    ClusterStudy.post(
      () => cluster.url,
      model,
      {
        ...sweepOf(units),
        sizes: sweepOf(units).sizes.map((text) => `${text.split('x')[0]}x${heightPx}`),
      },
      { Authorization: `Bearer ${tokenOf(name)}` },
    );
  // Warms the cell up, so that both tenants have units of the same cost.
  const warm = await post('large', 100, 34);
  while (!(await warm.isOver())) await sleep(100);
  const large = await post('large', 10 * small, 32);
  const before = await large.progress();
  const little = await post('small', small, 33);
  while (!(await little.isOver())) await sleep(50);
  const done = (await large.progress()) - before;
  const share = done / (done + small);
  isFair = Math.abs(share - 0.5) <= 0.05;
  process.stdout.write(
    `when ${small} units of the small tenant were done, ${done} of the large tenant's ${10 * small} were: ${(share * 100).toFixed(1)} % of the cell (50 is fair)\n`,
  );

  const startMib = gatewayMib();
  const counts = new Map<number, number>();
  const endMs = performance.now() + Number(values.seconds) * 1000;
  let mostMib = startMib;
  const client = async (number: number) => {
    for (let i = 0; performance.now() < endMs; i++) {
      const width = 300 + ((number * 1000 + i) % 600);
      const response = await fetch(`${cluster.url}/v1/frames?width=${width}&height=300`, {
        method: 'POST',
        headers: {
          'Content-Type': 'model/gltf-binary',
          Authorization: `Bearer ${tokenOf('flood')}`,
        },
        body: new Uint8Array(model),
      });
      await response.arrayBuffer();
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      mostMib = Math.max(mostMib, gatewayMib());
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, number) => client(number)));
  const refused = counts.get(429) ?? 0;
  const admitted = counts.get(202) ?? 0;
  isRefused = refused > 2 * admitted && counts.size === 2;
  process.stdout.write(
    `flood: ${admitted} admitted, ${refused} refused with 429, statuses ${[...counts.keys()].join(' ')}; gateway ${startMib} MiB before, ${mostMib} at most\n`,
  );
} finally {
  await cluster.stop();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(isFair && isRefused ? 0 : 1);
