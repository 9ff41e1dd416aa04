/** Sequences over HTTP: a model over time, frames that were rendered before, what is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalGpu } from '@tessera/experiments';
import type { Report, SequenceReport } from '@tessera/frame';
import { importGltf } from '@tessera/scenes';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const MODEL = readFileSync(join(import.meta.dirname, '../golden/models/AnimatedMorphCube.glb'));
const SIZE = { widthPx: 192, heightPx: 128 };
const QUERY = '?width=192&height=128&bins=6&policy=dynamic-pull&chiplets=5';

interface Status {
  readonly status: string;
  readonly frameCount: number;
  readonly frames: readonly string[];
  readonly links: Readonly<Record<string, string>>;
}

describe('sequences', () => {
  let started: TestService;

  beforeAll(async () => {
    started = await startTestService({ workerCount: 2 });
  });

  function post(query: string, body: Uint8Array | string, type = 'model/gltf-binary', prefer = '') {
    const headers = { 'Content-Type': type, Prefer: prefer };
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    return fetch(`${started.url}/v1/sequences${query}`, { method: 'POST', headers, body: bytes });
  }

  const get = (path: string) => fetch(started.url + path);

  it.each(['functional', 'cycle'] as const)(
    'renders a model over time as one process does (timing %s)',
    async (timing) => {
      const query = `${QUERY}&from=0.5&to=2.5&frames=5&timing=${timing}`;
      const response = await post(query, MODEL, 'model/gltf-binary', 'wait=60');
      expect(response.status).toBe(200);
      const report = (await response.json()) as SequenceReport;
      const local = await new LocalGpu(5).renderSequence(
        [0.5, 1, 1.5, 2, 2.5].map(
          (timeSeconds) => async () =>
            (await importGltf({ kind: 'glb', bytes: MODEL }, { ...SIZE, timeSeconds })).frame,
        ),
        {
          policy: 'dynamic-pull',
          binCount: 6,
          visibilityShader: 'minimal',
          timing,
          onFrame: () => {},
        },
      );
      expect({ ...report, wall: null }).toEqual({ ...local.report, wall: null });
      expect(new Set(report.frames.map(({ imageSha256 }) => imageSha256)).size).toBe(5);
    },
  );

  it('answers at once, says where to look, and gives the pictures in one archive', async () => {
    const response = await post(`${QUERY}&frames=6`, MODEL);
    expect(response.status).toBe(202);
    const location = response.headers.get('location')!;
    const statusOf = async () => (await (await get(location)).json()) as Status;
    await expect.poll(async () => (await statusOf()).status, { timeout: 30_000 }).toBe('done');
    const { frames, links, frameCount } = await statusOf();
    expect(frames).toHaveLength(frameCount);
    const zip = Buffer.from(await (await get(links.images!)).arrayBuffer());
    expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    for (const frame of frames) {
      const png = Buffer.from(await (await get(`${frame}/image`)).arrayBuffer());
      expect(zip.includes(png)).toBe(true);
    }
    const timeline = (await (await get(links.timeline!)).json()) as {
      traceEvents: { name: string }[];
    };
    expect(timeline.traceEvents.map(({ name }) => name)).toContain('frame 5: visibility');
  });

  it('accounts for frames that were rendered before on any number of chiplets', async () => {
    const locations: string[] = [];
    for (const time of [0, 1]) {
      const rendered = await postModel(started.url, MODEL, `${QUERY}&time=${time}`);
      locations.push(rendered.headers.get('location')!);
    }
    const ids = locations.map((location) => location.split('/').at(-1)!);
    const list = JSON.stringify({ frames: [...ids, ...ids, ...ids, ...ids] });
    const of = async (chiplets: number) => {
      const query = `?chiplets=${chiplets}&policy=dynamic-pull&linkTopology=ring`;
      const response = await post(query, list, 'application/json', 'wait=20');
      expect(response.status).toBe(200);
      return (await response.json()) as SequenceReport;
    };
    const [one, four] = [await of(1), await of(4)];
    expect(one.totals.frames).toBe(8);
    expect(one.link.bytes).toBe(0);
    expect(four.link.topology).toBe('ring');
    expect(four.totals.cycles!).toBeLessThan(one.totals.cycles!);
    expect(four.steadyState!.speedUp).toBeGreaterThan(one.steadyState!.speedUp);
  });

  it('takes grid, split and occlusion as frames do, and the crosslink with them', async () => {
    const query = '?width=192&height=128&chiplets=3&grid=1x1&split=2&occlusion=true';
    const link = '&linkTopology=full&linkBytesPerCycle=16&overlap=none';
    const response = await post(`${query}${link}&frames=1`, MODEL, 'model/gltf-binary', 'wait=60');
    expect(response.status).toBe(200);
    const { frames, link: sequenceLink } = (await response.json()) as SequenceReport;
    const headers = { Accept: 'application/json' };
    const { headers: posted } = await postModel(started.url, MODEL, `${query}${link}`);
    const of = async (path: string) =>
      (await (await fetch(started.url + path, { headers })).json()) as Report;
    const report = await of(`${posted.get('location')!}/report`);
    expect(report.frame.sha256).toBe(frames[0]!.frameSha256);
    expect(report.image.sha256).toBe(frames[0]!.imageSha256);
    expect(report.totals.cycles).toBe(frames[0]!.latencyCycles);
    for (const each of [report.link, sequenceLink]) {
      expect(each).toMatchObject({ topology: 'full', bytesPerCycle: 16, latencyCycles: 32 });
    }
    const usual = await postModel(started.url, MODEL, '?width=192&height=128&chiplets=3&grid=1x1');
    const other = await of(`${usual.headers.get('location')!}/report`);
    expect(report.bins.length).toBe(other.bins.length + 2);
  });

  it('refuses what is wrong at once', async () => {
    const codeOf = async (response: Promise<Response>) => {
      const { status } = await response;
      return [status, ((await (await response).json()) as { code: string }).code];
    };
    expect(await codeOf(post('', 'no model'))).toEqual([400, 'MODEL_INVALID']);
    expect(await codeOf(post('?frames=0', MODEL))).toEqual([400, 'REQUEST_INVALID']);
    expect(await codeOf(post('?linkTopology=star', MODEL))).toEqual([400, 'REQUEST_INVALID']);
    const json = 'application/json';
    expect(await codeOf(post('', '{"frames": []}', json))).toEqual([400, 'REQUEST_INVALID']);
    expect(await codeOf(post('', '{"frames": ["x"]}', json))).toEqual([404, 'NOT_FOUND']);
    expect(await codeOf(get('/v1/sequences/x/report'))).toEqual([404, 'NOT_FOUND']);
  });

  it('can be cancelled', async () => {
    const response = await post(`${QUERY}&frames=500`, MODEL);
    const location = response.headers.get('location')!;
    await fetch(started.url + location, { method: 'DELETE' });
    await expect
      .poll(async () => ((await (await get(location)).json()) as Status).status)
      .toBe('cancelled');
    const { frames } = (await (await get(location)).json()) as Status;
    expect(frames.length).toBeLessThan(500);
    expect((await postModel(started.url, MODEL, QUERY)).status).toBe(200);
  });
});
