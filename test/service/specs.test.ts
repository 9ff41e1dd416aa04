/** Hardware parameters over HTTP: settings, stored specifications and sweeps, on real processes. */
import { CHIPLET_PRESETS } from '@tessera/chiplet-spec';
import type { Report } from '@tessera/frame';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../packages/experiments/src/tables/csv.ts';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { readEvents } from '../support/read-events.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=320&height=192&bins=8&chiplets=2';
/** Five parameters of different kinds and units. */
const SETTINGS = {
  smCount: 2,
  l2CacheBytes: 65_536,
  dramChannels: 1,
  hasBoxTest: false,
  slotPolicy: 'gcn',
};
const SET = 'smCount=2,l2CacheBytes=64Ki,dramChannels=1,hasBoxTest=off,slotPolicy=gcn';

interface Problem {
  readonly detail: string;
}

describe('specifications', () => {
  let started: TestService;
  let model: Uint8Array;
  let plain: Report;

  async function render(query: string): Promise<Report> {
    const response = await postModel(started.url, model, SIZE + query);
    expect(response.status).toBe(200);
    return (await response.json()) as Report;
  }

  function putSpec(name: string, body: object, { url } = started): Promise<Response> {
    return fetch(`${url}/v1/specs/${name}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  beforeAll(async () => {
    model = await makeKnotModel();
    started = await startTestService({ workerCount: 1 });
    plain = await render('');
  });

  it('are changed by settings in the query, with the same image and other cycles', async () => {
    const report = await render(`&set=${SET}`);
    expect(report.spec.name).toBe(
      'default+smCount=2,l2CacheBytes=65536,dramChannels=1,hasBoxTest=off,slotPolicy=gcn',
    );
    expect(report.spec.parameters).toEqual({ ...plain.spec.parameters, ...SETTINGS });
    expect(report.image).toEqual(plain.image);
    expect(report.totals.cycles).toBeGreaterThan(plain.totals.cycles!);
    expect({ ...(await render(`&set=${SET}`)), wall: null }).toEqual({ ...report, wall: null });
  });

  it('are stored under a name, which frames posted later use', async () => {
    const created = await putSpec('mine', { set: SETTINGS });
    expect([created.status, ((await created.json()) as { isPreset: boolean }).isPreset]).toEqual([
      201,
      false,
    ]);
    const stored = await render('&spec=mine');
    const set = await render(`&set=${SET}`);
    expect(stored.spec).toEqual({ ...set.spec, name: 'mine' });
    expect(stored.totals).toEqual(set.totals);
    const changed = await render('&spec=mine&set=smCount=3');
    expect(changed.spec).toMatchObject({ name: 'mine+smCount=3', parameters: { smCount: 3 } });

    expect((await putSpec('mine', { preset: 'loongson' })).status).toBe(200);
    expect((await render('&spec=mine')).spec.parameters.warpThreads).toBe(16);
    const listed = await (await fetch(`${started.url}/v1/specs`)).json();
    const { specs } = listed as { specs: { name: string }[] };
    expect(listed).toMatchObject({ default: 'default' });
    expect(specs.map(({ name }) => name)).toEqual([...Object.keys(CHIPLET_PRESETS), 'mine']);

    const path = `${started.url}/v1/specs/mine`;
    expect((await fetch(path, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(path)).status).toBe(404);
  });

  it('of accepted and stored frames survive the end of the coordinator', async () => {
    const environment = { TESSERA_DATA_DIR: makeDataFolder() };
    const first = await startTestService({ workerCount: 0, environment });
    const pids = first.service.pids();
    await putSpec('kept', { set: SETTINGS }, first);
    await putSpec('deleted', { set: SETTINGS }, first);
    process.kill(pids.get('visibility-chiplet')!, 'SIGSTOP');
    const query = `${SIZE}&spec=deleted`;
    const admitted = await postModel(first.url, model, query, { Prefer: '' });
    const location = admitted.headers.get('location')!;
    await fetch(`${first.url}/v1/specs/deleted`, { method: 'DELETE' });
    process.kill(pids.get('coordinator')!, 'SIGKILL');
    process.kill(pids.get('visibility-chiplet')!, 'SIGCONT');
    await expect.poll(() => first.service.pids().size, { timeout: 60_000 }).toBe(0);

    const second = await startTestService({ workerCount: 0, environment });
    const kept = await postModel(second.url, model, `${SIZE}&spec=kept`);
    const expected = (await kept.json()) as Report;
    expect(expected.spec.parameters).toEqual({ ...plain.spec.parameters, ...SETTINGS });
    const report = async () => {
      const response = await fetch(`${second.url}${location}/report`);
      return response.ok ? ((await response.json()) as Report) : null;
    };
    await expect.poll(report, { timeout: 60_000 }).toMatchObject({
      spec: { name: 'deleted', parameters: expected.spec.parameters },
      totals: expected.totals,
    });
  });

  it('have short names, however often a frame is rendered again with other settings', async () => {
    const posted = await postModel(started.url, model, SIZE, { Prefer: '' });
    let { id } = (await posted.json()) as { id: string };
    for (let round = 1; round <= 6; round++) {
      const set = ['Activate', 'Precharge', 'Column'].map((name) => `dram${name}Cycles=${round}`);
      const again = `${started.url}/v1/frames/${id}/again?set=${set},clockHz=${round}000000`;
      const admitted = await fetch(again, { method: 'POST' });
      expect(admitted.status).toBe(202);
      ({ id } = (await admitted.json()) as { id: string });
    }
    const report = async () => {
      const response = await fetch(`${started.url}/v1/frames/${id}/report`);
      return response.ok ? ((await response.json()) as Report).spec.name : null;
    };
    const changes = 'dramActivateCycles=6,dramPrechargeCycles=6,dramColumnCycles=6,clockHz=6000000';
    await expect.poll(report, { timeout: 60_000 }).toBe(`default+${changes}`);
  });

  it.each([
    ['&set=smCount=65', 'query.set: smCount: 65 is not an integer from 1 to 64 shader cores'],
    [
      '&set=l2CacheBytes=5000',
      'query.set: l2CacheBytes: 5000 is not a power of two from 4096 to 67108864 bytes',
    ],
    [
      '&set=l2Cache=5',
      'query.set: l2Cache: no such parameter; did you mean hasL2Cache, l2CacheWays, l2CacheBytes?',
    ],
    ['&set=smCount', "query.set: 'smCount' is not name=value"],
    ['&spec=imaginary', "query.spec: 'imaginary' is neither a preset (default, loongson, hmgpu,"],
  ])('refuse %s by name', async (query, message) => {
    const response = await postModel(started.url, model, SIZE + query);
    expect(response.status).toBe(400);
    expect(((await response.json()) as Problem).detail).toContain(message);
  });

  it('may lower the budgets of shaders, but not raise them above those of the service', async () => {
    const lowered = await render('&set=invocationInstructionBudget=4096');
    expect(lowered.image).toEqual(plain.image);
    const message =
      'invocationInstructionBudget: 1073741824 instructions; this service permits 1048576';
    await putSpec('long', { set: { invocationInstructionBudget: 2 ** 30 } });
    const posted = await postModel(started.url, model, SIZE, { Prefer: '' });
    const { id } = (await posted.json()) as { id: string };
    const again = `${started.url}/v1/frames/${id}/again?set=invocationInstructionBudget=1Gi`;
    const sweep = { invocationInstructionBudget: [4096, 2 ** 30] };
    const answers = [
      [
        'query.set',
        await postModel(started.url, model, `${SIZE}&set=invocationInstructionBudget=1Gi`),
      ],
      ['query.set', await fetch(again, { method: 'POST' })],
      ['query.spec', await postModel(started.url, model, `${SIZE}&spec=long`)],
      [
        'body.sweep',
        await fetch(`${started.url}/v1/studies`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ frames: [id], chiplets: [2], sweep }),
        }),
      ],
    ] as const;
    for (const [place, answer] of answers) {
      expect(answer.status).toBe(413);
      expect(((await answer.json()) as Problem).detail).toContain(`${place}: ${message}`);
    }
    await fetch(`${started.url}/v1/specs/long`, { method: 'DELETE' });
  });

  it.each([
    ['default', {}, 'name: default is a preset'],
    ['Upper', {}, 'name'],
    ['mine', { set: { smCount: 0 } }, 'body: smCount: 0 is not an integer from 1 to 64'],
    ['mine', { preset: 'x' }, "body: spec: 'x' is not one of default"],
    ['mine', { smCount: 4 }, 'smCount'],
  ])('refuse to be stored as %s: %j', async (name, body, message) => {
    const response = await putSpec(name, body);
    expect(response.status).toBe(400);
    expect(((await response.json()) as Problem).detail).toContain(message);
  });

  it('are swept by a study, with a column for each parameter', async () => {
    const posted = await postModel(started.url, model, SIZE, { Prefer: '' });
    const { id } = (await posted.json()) as { id: string };
    const postStudy = (sweep: object) =>
      fetch(`${started.url}/v1/studies`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ frames: [id], chiplets: [2], bins: [8], sweep }),
      });
    const refused = await postStudy({ smCount: [2, 65] });
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as Problem).detail).toContain('body.sweep: smCount: 65 is not');
    const large = await postStudy({
      dramQueueEntries: Array.from({ length: 64 }, (_, i) => i + 2),
      queueEntries: Array.from({ length: 64 }, (_, i) => i + 1),
    });
    expect(large.status).toBe(413);

    const admitted = await postStudy({ smCount: [2, 4], hasBoxTest: [true, false] });
    expect(admitted.status).toBe(202);
    const { links } = (await admitted.json()) as { links: { csv: string; events: string } };
    const events = await readEvents(started.url + links.events, {});
    expect(events.at(-1)).toMatchObject({ body: { status: 'done', progress: { total: 4 } } });
    const csv = await (await fetch(started.url + links.csv)).text();
    const rows = readRecords(parseCsv(csv));
    expect(Object.keys(rows[0]!).join()).toContain(',specDigest,smCount,hasBoxTest,bins,');
    expect(rows.map(({ smCount, hasBoxTest }) => `${smCount} ${hasBoxTest}`)).toEqual([
      '2 on',
      '2 off',
      '4 on',
      '4 off',
    ]);
    expect(new Set(rows.map(({ specDigest }) => specDigest)).size).toBe(4);
    for (const { smCount, hasBoxTest, cycles } of rows) {
      const report = await render(`&set=smCount=${smCount},hasBoxTest=${hasBoxTest}`);
      expect(Number(cycles), `${smCount} ${hasBoxTest}`).toBe(report.totals.cycles);
    }
    // Two renderings, because only the box test changes what is rasterized.
    const frames = await fetch(`${started.url}/v1/frames?tag=study`);
    expect(((await frames.json()) as { frames: unknown[] }).frames).toHaveLength(2);
  });
});
