/**
 * A cluster of real processes, on SQLite and on PostgreSQL: gateway, cells, kills. Results are
 * compared with those of a service on one machine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parquetReadObjects } from 'hyparquet';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster, waitUntil } from '../../scripts/cluster/cluster-processes.ts';
import { POSTGRES_PROGRAMS, PostgresServer } from '../../scripts/cluster/postgres-server.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const MODEL = readFileSync('test/golden/models/BoxVertexColors.glb');

const SWEEP = {
  title: 'a sweep',
  chiplets: [1, 2, 4],
  policies: ['static', 'dynamic'],
  bins: [4, 16],
  sizes: ['64x48', '128x96'],
  specs: ['default', 'mobile-like'],
};

type Row = Record<string, unknown>;
interface StudyAnswer {
  id: string;
  status: string;
  rows: Row[];
  progress: { done: number; total: number };
  error: { message: string } | null;
}

/** Posts a frame and returns its id. */
async function postFrame(url: string, query = ''): Promise<string> {
  const response = await fetch(`${url}/v1/frames?width=160&height=120&name=box.glb${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=120' },
    body: MODEL,
  });
  expect(response.status, await response.clone().text()).toBe(200);
  return response.headers.get('Location')!.split('/').at(-1)!;
}

async function postStudy(url: string, frame: string, more: object = {}): Promise<string> {
  const response = await fetch(`${url}/v1/studies`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...SWEEP, frames: [frame], ...more }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(202);
  return (JSON.parse(text) as StudyAnswer).id;
}

async function readStudy(url: string, id: string): Promise<StudyAnswer> {
  const response = await fetch(`${url}/v1/studies/${id}`);
  expect(response.status).toBe(200);
  return (await response.json()) as StudyAnswer;
}

/** Waits for a study and returns its rows without the names of its frames. */
async function rowsOf(url: string, id: string): Promise<Row[]> {
  for (;;) {
    const { status, rows, error } = await readStudy(url, id);
    if (status !== 'running') {
      expect([status, error]).toEqual(['done', null]);
      return rows.map((row) => ({ ...row, frame: '' }));
    }
    await sleep(200);
  }
}

const kinds = [
  { kind: 'SQLite', isMissing: false },
  { kind: 'PostgreSQL', isMissing: POSTGRES_PROGRAMS === null },
];

describe.each(kinds)('A cluster on $kind', { timeout: 300_000 }, ({ kind, isMissing }) => {
  let folder = '';
  let server: PostgresServer | null = null;
  let cluster: Cluster;
  let alone: string;

  beforeAll(async () => {
    if (isMissing) return;
    folder = mkdtempSync(join(tmpdir(), 'tessera-cluster-'));
    if (kind === 'PostgreSQL') server = await PostgresServer.start();
    cluster = new Cluster({
      folder,
      engineUrl: server?.url ?? `sqlite:${join(folder, 'engine.db')}`,
      workerCount: 1,
      environment: { TESSERA_CHUNK_SECONDS: '1' },
    });
    await cluster.startGateway();
    cluster.startCell('cell-a');
    cluster.startCell('cell-b');
    await cluster.waitForCells(2);
    ({ url: alone } = await startTestService({ workerCount: 1 }));
  }, 300_000);

  afterAll(async () => {
    await cluster?.stop();
    await server?.stop();
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it.skipIf(isMissing)('renders a frame as a service on one machine does', async () => {
    const options = '&chiplets=4&coupling=exact';
    const [here, there] = await Promise.all([
      postFrame(cluster.url, options),
      postFrame(alone, options),
    ]);
    const read = async (url: string, path: string) => (await fetch(url + path)).arrayBuffer();
    const image = await read(cluster.url, `/v1/frames/${here}/image`);
    expect(
      Buffer.from(image).equals(Buffer.from(await read(alone, `/v1/frames/${there}/image`))),
    ).toBe(true);
    const reportOf = async (url: string, id: string) => {
      const report = (await (await fetch(`${url}/v1/frames/${id}/report`)).json()) as Row;
      return { ...report, wall: null };
    };
    expect(await reportOf(cluster.url, here)).toEqual(await reportOf(alone, there));
    const status = (await (await fetch(`${cluster.url}/v1/frames/${here}`)).json()) as Row;
    expect(status).toMatchObject({ status: 'done', name: 'box.glb', error: null });
  });

  it.skipIf(isMissing)('gives the error of an invalid model to its sender', async () => {
    const response = await fetch(`${cluster.url}/v1/frames`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary', Prefer: 'wait=60' },
      body: MODEL.subarray(0, 100),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'MODEL_INVALID' });
  });

  it.skipIf(isMissing)('admits a request once, by its key', async () => {
    const post = (width: number) =>
      fetch(`${cluster.url}/v1/frames?width=${width}&height=64`, {
        method: 'POST',
        headers: { 'Content-Type': 'model/gltf-binary', 'Idempotency-Key': 'once' },
        body: MODEL,
      });
    const [first, second] = [await post(64), await post(64)];
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(first.headers.get('Location')).toBe(second.headers.get('Location'));
    expect((await post(65)).status).toBe(422);
  });

  it.skipIf(isMissing).each(['none', 'exact'])(
    'computes the rows of a study as a service on one machine does (coupling %s)',
    async (coupling) => {
      const frames = await Promise.all([postFrame(cluster.url), postFrame(alone)]);
      const ids = await Promise.all([
        postStudy(cluster.url, frames[0], { coupling }),
        postStudy(alone, frames[1], { coupling }),
      ]);
      const [rows, expected] = [await rowsOf(cluster.url, ids[0]), await rowsOf(alone, ids[1])];
      expect(expected.length).toBe(48);
      expect(rows).toEqual(expected);
      const csv = await (await fetch(`${cluster.url}/v1/studies/${ids[0]}/results.csv`)).text();
      expect(csv.trimEnd().split('\n')).toHaveLength(49);
      const plot = await (await fetch(`${cluster.url}/v1/studies/${ids[0]}/plots/cycles`)).text();
      expect(plot).toMatch(/^<svg/);
      const study = `${cluster.url}/v1/studies/${ids[0]}`;
      const status = (await (await fetch(`${study}?rows=false`)).json()) as StudyAnswer;
      expect([status.rows, status.progress.done]).toEqual([[], 8]);
      const page = (await (await fetch(`${study}/rows?from=4&limit=10`)).json()) as StudyAnswer;
      expect(page).toMatchObject({ from: 4, next: 14, total: 48 });
      expect(page.rows.map((row) => ({ ...row, frame: '' }))).toEqual(
        expected.slice(4, 14).map((row, i) => ({ number: i + 4, ...row })),
      );
      const series = (await (await fetch(`${study}/series?figure=speedUp`)).json()) as Row;
      expect(series).toMatchObject({ lineCount: 16, isMean: false });
      const file = await (await fetch(`${study}/results.parquet`)).arrayBuffer();
      const read = await parquetReadObjects({ file, columns: ['policy', 'chiplets', 'cycles'] });
      expect(read).toEqual(
        expected.map(({ policy, chiplets, cycles }) => ({
          policy,
          chiplets: BigInt(chiplets as number),
          cycles: BigInt(cycles as number),
        })),
      );
      const units = await (await fetch(`${study}/units?state=failed`)).json();
      expect(units).toEqual({ units: [] });
    },
  );

  it.skipIf(isMissing)('renders no unit twice', async () => {
    const resultCount = async () => {
      const stats = (await (await fetch(`${cluster.url}/v1/cells`)).json()) as Row;
      return stats.resultCount;
    };
    const frame = await postFrame(cluster.url);
    await rowsOf(cluster.url, await postStudy(cluster.url, frame, { coupling: 'none' }));
    const before = await resultCount();
    // Other chiplets and policies follow from the same renderings.
    const more = { coupling: 'none', chiplets: [3, 8], policies: ['static-morton'] };
    const rows = await rowsOf(cluster.url, await postStudy(cluster.url, frame, more));
    expect(rows).toHaveLength(16);
    expect(await resultCount()).toBe(before);
    const aloneFrame = await postFrame(alone);
    expect(rows).toEqual(await rowsOf(alone, await postStudy(alone, aloneFrame, more)));
  });

  // SQLite keeps no count of claims.
  it.skipIf(isMissing || kind === 'SQLite')(
    'claims each chunk once while nothing fails',
    async () => {
      const bins = Array.from({ length: 40 }, (_, i) => i + 1);
      const frame = await postFrame(cluster.url);
      await rowsOf(cluster.url, await postStudy(cluster.url, frame, { bins, sizes: ['40x40'] }));
      const database = new Client({ connectionString: server!.url });
      await database.connect();
      const select = 'SELECT max(retry_count) AS most, count(*)::integer AS chunks FROM pgboss.job';
      const { rows } = await database.query(select);
      await database.end();
      expect(rows).toEqual([{ most: 0, chunks: expect.any(Number) }]);
      expect(rows[0].chunks).toBeGreaterThan(4);
    },
  );

  it.skipIf(isMissing)('loses nothing when cells, gateway and database are killed', async () => {
    const more = { bins: [1, 2, 3, 4, 6, 8, 12, 16], sizes: ['48x48', '56x48', '64x56', '72x56'] };
    const frame = await postFrame(cluster.url);
    const id = await postStudy(cluster.url, frame, more);
    await cluster.end('cell-a', 'SIGKILL');
    await cluster.end('gateway', 'SIGKILL');
    await server?.kill();
    await server?.launch();
    await cluster.startGateway();
    await waitUntil('the database', async () => (await fetch(`${cluster.url}/readyz`)).ok);
    cluster.startCell('cell-a');
    const rows = await rowsOf(cluster.url, id);
    const expected = await rowsOf(alone, await postStudy(alone, await postFrame(alone), more));
    expect(rows).toEqual(expected);
    const { violations } = (await (await fetch(`${cluster.url}/v1/violations`)).json()) as Row;
    expect(violations).toEqual([]);
  });

  it.skipIf(isMissing)('answers 503 while the database is away, and recovers', async () => {
    if (server === null) return;
    await server.kill();
    const response = await fetch(`${cluster.url}/v1/frames?width=32&height=32`, {
      method: 'POST',
      headers: { 'Content-Type': 'model/gltf-binary' },
      body: MODEL,
    });
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('1');
    expect(await response.json()).toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    expect((await fetch(`${cluster.url}/readyz`)).status).toBe(503);
    await server.launch();
    await waitUntil('the database', async () => (await fetch(`${cluster.url}/readyz`)).ok);
    await postFrame(cluster.url);
  });
});
