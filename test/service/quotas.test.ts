/** Quotas and weights of tokens, in a service of real processes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const tokenOf = (name: string) => `token-of-${name}-0123456789`;
const as = (name: string) => ({ Authorization: `Bearer ${tokenOf(name)}` });
const tenant = (name: string, quotas: object = {}) => ({
  name,
  tokens: [tokenOf(name)],
  ...quotas,
});
const SMALL = '?width=64&height=64&timing=functional';
const WAIT = { Prefer: 'wait=60' };

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly quota?: { readonly name: string; readonly limit: number; readonly used: number };
  readonly retryAfter: number | null;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const { status, headers } = response;
  const retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : null;
  const { code, quota } = (await response.json()) as Pick<Refusal, 'code' | 'quota'>;
  return { status, code, ...(quota === undefined ? {} : { quota }), retryAfter };
}

/** Returns the use of a quota. */
async function useOf(url: string, client: string, quota: string): Promise<number> {
  const response = await fetch(`${url}/v1/quota`, { headers: as(client) });
  const { client: name, quotas } = (await response.json()) as {
    client: string;
    quotas: { name: string; used: number }[];
  };
  expect(name).toBe(client);
  return quotas.find((other) => other.name === quota)!.used;
}

function startWith(folder: string, tenants: readonly object[], workerCount: number, more = {}) {
  const TESSERA_TENANTS_FILE = join(folder, 'tenants.json');
  writeFileSync(TESSERA_TENANTS_FILE, JSON.stringify(tenants));
  return startTestService({
    workerCount,
    environment: { TESSERA_DATA_DIR: folder, TESSERA_TENANTS_FILE, ...more },
  });
}

let model: Uint8Array;
beforeAll(async () => {
  model = await makeModelGlb();
});

describe('a client that used up a quota', () => {
  const folder = makeDataFolder();
  const tenants = [
    tenant('free'),
    tenant('time', { maxChipletSeconds: 0.002 }),
    tenant('readers', { maxPrepareSeconds: 0.002, periodSeconds: 86_400 }),
    tenant('files', { maxBytes: 100_000 }),
    tenant('streams', { maxConnections: 2 }),
  ];
  let url = '';
  let stop: () => Promise<void>;
  let kill: () => void;
  let frame = '';

  async function start(): Promise<void> {
    const started = await startWith(folder, tenants, 1);
    url = started.url;
    stop = () => started.service.stop();
    kill = () => process.kill(started.service.pids().get('coordinator')!, 'SIGKILL');
  }
  beforeAll(start, 60_000);

  it('of seconds gets 429 with its name for every kind of work, and another client is served', async () => {
    const startMs = performance.now();
    const first = await postModel(url, model, SMALL, { ...as('time'), Prefer: 'wait=0' });
    expect(first.status).toBe(202);
    frame = ((await first.json()) as { id: string }).id;
    const wanted = { headers: { ...as('time'), Accept: 'application/json' } };
    while ((await fetch(`${url}/v1/frames/${frame}/report`, wanted)).status !== 200)
      await sleep(20);
    const used = await useOf(url, 'time', 'chipletSeconds');
    // Two chiplets were busy for at most as long as the frame took.
    expect(used).toBeGreaterThan(0.002);
    expect(used).toBeLessThan((2 * (performance.now() - startMs)) / 1000);

    const again = { method: 'POST', headers: as('time') };
    const posts = [
      postModel(url, model, SMALL, as('time')),
      fetch(`${url}/v1/frames/${frame}/again`, again),
      fetch(`${url}/v1/sequences?frames=2&${SMALL.slice(1)}`, {
        method: 'POST',
        headers: { ...as('time'), 'Content-Type': 'model/gltf-binary' },
        body: new Uint8Array(model),
      }),
    ];
    for (const post of posts) {
      const refusal = await refusalOf(await post);
      expect(refusal).toMatchObject({
        status: 429,
        code: 'QUOTA_EXCEEDED',
        quota: { name: 'chipletSeconds', limit: 0.002 },
      });
      expect(refusal.retryAfter).toBeGreaterThan(3000);
      expect(refusal.retryAfter).toBeLessThanOrEqual(3660);
    }
    expect((await postModel(url, model, SMALL, as('free'))).status).toBe(200);
    const metrics = await (await fetch(`${url}/metrics`, { headers: as('free') })).text();
    const shown = /tessera_quota_used\{client="time",quota="chipletSeconds"\} (\S+)/.exec(metrics);
    // A chiplet may have been at a second rendering of a bin, to check it, when the frame was done.
    expect(Number(shown?.[1])).toBeGreaterThanOrEqual(used);
    expect(Number(shown?.[1])).toBeLessThanOrEqual(await useOf(url, 'time', 'chipletSeconds'));
    expect(metrics).toContain('tessera_quota_limit{client="time",quota="chipletSeconds"} 0.002');
  });

  it('of preparation gets 429, also for questions about the frames of others', async () => {
    expect((await postModel(url, model, SMALL, as('readers'))).status).toBe(200);
    const refusals = [
      await postModel(url, model, SMALL, as('readers')),
      await fetch(`${url}/v1/frames/${frame}/draws`, { headers: as('readers') }),
      await fetch(`${url}/v1/frames/${frame}/image?bins=owner`, { headers: as('readers') }),
    ];
    for (const response of refusals) {
      const { status, quota } = await refusalOf(response);
      expect([status, quota?.name]).toEqual([429, 'prepareSeconds']);
    }
    const free = await fetch(`${url}/v1/frames/${frame}/draws`, { headers: as('free') });
    expect(free.status).toBe(200);
  });

  it('has its studies wait, while those of another client run', async () => {
    const body = JSON.stringify({ frames: [frame], chiplets: [1, 2] });
    const post = async (client: string) => {
      const headers = { ...as(client), 'Content-Type': 'application/json' };
      const posted = await fetch(`${url}/v1/studies`, { method: 'POST', headers, body });
      expect(posted.status).toBe(202);
      return `${url}/v1/studies/${((await posted.json()) as { id: string }).id}`;
    };
    const [waiting, running] = [await post('time'), await post('free')];
    const statusOf = async (study: string) =>
      ((await (await fetch(study, { headers: as('free') })).json()) as { status: string }).status;
    while ((await statusOf(running)) === 'running') await sleep(50);
    expect([await statusOf(waiting), await statusOf(running)]).toEqual(['running', 'done']);
    await fetch(waiting, { method: 'DELETE', headers: as('time') });
    expect(await statusOf(waiting)).toBe('cancelled');
  });

  it('of bytes gets 429 without Retry-After until it deletes something', async () => {
    const { createHash } = await import('node:crypto');
    const put = (client: string, bytes: number, fill: string) => {
      const body = Buffer.alloc(bytes, fill);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const headers = { ...as(client), 'Content-Type': 'application/octet-stream' };
      return fetch(`${url}/v1/resources/${sha256}`, { method: 'PUT', headers, body });
    };
    expect((await put('files', 60_000, 'a')).status).toBe(201);
    expect(await useOf(url, 'files', 'bytes')).toBe(60_000);
    expect((await put('files', 60_000, 'a')).status).toBe(429); // 120,000 bytes would be on disk.
    expect(await refusalOf(await put('files', 50_000, 'b'))).toEqual({
      status: 429,
      code: 'QUOTA_EXCEEDED',
      quota: { name: 'bytes', limit: 100_000, used: 60_000 },
      retryAfter: null,
    });
    expect((await put('free', 50_000, 'b')).status).toBe(201);
    // A frame is admitted below the limit. Its results may exceed it, and end what comes next.
    const query = '?width=256&height=256&timing=functional';
    const posted = await postModel(url, model, query, { ...as('files'), Prefer: 'wait=60' });
    expect(posted.status).toBe(200);
    expect(await useOf(url, 'files', 'bytes')).toBeGreaterThan(60_000 + model.length);
  });

  it('of connections gets 429 until one of its event streams ends', async () => {
    const abort = new AbortController();
    const open = () => fetch(`${url}/v1/events`, { headers: as('streams'), signal: abort.signal });
    await Promise.all([open(), open()]);
    const refusal = await refusalOf(await open());
    expect(refusal).toMatchObject({
      status: 429,
      quota: { name: 'connections', limit: 2, used: 2 },
      retryAfter: 1,
    });
    expect((await fetch(`${url}/v1/frames`, { headers: as('free') })).status).toBe(200);
    abort.abort();
    let status = 429;
    while (status === 429) {
      await sleep(20);
      ({ status } = await fetch(`${url}/v1/quota`, { headers: as('streams') }));
    }
    expect(await useOf(url, 'streams', 'connections')).toBe(1);
  });

  it.each(['an orderly restart', 'a kill'])(
    'stays refused after the frame is deleted and %s',
    async (how) => {
      const before = await useOf(url, 'time', 'chipletSeconds');
      await fetch(`${url}/v1/frames/${frame}`, { method: 'DELETE', headers: as('time') });
      if (how === 'a kill') kill();
      await stop();
      await start();
      expect(await useOf(url, 'time', 'chipletSeconds')).toBe(before);
      const { status, quota } = await refusalOf(await postModel(url, model, SMALL, as('time')));
      expect([status, quota?.name]).toEqual([429, 'chipletSeconds']);
      expect((await postModel(url, model, SMALL, { ...as('free'), ...WAIT })).status).toBe(200);
    },
    60_000,
  );
});

describe('clients of weights 3 and 1', () => {
  it('get three turns to one, also for frames that an earlier process admitted', async () => {
    const folder = makeDataFolder();
    const tenants = [
      tenant('operator'),
      tenant('heavy', { weight: 3, maxPlaces: 10 }),
      tenant('light', { maxPlaces: 3 }),
    ];
    const more = { TESSERA_FRAMES_IN_FLIGHT: '1', TESSERA_VISIBILITY_RENDERS: 'false' };
    const first = await startWith(folder, tenants, 0, more);
    const clientById = new Map<string, string>();
    const post = (client: string, path: string) =>
      postModel(path, model, SMALL, { ...as(client), Prefer: 'wait=0' });
    // The first frame is in progress and waits for a worker.
    for (const client of [
      'operator',
      ...Array<string>(9).fill('heavy'),
      ...Array<string>(3).fill('light'),
    ]) {
      const response = await post(client, first.url);
      expect(response.status).toBe(202);
      clientById.set(((await response.json()) as { id: string }).id, client);
    }
    const refusal = await refusalOf(await post('light', first.url));
    expect(refusal.quota).toEqual({ name: 'places', limit: 3, used: 3 });
    expect(refusal.retryAfter).toBe(1);
    expect(await useOf(first.url, 'heavy', 'places')).toBe(9);
    await first.service.stop();

    const second = await startWith(folder, tenants, 0, more);
    while (
      (await useOf(second.url, 'heavy', 'places')) + (await useOf(second.url, 'light', 'places')) <
      12
    ) {
      await sleep(20);
    }
    const events = await fetch(`${second.url}/v1/events`, { headers: as('operator') });
    second.service.addWorker();
    const order: string[] = [];
    let text = '';
    for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (!/^event: frame$/m.test(block) || data === undefined) continue;
        const { id, status } = JSON.parse(data) as { id: string; status: string };
        if (status === 'done') order.push(clientById.get(id)!);
      }
      if (order.length === clientById.size) break;
    }
    // The frames of the weights 3 and 1 interleave so that any four have one light one.
    const turns = order.filter((client) => client !== 'operator');
    expect(turns).toHaveLength(12);
    for (const from of [0, 4, 8]) {
      const four = turns.slice(from, from + 4);
      expect(
        four.filter((client) => client === 'light'),
        turns.join(' '),
      ).toHaveLength(1);
    }
  }, 120_000);
});
