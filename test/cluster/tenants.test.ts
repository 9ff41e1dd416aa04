/** What a tenant of a gateway can see and change of another one. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster } from '../../scripts/cluster/cluster-processes.ts';

const MODEL = readFileSync('test/golden/models/BoxVertexColors.glb');
const TENANTS = ['owner', 'neighbor'].map((name) => ({ name, tokens: [`the-token-of-${name}`] }));
const bearer = (name: string) => ({ Authorization: `Bearer the-token-of-${name}` });

describe('a neighbor tenant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-tenants-'));
  const tenantsFile = join(folder, 'tenants.json');
  writeFileSync(tenantsFile, JSON.stringify(TENANTS));
  const cluster = new Cluster({
    folder,
    engineUrl: `sqlite:${join(folder, 'engine.sqlite')}`,
    workerCount: 1,
    environment: { TESSERA_TENANTS_FILE: tenantsFile },
    headers: bearer('owner'),
  });
  let frame = '';
  let study = '';

  function ask(tenant: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...bearer(tenant), ...(init.headers as Record<string, string>) };
    return fetch(`${cluster.url}${path}`, { ...init, headers });
  }

  beforeAll(async () => {
    await cluster.startGateway();
    const headers = { 'Content-Type': 'model/gltf-binary' };
    const posted = await ask('owner', '/v1/frames?width=64&height=48', {
      method: 'POST',
      headers,
      body: MODEL,
    });
    expect(posted.status, await posted.clone().text()).toBe(202);
    frame = posted.headers.get('Location')!;
    const request = { frames: [frame.split('/').at(-1)], chiplets: [1], coupling: 'none' };
    const begun = await ask('owner', '/v1/studies', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect(begun.status, await begun.clone().text()).toBe(202);
    study = begun.headers.get('Location')!;
  }, 120_000);
  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('does not see frames and studies of others, nor read or delete them', async () => {
    for (const path of [frame, study]) {
      for (const method of ['GET', 'DELETE']) {
        expect((await ask('neighbor', path, { method })).status, `${method} ${path}`).toBe(404);
      }
      expect((await ask('owner', path)).status, path).toBe(200);
    }
    for (const part of ['image', 'report']) {
      expect((await ask('neighbor', `${frame}/${part}`)).status, part).toBe(404);
    }
    for (const [list, key] of [
      ['/v1/frames', 'frames'],
      ['/v1/studies', 'studies'],
    ] as const) {
      const countOf = async (tenant: string) =>
        ((await (await ask(tenant, list)).json()) as Record<string, unknown[]>)[key]!.length;
      expect(await countOf('owner'), list).toBe(1);
      expect(await countOf('neighbor'), list).toBe(0);
    }
  });

  it('cannot sweep a frame of others in a study of its own', async () => {
    const request = { frames: [frame.split('/').at(-1)], chiplets: [1], coupling: 'none' };
    const answer = await ask('neighbor', '/v1/studies', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('can read a file whose hash it knows', async () => {
    const sha256 = createHash('sha256').update(MODEL).digest('hex');
    const answer = await ask('neighbor', `/v1/blobs/${sha256}`);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(MODEL)).toBe(true);
    expect((await ask('neighbor', `/v1/blobs/${'0'.repeat(64)}`)).status).toBe(404);
  });
});
