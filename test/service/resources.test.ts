/** Frames that name uploaded resources by hash, with real processes. */
import { createHash } from 'node:crypto';
import { type Report, type Sha256, toReferencingNativeJson } from '@tessera/frame';
import { parseNativeFrame } from '@tessera/wire/native-frame';
import { describe, expect, it } from 'vitest';
import {
  makeDataFolder,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

/** A triangle with a texture in the native format, with all contents included. */
const WHOLE = JSON.stringify({
  widthPx: 192,
  heightPx: 128,
  buffers: [Buffer.from(Float32Array.of(-1, -1, 1, -1, 0, 1).buffer).toString('base64')],
  textures: [
    {
      format: 'rgba8unorm',
      widthPx: 2,
      heightPx: 1,
      levels: [Buffer.of(250, 10, 20, 255, 10, 20, 250, 255).toString('base64')],
    },
  ],
  programs: [
    {
      vertexSource:
        'attribute vec2 at; varying vec2 uv; void main() { uv = at * 0.5 + 0.5; gl_Position = vec4(at, 0.0, 1.0); }',
      fragmentSource:
        'precision highp float; uniform sampler2D image; uniform vec4 tint; varying vec2 uv; ' +
        'void main() { gl_FragColor = texture2D(image, uv) * tint; }',
    },
  ],
  passes: [
    {
      draws: [
        {
          programIndex: 0,
          count: 3,
          attributes: {
            at: {
              bufferIndex: 0,
              strideBytes: 8,
              componentType: 'float32',
              componentCount: 2,
            },
          },
          uniforms: { tint: [0.3, 1, 0.9, 1] },
          textures: { image: { textureIndex: 0 } },
        },
      ],
    },
  ],
});
const NAMING = toReferencingNativeJson(parseNativeFrame(Buffer.from(WHOLE)), (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
});

interface MissingProblem {
  readonly code: string;
  readonly missing?: readonly string[];
}

function post(url: string, body: string, prefer = 'wait=60'): Promise<Response> {
  return fetch(`${url}/v1/frames?chiplets=2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Prefer: prefer },
    body,
  });
}

function put(url: string, sha256: Sha256, content: Uint8Array): Promise<Response> {
  return fetch(`${url}/v1/resources/${sha256}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(content),
  });
}

async function putAll(url: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const [sha256, content] of NAMING.contents) {
    statuses.push((await put(url, sha256, content)).status);
  }
  return statuses;
}

async function killCoordinator({ service }: TestService): Promise<void> {
  process.kill(service.pids().get('coordinator')!, 'SIGKILL');
  await expect.poll(() => service.pids().size, { timeout: 60_000 }).toBe(0);
}

async function statusOf(url: string): Promise<string> {
  return ((await (await fetch(url)).json()) as { status: string }).status;
}

describe('resources', () => {
  it('are requested, uploaded once, named by frames, and yield the image of the self-contained frame', async () => {
    const { url } = await startTestService({ workerCount: 1 });
    const refused = await post(url, NAMING.json);
    expect(refused.status).toBe(409);
    const problem = (await refused.json()) as MissingProblem;
    expect(problem.code).toBe('RESOURCES_MISSING');
    expect(new Set(problem.missing)).toEqual(new Set(NAMING.contents.keys()));

    expect(await putAll(url)).toEqual([201, 201, 201, 201]);
    expect(await putAll(url)).toEqual([204, 204, 204, 204]);
    const [sha256] = NAMING.contents.keys();
    const wrong = await put(url, sha256!, Buffer.from('something else'));
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ code: 'REQUEST_INVALID' });
    expect((await put(url, 'A'.repeat(64), Buffer.from('x'))).status).toBe(400);

    const named = (await (await post(url, NAMING.json)).json()) as Report;
    const whole = (await (await post(url, WHOLE)).json()) as Report;
    expect(named.totals.fragments).toBeGreaterThan(1000);
    expect({ ...named, wall: null }).toEqual({ ...whole, wall: null });
  });

  it('outlive a kill −9 of the coordinator, and their eviction, for a frame that was admitted', async () => {
    const environment = { TESSERA_DATA_DIR: makeDataFolder(), TESSERA_RESOURCE_BYTES: '2048' };
    const first = await startTestService({ workerCount: 1, environment });
    await putAll(first.url);
    process.kill(first.service.pids().get('chiplet-worker 1')!, 'SIGSTOP');
    const admitted = await post(first.url, NAMING.json, '');
    expect(admitted.status).toBe(202);
    const location = admitted.headers.get('location')!;
    // Other resources replace it in the store.
    for (const letter of ['x', 'y']) {
      const content = Buffer.from(letter.repeat(1500));
      await put(first.url, createHash('sha256').update(content).digest('hex'), content);
    }
    expect((await post(first.url, NAMING.json)).status).toBe(409);
    process.kill(first.service.pids().get('chiplet-worker 1')!, 'SIGCONT');
    await killCoordinator(first);

    const second = await startTestService({ workerCount: 1, environment });
    await expect.poll(() => statusOf(second.url + location), { timeout: 60_000 }).toBe('done');
    const report = (await (await fetch(`${second.url}${location}/report`)).json()) as Report;
    expect(report.totals.fragments).toBeGreaterThan(1000);
  });
});
