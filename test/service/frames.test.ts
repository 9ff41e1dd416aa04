/** A frame over HTTP, from the post to image, report and timeline. */
import { createHash } from 'node:crypto';
import type { Report } from '@tessera/frame';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=320&height=192';

describe('frames over HTTP', () => {
  let service: TestService;
  let url: string;
  let model: Uint8Array;

  beforeAll(async () => {
    model = await makeKnotModel();
    service = await startTestService({ workerCount: 2 });
    url = service.url;
  });

  async function problemOf(response: Response, code: string): Promise<string> {
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toMatchObject({
      type: `urn:tessera:problem:${code}`,
      status: response.status,
      code,
    });
    return String(problem.detail);
  }

  it('returns the image to a client that waits', async () => {
    const response = await postModel(url, model, SIZE, { Accept: 'image/png' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('preference-applied')).toBe('wait=60');
    const image = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect([image.width, image.height]).toEqual([320, 192]);
    const colors = new Set<number>();
    for (let at = 0; at < image.data.length; at += 4) colors.add(image.data.readUInt32BE(at));
    expect(colors.size).toBeGreaterThan(50); // a shaded surface, not a blank image
  });

  it('has no cycles with functional timing', async () => {
    const response = await postModel(url, model, `${SIZE}&timing=functional`);
    const report = (await response.json()) as Report;
    expect(report.timing).toBe('functional');
    expect(report.totals.cycles).toBeNull();
    const timed = (await (await postModel(url, model, SIZE)).json()) as Report;
    expect(timed.image.sha256).toBe(report.image.sha256);
  });

  it('names a frame by its query, or else by its kind', async () => {
    const namesFor = async (query: string) => {
      const admitted = await postModel(url, model, `${SIZE}${query}`, { Prefer: '' });
      const { name, model: described } = (await admitted.json()) as Record<string, string>;
      return [name, described];
    };
    const described = `model/gltf-binary, ${model.length} bytes`;
    expect(await namesFor('&name=Box%20two.glb')).toEqual(['Box two.glb', described]);
    expect(await namesFor('')).toEqual(['glTF model', described]);
    const refused = await postModel(url, model, `${SIZE}&name=`, { Prefer: '' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('query.name') });
  });

  it('finds a frame by its tags, and changes its name and tags', async () => {
    const send = async (path: string, init?: RequestInit) => {
      const answer = await fetch(`${url}/v1/frames${path}`, init);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const find = async (query: string) => {
      const { frames } = (await send(query)).body as { frames: readonly { id: string }[] };
      return frames.map(({ id }) => id);
    };
    const admitted = await postModel(url, model, `${SIZE}&tags=nightly,%20box`, { Prefer: '' });
    const { id, tags } = (await admitted.json()) as { id: string; tags: string[] };
    expect(tags).toEqual(['nightly', 'box']);
    expect(await find('?tag=nightly')).toEqual([id]);
    expect(await find('?tag=night')).toEqual([]);
    expect(await find('?search=night')).toEqual([id]);
    const patch = (body: object) =>
      send(`/${id}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await patch({ name: 'Red box' })).body).toMatchObject({ name: 'Red box', tags });
    expect((await patch({ tags: ['red'] })).body).toMatchObject({ name: 'Red box', tags: ['red'] });
    expect((await send(`/${id}`)).body).toMatchObject({ name: 'Red box', tags: ['red'] });
    expect(await find('?tag=nightly')).toEqual([]);
    expect(await find('?search=RED%20B')).toEqual([id]);
    for (const [body, place] of [
      [{ tags: ['a,b'] }, 'body.tags'],
      [{ tags: [' '] }, 'body.tags'],
      [{ name: '' }, 'body.name'],
      [{}, 'body'],
    ] as const) {
      const refused = await patch(body);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ detail: expect.stringContaining(place) });
    }
    expect((await send('/none', { method: 'PATCH', body: '{}' })).status).toBeGreaterThan(399);
  });

  it('answers 202 with the frame’s address; image and report agree', async () => {
    const admitted = await postModel(url, model, SIZE, { Prefer: '' });
    expect(admitted.status).toBe(202);
    const { id, links } = (await admitted.json()) as { id: string; links: Record<string, string> };
    expect(admitted.headers.get('location')).toBe(`/v1/frames/${id}`);
    const path = url + links.self;
    await expect
      .poll(async () => ((await (await fetch(path)).json()) as { status: string }).status, {
        timeout: 60_000,
      })
      .toBe('done');

    const report = (await (await fetch(url + links.report)).json()) as Report;
    expect(report.timing).toBe('cycle');
    expect(report.totals.cycles).toBeGreaterThan(report.visibility.cycles!);
    expect(report.spec.parameters.smCount).toBe(16);
    const timeline = (await (await fetch(url + links.timeline)).json()) as {
      traceEvents: { ph: string; ts?: number; dur?: number }[];
    };
    const ends = timeline.traceEvents.map(({ ts = 0, dur = 0 }) => Math.round((ts + dur) * 1000));
    expect(Math.max(...ends)).toBe(report.totals.cycles);

    const answer = await fetch(url + links.image);
    const image = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    expect(createHash('sha256').update(image.data).digest('hex')).toBe(report.image.sha256);
    expect(report.chiplets.map(({ id: chiplet }) => chiplet)).toEqual([0, 1, 2]);
    expect(report.bins.reduce((sum, bin) => sum + bin.width * bin.height, 0)).toBe(320 * 192);

    const etag = answer.headers.get('etag')!;
    const again = await fetch(url + links.image, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    await problemOf(
      await fetch(url + links.image, { headers: { Accept: 'text/html' } }),
      'NOT_ACCEPTABLE',
    );

    expect((await fetch(path, { method: 'DELETE' })).status).toBe(204);
    await problemOf(await fetch(path), 'NOT_FOUND');
  });

  it('gives the same image whatever the policy, the number of chiplets and bins', async () => {
    const queries = [
      '',
      '&policy=static',
      '&policy=static-diagonal&bins=7',
      '&chiplets=1',
      '&chiplets=2&visibility=full',
    ];
    const hashes: string[] = [];
    for (const query of queries) {
      const response = await postModel(url, model, SIZE + query);
      expect(response.status).toBe(200);
      hashes.push(((await response.json()) as Report).image.sha256);
    }
    expect(new Set(hashes).size).toBe(1);
  });

  it('gives the same report twice, except for wall time', async () => {
    const reports: Partial<Report>[] = [];
    for (let i = 0; i < 2; i++) {
      const { wall, ...rest } = (await (await postModel(url, model, SIZE)).json()) as Report;
      expect(wall.totalMs).toBeGreaterThan(0);
      reports.push(rest);
    }
    expect(reports[0]).toEqual(reports[1]);
  });

  it('accepts a .gltf and its files as a form, by their file names', async () => {
    const triangle = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
    const gltf = {
      asset: { version: '2.0' },
      scene: 0,
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [
        {
          bufferView: 0,
          componentType: 5126,
          count: 3,
          type: 'VEC3',
          min: [0, 0, 0],
          max: [1, 1, 0],
        },
      ],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      buffers: [{ uri: 'parts/my%20triangle.bin', byteLength: 36 }],
    };
    const form = new FormData();
    form.append('any', new Blob([triangle]), 'parts/my triangle.bin');
    form.append('any', new Blob([JSON.stringify(gltf)]), 'model.gltf');
    const post = (body: FormData) =>
      fetch(`${url}/v1/frames${SIZE}`, { method: 'POST', headers: { Prefer: 'wait=60' }, body });
    const response = await post(form);
    expect(response.status).toBe(200);
    expect(((await response.json()) as Report).visibility.primitivesIn).toBe(1);

    const withoutFile = new FormData();
    withoutFile.append('any', new Blob([JSON.stringify(gltf)]), 'model.gltf');
    expect(await problemOf(await post(withoutFile), 'MODEL_INVALID')).toContain('buffers[0]');
    const withoutModel = new FormData();
    withoutModel.append('any', new Blob([triangle]), 'triangle.bin');
    expect(await problemOf(await post(withoutModel), 'REQUEST_INVALID')).toContain('exactly one');
  });

  it.each([
    ['?wdith=100', 'REQUEST_INVALID', 'query.wdith: unknown parameter'],
    ['?width=0', 'REQUEST_INVALID', 'query.width: must be >= 1'],
    ['?width=ten', 'REQUEST_INVALID', 'query.width: must be integer'],
    ['?timing=wall', 'REQUEST_INVALID', 'query.timing: must be one of functional, cycle'],
    ['?policy=best', 'REQUEST_INVALID', 'dynamic-longest-first'],
    ['?bins=1025', 'REQUEST_INVALID', 'query.bins: must be <= 1024'],
    ['?width=16384&height=16384', 'LIMIT_EXCEEDED', '268435456 pixels'],
    ['?camera=7', 'REQUEST_INVALID', 'camera'],
  ])('refuses the query %s', async (query, code, place) => {
    expect(await problemOf(await postModel(url, model, query), code)).toContain(place);
  });

  it('rejects bodies that are not models, naming the place, and continues', async () => {
    const cut = model.slice(0, model.length / 2);
    expect(await problemOf(await postModel(url, cut), 'MODEL_INVALID')).toContain('bytes');
    const noise = Uint8Array.from({ length: 1000 }, (_, i) => (i * 89) & 255);
    expect(await problemOf(await postModel(url, noise), 'MODEL_INVALID')).toContain('glb');
    const empty = await postModel(url, new Uint8Array(0));
    expect(await problemOf(empty, 'REQUEST_INVALID')).toContain('body');
    const json = await postModel(url, Buffer.from('{"asset":'), '', {
      'Content-Type': 'model/gltf+json',
    });
    expect(json.status).toBe(400);
    await problemOf(json, 'MODEL_INVALID');
    // Without waiting: errors in a model are reported before it is accepted.
    await problemOf(await postModel(url, cut, '', { Prefer: '' }), 'MODEL_INVALID');
    const otherType = await postModel(url, model, '', { 'Content-Type': 'application/pdf' });
    await problemOf(otherType, 'MEDIA_TYPE_UNSUPPORTED');
    await problemOf(await postModel(url, model, '', { Accept: 'image/webp' }), 'NOT_ACCEPTABLE');
    await problemOf(await fetch(`${url}/v2/frames`), 'NOT_FOUND');
    await problemOf(await fetch(`${url}/v1/frames/none/image`), 'NOT_FOUND');
    expect((await postModel(url, await makeModelGlb(), SIZE)).status).toBe(200);
  });

  it('shows its documentation and a page', async () => {
    expect((await fetch(`${url}/docs/`)).status).toBe(200);
    expect(await (await fetch(`${url}/`)).text()).toContain('Tessera');
  });

  it('shows counters, chiplets and metrics', async () => {
    const { counters } = (await (await fetch(`${url}/v1/counters`)).json()) as {
      counters: { name: string; chipletUnit: string }[];
    };
    expect(counters).toContainEqual(
      expect.objectContaining({
        name: 'raster.quadsCovered',
        unit: 'quads',
        chipletUnit: 'raster',
      }),
    );
    const { chiplets } = (await (await fetch(`${url}/v1/chiplets`)).json()) as {
      chiplets: { id: number; role: string; mode: string }[];
    };
    expect(chiplets.map(({ id, role }) => `${id} ${role}`)).toEqual([
      '0 visibility',
      '1 worker',
      '2 worker',
    ]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^tessera_frames_total\{outcome="done"\} \d+$/m);
    expect(metrics).toMatch(/^tessera_chiplets\{role="worker"\} 2$/m);
    expect(metrics).toMatch(/^tessera_visibility_seconds_count \d+$/m);
    expect(metrics).not.toMatch(/frame_?id/i);
  });
});
