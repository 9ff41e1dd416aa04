/** Requests about frames: native frames, options, lists, idempotency keys and event streams. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Report } from '@tessera/frame';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { readEvents } from '../support/read-events.ts';
import {
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=320&height=192&bins=8';

/** Wait for chiplets to become idle. */
const WAIT = { timeout: 60_000, interval: 50 };

interface Status {
  readonly id: string;
  readonly status: string;
  readonly model: string;
  readonly links: { readonly self: string; readonly events: string };
}

/**
 * A frame of two passes in the native format: a triangle into a texture, the texture onto the
 * screen.
 */
const TWO_PASSES = {
  widthPx: 64,
  heightPx: 64,
  buffers: [new Uint8Array(Float32Array.of(-1, -1, 3, -1, -1, 3).buffer).toBase64()],
  textures: [{ format: 'rgba8unorm', widthPx: 32, heightPx: 32 }],
  programs: [
    {
      vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
      fragmentSource:
        'precision mediump float; void main() { gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0); }',
    },
    {
      vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at * 0.5, 0.0, 1.0); }',
      fragmentSource:
        'precision mediump float; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)).grba; }',
    },
  ],
  passes: [
    { target: { kind: 'texture', textureIndex: 0 }, draws: [drawOf(0, {})] },
    { draws: [drawOf(1, { image: { textureIndex: 0 } })] },
  ],
};

function drawOf(programIndex: number, textures: object) {
  const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
  return { programIndex, count: 3, attributes: { at }, textures };
}

describe('requests about frames', () => {
  let url: string;
  let started: TestService;
  let model: Uint8Array;

  beforeAll(async () => {
    model = await makeKnotModel();
    started = await startTestService({ workerCount: 2 });
    url = started.url;
  });

  async function postJson(value: unknown, query = ''): Promise<Response> {
    return postModel(url, Buffer.from(JSON.stringify(value)), query, {
      'Content-Type': 'application/json',
    });
  }

  it('accepts native frames, and returns the image of each pass', async () => {
    const response = await postJson(TWO_PASSES);
    const report = (await response.json()) as Report;
    expect(response.status).toBe(200);
    expect(report.passes.map(({ target }) => target)).toEqual(['texture', 'screen']);
    const image = `${url}${response.headers.get('location')}/image`;
    const imageOf = async (query: string) =>
      PNG.sync.read(Buffer.from(await (await fetch(image + query)).arrayBuffer()));
    const centerOf = ({ data, width }: PNG) => [
      ...data.subarray((width / 2) * (width + 1) * 4).subarray(0, 3),
    ];
    expect(centerOf(await imageOf('?target=0'))).toEqual([255, 0, 0]);
    expect((await imageOf('?target=0')).width).toBe(32);
    expect(centerOf(await imageOf('?target=1'))).toEqual([0, 255, 0]);
    expect(centerOf(await imageOf(''))).toEqual([0, 255, 0]);
    expect((await fetch(`${image}?target=2`)).status).toBe(404);
  });

  it('accepts the frame that docs/frame-format.md shows', async () => {
    const path = resolve(import.meta.dirname, '../../docs/frame-format.md');
    const [, example] = /```json\n([\s\S]*?)```/.exec(readFileSync(path, 'utf8'))!;
    const response = await postJson(JSON.parse(example!));
    expect(response.status).toBe(200);
    expect(((await response.json()) as Report).visibility.primitivesIn).toBe(1);
  });

  it.each([
    [{ ...TWO_PASSES, passes: [] }, 400, 'passes'],
    [{ ...TWO_PASSES, buffers: [''] }, 400, 'passes[0].draws[0]'],
    [
      {
        ...TWO_PASSES,
        programs: TWO_PASSES.programs.map((program) => ({ ...program, vertexSource: 'x' })),
      },
      400,
      'programs[0]',
    ],
    [{ ...TWO_PASSES, widthPx: 17_000 }, 400, 'widthPx'],
    [[], 400, 'frame: an array'],
  ])('refuses native frame %#, naming the place', async (frame, status, place) => {
    const response = await postJson(frame);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { detail: string }).detail).toContain(place);
  });

  it('draws the bins over the image, by owner and by cost', async () => {
    const response = await postModel(url, model, SIZE);
    const report = (await response.json()) as Report;
    const imageUrl = `${url}${response.headers.get('location')}/image`;
    const plain = await fetch(imageUrl);
    const tags = new Set([plain.headers.get('etag')]);
    const image = PNG.sync.read(Buffer.from(await plain.arrayBuffer()));
    for (const bins of ['owner', 'cost']) {
      const answer = await fetch(`${imageUrl}?bins=${bins}`);
      tags.add(answer.headers.get('etag'));
      const drawn = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
      expect([drawn.width, drawn.height]).toEqual([image.width, image.height]);
      expect(drawn.data.equals(image.data)).toBe(false);
    }
    expect(tags.size).toBe(3);
    // Bins of one chiplet have the same tint, so they look the same over the same color.
    const answer = await fetch(`${imageUrl}?bins=owner`);
    const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    const tints = new Map<string, string>();
    for (const { x, y, chiplet } of report.bins) {
      const at = (y * 320 + x) * 4;
      const under = `${chiplet}: ${image.data.subarray(at, at + 3).join()}`;
      const tint = data.subarray(at, at + 3).join();
      expect(tints.get(under) ?? tint).toBe(tint);
      tints.set(under, tint);
    }
    expect(new Set(tints.values()).size).toBeGreaterThan(1);
    expect((await fetch(`${imageUrl}?bins=other`)).status).toBe(400);
  });

  it('creates one frame for a request that is sent twice with the same key', async () => {
    const headers = { 'Idempotency-Key': 'k-1', Prefer: '' };
    const [first, second] = await Promise.all([
      postModel(url, model, SIZE, headers),
      postModel(url, model, SIZE, headers),
    ]);
    const location = first.headers.get('location');
    expect(location).toMatch(/^\/v1\/frames\//);
    expect(second.headers.get('location')).toBe(location);
    const third = await postModel(url, model, SIZE, { 'Idempotency-Key': 'k-1' });
    expect(third.status).toBe(200);
    expect(third.headers.get('location')).toBe(location);
    const other = await postModel(url, model, `${SIZE}&policy=static`, headers);
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('lists frames by status, policy and part of the name, a page at a time', async () => {
    for (let i = 0; i < 3; i++) await postModel(url, model, `${SIZE}&policy=static-diagonal`);
    const ids: string[] = [];
    let next: string | null = '/v1/frames?policy=static-diagonal&status=done&search=GLTF&limit=2';
    const pageSizes: number[] = [];
    while (next !== null) {
      const answer = await fetch(url + next);
      const page = (await answer.json()) as { frames: Status[]; next: string | null };
      pageSizes.push(page.frames.length);
      ids.push(...page.frames.map(({ id }) => id));
      next = page.next;
    }
    expect(pageSizes).toEqual([2, 1]);
    expect(new Set(ids).size).toBe(3);
    const future = new Date(Date.now() + 60_000).toISOString();
    const none = await (await fetch(`${url}/v1/frames?from=${future}`)).json();
    expect(none).toEqual({ frames: [], next: null });
    expect((await fetch(`${url}/v1/frames?from=tomorrow`)).status).toBe(400);
    expect((await fetch(`${url}/v1/frames?limit=0`)).status).toBe(400);
  });

  it('simulates on the preset that the frame asks for, and on as many chiplets', async () => {
    const reports: Report[] = [];
    for (const query of ['&spec=default', '&spec=loongson', '&chiplets=7', '']) {
      const response = await postModel(url, model, SIZE + query);
      expect(response.status).toBe(200);
      reports.push((await response.json()) as Report);
    }
    expect(reports.map(({ spec }) => spec.name)).toEqual([
      'default',
      'loongson',
      'default',
      'default',
    ]);
    expect(new Set(reports.map(({ image }) => image.sha256)).size).toBe(1);
    const [byName, slow, seven, plain] = reports;
    expect(slow!.totals.cycles).not.toBe(plain!.totals.cycles);
    expect({ ...byName, wall: null }).toEqual({ ...plain, wall: null });
    expect(seven!.chiplets).toHaveLength(7);
    const unknown = await postModel(url, model, `${SIZE}&spec=imaginary`);
    expect(unknown.status).toBe(400);
    expect(((await unknown.json()) as { detail: string }).detail).toContain('loongson');
  });

  it('reports the progress of a frame, and continues after the last received event', async () => {
    const pid = started.service.pids().get('chiplet-worker 1')!;
    process.kill(pid, 'SIGSTOP');
    const admitted = await postModel(url, model, SIZE, { Prefer: '' });
    const { links } = (await admitted.json()) as Status;
    const first = await readEvents(url + links.events, {
      until: ({ name }) => name === 'bin',
    });
    expect(first[0]).toMatchObject({ name: 'frame', body: { links } });
    expect(first.at(-1)!.body).toMatchObject({ passIndex: 0, cycles: null });
    process.kill(pid, 'SIGCONT');
    const second = await readEvents(url + links.events, { lastEventId: first.at(-1)!.id });
    const all = [...first, ...second];
    const numbers = all.map(({ id }) => Number(id));
    expect(numbers.every((number, i) => i === 0 || number > numbers[i - 1]!)).toBe(true);
    expect(all.filter(({ name }) => name === 'bin')).toHaveLength(8);
    expect(second.at(-1)).toMatchObject({ name: 'frame', body: { status: 'done' } });
    const phases = all
      .filter(({ name }) => name === 'frame')
      .map(({ body }) => (body as { progress: { phase: string } }).progress.phase);
    expect(phases.slice(-4)).toEqual(['bins', 'simulation', 'encoding', 'over']);

    // A late client receives the final event. The service asks a client that already has it not to
    // reconnect.
    const late = await readEvents(url + links.events, {});
    expect(late.map(({ name }) => name)).toEqual(['frame']);
    const headers = { 'Last-Event-ID': all.at(-1)!.id };
    expect((await fetch(url + links.events, { headers })).status).toBe(204);
    expect((await fetch(`${url}/v1/frames/none/events`)).status).toBe(404);
  });

  it('reports events of the whole service', async () => {
    const reading = readEvents(`${url}/v1/events`, {
      until: ({ name, body }) => name === 'frame' && (body as Status).status === 'done',
    });
    await postModel(url, model, SIZE);
    const events = await reading;
    expect(events[0]).toMatchObject({
      name: 'snapshot',
      body: { queue: { waiting: 0 }, chiplets: [{ id: 0 }, { id: 1 }, { id: 2 }] },
    });
    const names = new Set(events.map(({ name }) => name));
    expect([...names]).toEqual(expect.arrayContaining(['queue', 'frame', 'bin']));
    // A chiplet may render a bin again, as a check, after the frame is done.
    const chiplets = await vi.waitFor(async () => {
      const answer = await fetch(`${url}/v1/chiplets`);
      const body = (await answer.json()) as { chiplets: { current: null; binsDone: number }[] };
      for (const chiplet of body.chiplets) {
        expect(chiplet).toMatchObject({ current: null, binsDone: expect.any(Number) });
      }
      return body.chiplets;
    }, WAIT);
    expect(Math.max(...chiplets.map(({ binsDone }) => binsDone))).toBeGreaterThan(0);
  });
});
