/** Sequences over HTTP: a model over time, rendered frames, rejected requests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report, SequenceReport } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
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
const QUERY = '?width=192&height=128&quality=simple&bins=6&policy=dynamic-pull&chiplets=5';

interface Status {
  readonly status: string;
  readonly frameCount: number;
  readonly frames: readonly string[];
  readonly links: Readonly<Record<string, string>>;
}

describe('sequences', () => {
  let started: TestService;

  beforeAll(async () => {
    started = await startTestService({
      workerCount: 2,
      environment: { TESSERA_RUNNING_SEQUENCES: '2', TESSERA_SIMULATION_STEPS: '320000' },
    });
  });

  function post(query: string, body: Uint8Array | string, type = 'model/gltf-binary', prefer = '') {
    const headers = { 'Content-Type': type, Prefer: prefer };
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    return fetch(`${started.url}/v1/sequences${query}`, { method: 'POST', headers, body: bytes });
  }

  const get = (path: string) => fetch(started.url + path);

  it.each([
    ['functional', 'none'],
    ['cycle', 'none'],
    ['cycle', 'exact'],
  ] as const)(
    'renders a model over time as one process does (timing %s, coupling %s)',
    async (timing, coupling) => {
      const query = `${QUERY}&from=0.5&to=2.5&frames=5&timing=${timing}&coupling=${coupling}`;
      const response = await post(query, MODEL, 'model/gltf-binary', 'wait=60');
      expect(response.status).toBe(200);
      const report = (await response.json()) as SequenceReport;
      const local = await new LocalGpu({ chipletCount: 5 }).renderSequence(
        [0.5, 1, 1.5, 2, 2.5].map(
          (timeSeconds) => async () =>
            (await importGltf({ kind: 'glb', bytes: MODEL }, { ...SIZE, timeSeconds })).frame,
        ),
        {
          policy: 'dynamic-pull',
          grid: { kind: 'bins', count: 6 },
          visibilityShader: 'minimal',
          timing,
          coupling,
          onFrame: () => {},
        },
      );
      expect({ ...report, wall: null }).toEqual({ ...local.report, wall: null });
      expect(report.coupling).toBe(coupling);
      expect(new Set(report.frames.map(({ imageSha256 }) => imageSha256)).size).toBe(5);
    },
  );

  it('has the name and tags of its post, and changes them', async () => {
    const read = async (answer: Response | Promise<Response>) =>
      (await (await answer).json()) as Record<string, unknown>;
    const rendered = await read(
      post(`${QUERY}&frames=1&name=Morphing&tags=nightly,%20box`, MODEL, undefined, ''),
    );
    const { id } = rendered as { id: string };
    // Few sequences may run at once.
    const whenDone = (each: Record<string, unknown>) =>
      expect
        .poll(async () => (await read(get(`/v1/sequences/${each.id}`))).status, { timeout: 60_000 })
        .toBe('done');
    expect(rendered).toMatchObject({ name: 'Morphing', tags: ['nightly', 'box'] });
    const path = `/v1/sequences/${id}`;
    const patch = (body: object) =>
      fetch(started.url + path, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect(await read(patch({ name: 'Cube' }))).toMatchObject({ id, name: 'Cube' });
    expect(await read(patch({ tags: [] }))).toMatchObject({ name: 'Cube', tags: [] });
    expect(await read(get(path))).toMatchObject({ name: 'Cube', tags: [] });
    const { sequences } = (await read(get('/v1/sequences?limit=1'))) as { sequences: object[] };
    expect(sequences[0]).toMatchObject({ id, name: 'Cube' });
    for (const [body, place] of [
      [{ tags: ['a,b'] }, 'body.tags'],
      [{ name: '' }, 'body.name'],
      [{}, 'body'],
    ] as const) {
      const refused = await patch(body);
      expect([refused.status, (await read(refused)).detail]).toEqual([
        400,
        expect.stringContaining(place),
      ]);
    }
    const none = await fetch(`${started.url}/v1/sequences/none`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name": "x"}',
    });
    expect(none.status).toBe(404);
    await whenDone(rendered);
    const frame = await postModel(started.url, MODEL, QUERY);
    const frameId = frame.headers.get('location')!.split('/').at(-1)!;
    const list = JSON.stringify({ frames: [frameId, frameId] });
    const invalid = await post('?chiplets=3&tags=,', list, 'application/json');
    expect(invalid.status).toBe(400);
    const unnamed = await read(post('?chiplets=3', list, 'application/json'));
    expect(unnamed).toMatchObject({ name: '2 frames', tags: [] });
    await whenDone(unnamed);
    const named = await read(post('?chiplets=3&name=Twice&tags=a', list, 'application/json'));
    expect(named).toMatchObject({ name: 'Twice', tags: ['a'] });
    await whenDone(named);
  });

  it('answers immediately with the address, and provides the images in one archive', async () => {
    const response = await post(`${QUERY}&frames=6`, MODEL);
    expect(response.status).toBe(202);
    const location = response.headers.get('location')!;
    const statusOf = async () => (await (await get(location)).json()) as Status;
    await expect.poll(async () => (await statusOf()).status, { timeout: 60_000 }).toBe('done');
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

  it('turns the camera around a model', async () => {
    const query = '?width=96&height=64&chiplets=2&bins=4&timing=functional&from=0.3&to=0.3';
    const orbit = '30,10';
    const turned = await post(
      `${query}&orbit=${orbit}&turn=360&frames=4`,
      MODEL,
      'model/gltf-binary',
      'wait=60',
    );
    expect(turned.status).toBe(200);
    const { frames } = (await turned.json()) as SequenceReport;
    const angles = [30, 120, 210, 300];
    for (const [i, angle] of angles.entries()) {
      const size = '?width=96&height=64&bins=4&timing=functional&time=0.3';
      const one = await postModel(started.url, MODEL, `${size}&orbit=${angle},10`);
      const { image } = (await one.json()) as Report;
      expect(frames[i]!.imageSha256).toBe(image.sha256);
    }
    expect(new Set(frames.map(({ imageSha256 }) => imageSha256)).size).toBe(4);
  });

  it('refuses frames of different couplings together', async () => {
    const ids: string[] = [];
    for (const coupling of ['none', 'exact']) {
      const rendered = await postModel(started.url, MODEL, `${QUERY}&coupling=${coupling}`);
      ids.push(rendered.headers.get('location')!.split('/').at(-1)!);
    }
    const list = JSON.stringify({ frames: ids });
    const response = await post('?chiplets=2', list, 'application/json', 'wait=20');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(
      'was rendered with coupling=exact, but the first frame with none',
    );
  });

  it.each(['none', 'exact'])(
    'accounts for frames that were rendered before on any number of chiplets (coupling %s)',
    async (coupling) => {
      const locations: string[] = [];
      for (const time of [0, 1]) {
        const query = `${QUERY}&coupling=${coupling}&time=${time}`;
        const rendered = await postModel(started.url, MODEL, query);
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
    },
  );

  it('accepts the same grid, split and occlusion options as frames, and crosslink options', async () => {
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

  it('places the resources of all frames', async () => {
    const query = '?width=192&height=128&chiplets=3&bins=8&placement=interleaved';
    const response = await post(`${query}&frames=1`, MODEL, 'model/gltf-binary', 'wait=60');
    expect(response.status).toBe(200);
    const sequence = (await response.json()) as SequenceReport;
    const replicated = query.replace('interleaved', 'replicated');
    const other = await post(`${replicated}&frames=1`, MODEL, 'model/gltf-binary', 'wait=60');
    const { totals, link } = (await other.json()) as SequenceReport;
    expect(sequence.totals.cycles).not.toBe(totals.cycles);
    expect(sequence.link.bytes).not.toBe(link.bytes);
    const posted = await postModel(started.url, MODEL, query);
    const location = posted.headers.get('location')!;
    const report = (await (await fetch(`${started.url}${location}/report`)).json()) as Report;
    expect(sequence.frames[0]!.latencyCycles).toBe(report.totals.cycles);

    // Frames whose bins are timed alone have no memory to share.
    const isolated = await postModel(started.url, MODEL, `${QUERY}&coupling=none`);
    const list = JSON.stringify({ frames: [isolated.headers.get('location')!.split('/').at(-1)!] });
    for (const option of ['placement=interleaved', 'linkTopology=mesh']) {
      const refused = await post(`?chiplets=2&${option}`, list, 'application/json', 'wait=20');
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain('coupling');
    }
  });

  it('rejects invalid requests immediately', async () => {
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

  it('lists them a page at a time', async () => {
    const posted: string[] = [];
    for (let i = 0; i < 3; i++) {
      const response = await post(`${QUERY}&frames=1`, MODEL, 'model/gltf-binary', 'wait=60');
      posted.unshift(response.headers.get('location')!.split('/').at(-1)!);
    }
    const pageOf = async (path: string) =>
      (await (await get(path)).json()) as { sequences: { id: string }[]; next: string | null };
    const first = await pageOf('/v1/sequences?limit=2');
    expect(first.sequences.map(({ id }) => id)).toEqual(posted.slice(0, 2));
    const second = await pageOf(first.next!);
    expect(second.sequences[0]!.id).toBe(posted[2]);
    expect((await pageOf('/v1/sequences?limit=200')).next).toBeNull();
    expect((await get('/v1/sequences?limit=0')).status).toBe(400);
  });

  it('refuses more than may run at once, before the body is read', async () => {
    const running = await Promise.all([1, 2].map(() => post(`${QUERY}&frames=400`, MODEL)));
    const locations = running.map((response) => response.headers.get('location')!);
    const refused = await post(`${QUERY}&frames=1`, MODEL);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await refused.json()).toMatchObject({
      code: 'TOO_MANY_SEQUENCES',
      detail: '2 sequences are running; at most 2',
    });
    for (const location of locations) await fetch(started.url + location, { method: 'DELETE' });
    for (const location of locations) {
      await expect
        .poll(async () => ((await (await get(location)).json()) as Status).status)
        .toBe('cancelled');
    }
    expect((await post(`${QUERY}&frames=1`, MODEL)).status).toBe(202);
  });

  it('rejects too large a simulation immediately, with all numbers', async () => {
    const response = await post(`?width=192&height=128&bins=6&chiplets=64&frames=501`, MODEL);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      detail:
        'query.frames: 501 frames with 501 passes and 3006 coarse bins on 64 chiplets: ' +
        '(bins + 4 × passes) × chiplets is 320640; at most 320000',
    });
    const frame = await postModel(started.url, MODEL, QUERY);
    const id = frame.headers.get('location')!.split('/').at(-1)!;
    const list = JSON.stringify({ frames: new Array<string>(501).fill(id) });
    const ofFrames = await post('?chiplets=64', list, 'application/json', 'wait=60');
    expect(ofFrames.status).toBe(413);
    expect(((await ofFrames.json()) as { detail: string }).detail).toContain('320640');
  });

  it('answers while sequences of many frames wait for one and are then simulated', async () => {
    const query = `${QUERY}&coupling=none`;
    const rendered = await postModel(started.url, MODEL, query);
    const done = rendered.headers.get('location')!.split('/').at(-1)!;
    const waited = await postModel(started.url, MODEL, query, { Prefer: '' });
    const { id: last } = (await waited.json()) as { id: string };
    const frames = [...new Array<string>(999).fill(done), last];
    const startMs = performance.now();
    let isOver = false;
    let longestMs = 0;
    const asking = (async () => {
      while (!isOver) {
        const askedMs = performance.now();
        expect((await get('/livez')).status).toBe(200);
        longestMs = Math.max(longestMs, performance.now() - askedMs);
      }
    })();
    const posted = await post(
      '?chiplets=32',
      JSON.stringify({ frames }),
      'application/json',
      'wait=60',
    );
    isOver = true;
    await asking;
    expect(posted.status).toBe(200);
    expect(((await posted.json()) as SequenceReport).totals.frames).toBe(1000);
    // On the event loop it would take tens of seconds without interruption.
    expect(longestMs).toBeLessThan(Math.max(5000, (performance.now() - startMs) / 2));
  });

  it('refuses an archive beyond 4 GiB before it reads a file', async () => {
    const noise = `precision highp float; void main() { gl_FragColor = vec4(fract(sin(dot(gl_FragCoord.xy,
      vec2(12.9898, 78.233))) * vec3(43758.5453, 22578.1459, 19642.349)), 1.0); }`;
    const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
    const triangle = Buffer.from(new Float32Array([-1, -1, 3, -1, -1, 3]).buffer);
    const vertexSource = 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }';
    const frame = {
      widthPx: 1300,
      heightPx: 1300,
      buffers: [triangle.toString('base64')],
      programs: [{ vertexSource, fragmentSource: noise }],
      passes: [{ draws: [{ programIndex: 0, count: 3, attributes: { at } }] }],
    };
    const rendered = await fetch(`${started.url}/v1/frames?timing=functional&bins=1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'wait=60' },
      body: JSON.stringify(frame),
    });
    expect(rendered.status).toBe(200);
    const id = rendered.headers.get('location')!.split('/').at(-1)!;
    const list = JSON.stringify({ frames: new Array<string>(1000).fill(id) });
    const sequence = await post('?chiplets=2', list, 'application/json', 'wait=60');
    expect(sequence.status).toBe(200);
    const archive = await get(`${sequence.headers.get('location')!}/images`);
    expect(archive.status).toBe(413);
    const { detail } = (await archive.json()) as { detail: string };
    expect(detail).toMatch(
      /^the archive of 1001 files would have \d{10} bytes; at most 65535 files/,
    );
  });
});
