/** Chiplets that are halted, return wrong results, or are all lost; a halted coordinator. */

import type { Chiplet, Report } from '@tessera/frame';
import { CoordinatorLink, ResourceStore } from '@tessera/wire';
import { describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  postModel,
  renderUntilTrusted,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const SIZE = '?width=256&height=192&bins=12&chiplets=3';
/** Detects silence within two seconds. */
const IMPATIENT = { TESSERA_HEARTBEAT_MS: '100', TESSERA_SILENT_MS: '2000' };

interface ChipletState {
  readonly role: string;
  readonly instance: string;
  readonly isReady: boolean;
  readonly faults: number;
  readonly setAsideUntilMs: number | null;
}

async function chipletsOf(url: string): Promise<ChipletState[]> {
  const answer = await fetch(`${url}/v1/chiplets`);
  return ((await answer.json()) as { chiplets: ChipletState[] }).chiplets;
}

async function statusOf(url: string): Promise<string> {
  return ((await (await fetch(url)).json()) as { status: string }).status;
}

function signal({ service }: TestService, name: string, what: NodeJS.Signals): void {
  process.kill(service.pids().get(name)!, what);
}

describe('silence', () => {
  it('of a halted worker is detected; its bins are rendered elsewhere, and it reconnects', async () => {
    const model = await makeKnotModel();
    const started = await startTestService({ workerCount: 2, environment: IMPATIENT });
    const { url, service } = started;
    const expected = (await (await postModel(url, model, SIZE)).json()) as Report;
    await renderUntilTrusted(url, model, SIZE);
    signal(started, 'chiplet-worker 1', 'SIGSTOP');
    const report = (await (await postModel(url, model, SIZE)).json()) as Report;
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    await expect.poll(async () => (await chipletsOf(url)).length, { timeout: 60_000 }).toBe(2);
    signal(started, 'chiplet-worker 1', 'SIGCONT');
    await service.waitForWorkers(2);
  });

  it('of a halted visibility chiplet ends its phase; the frame restarts when it is back', async () => {
    const model = await makeKnotModel();
    const started = await startTestService({ workerCount: 1, environment: IMPATIENT });
    const { url } = started;
    const expected = (await (await postModel(url, model, SIZE)).json()) as Report;
    signal(started, 'visibility-chiplet', 'SIGSTOP');
    const admitted = await postModel(url, model, SIZE, { Prefer: '' });
    const frame = url + admitted.headers.get('location');
    await expect
      .poll(async () => (await chipletsOf(url)).some(({ role }) => role === 'visibility'), {
        timeout: 60_000,
      })
      .toBe(false);
    expect(await statusOf(frame)).toBe('running');
    signal(started, 'visibility-chiplet', 'SIGCONT');
    await expect.poll(() => statusOf(frame), { timeout: 60_000 }).toBe('done');
    const report = (await (await fetch(`${frame}/report`)).json()) as Report;
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
  });

  it('of a halted coordinator is detected by chiplets, which register again', async () => {
    const model = await makeKnotModel();
    const started = await startTestService({ workerCount: 1, environment: IMPATIENT });
    const { url, service, lines } = started;
    signal(started, 'coordinator', 'SIGSTOP');
    await expect
      .poll(() => lines.filter((line) => line.includes('silent for')).length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(2);
    signal(started, 'coordinator', 'SIGCONT');
    await service.waitForWorkers(1);
    expect((await postModel(url, model, SIZE)).status).toBe(200);
  });
});

describe('workers', () => {
  it('that are all lost keep frames waiting until one is back', async () => {
    const model = await makeKnotModel();
    const started = await startTestService({
      workerCount: 2,
      isRestarting: false,
      environment: { ...IMPATIENT, TESSERA_VISIBILITY_RENDERS: 'false' },
    });
    const { url, service } = started;
    const expected = (await (await postModel(url, model, SIZE)).json()) as Report;
    for (const name of ['chiplet-worker 1', 'chiplet-worker 2']) signal(started, name, 'SIGKILL');
    await expect.poll(async () => (await chipletsOf(url)).length).toBe(1);
    const admitted = await postModel(url, model, SIZE, { Prefer: '' });
    expect(admitted.status).toBe(202);
    service.addWorker();
    const frame = url + admitted.headers.get('location');
    await expect.poll(() => statusOf(frame), { timeout: 60_000 }).toBe('done');
    const report = (await (await fetch(`${frame}/report`)).json()) as Report;
    expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
  });

  it('that answer wrongly are rejected, and quarantined after the third time', async () => {
    const model = await makeKnotModel();
    const { url, service } = await startTestService({ workerCount: 1 });
    const expected = (await (await postModel(url, model, SIZE)).json()) as Report;

    const liar: Chiplet = {
      id: 2,
      computeVisibility: () => Promise.reject(new Error('workers do not compute visibility')),
      renderBin: async ({ frameId, passIndex, binId }) => ({
        frameId,
        passIndex,
        binId,
        rect: { x: 0, y: 0, width: 1, height: 1 },
        colors: [new Uint8Array(4)],
        depthStencil: null,
        counters: {},
        cycles: 1,
        spans: [],
      }),
      releaseFrame: () => {},
    };
    const link = new CoordinatorLink({
      url: `${url.replace('http', 'ws')}/chiplets`,
      secret: service.chipletSecret,
      role: 'worker',
      instance: 'liar',
      crosslinkUrl: null,
      resources: new ResourceStore(1e6),
      heartbeatMs: 1000,
      heartbeatSilentLimit: 10,
      chipletOf: () => liar,
      onCrosslinkAddress: () => {},
      onUp: () => {},
      onDown: () => {},
      onBug: () => {},
    });
    link.setReady(true);
    const stateOfLiar = async () =>
      (await chipletsOf(url)).find(({ instance }) => instance === 'liar');
    await expect.poll(stateOfLiar).toMatchObject({ isReady: true, faults: 0 });

    for (let frames = 0; (await stateOfLiar())?.setAsideUntilMs === null; frames++) {
      expect(frames).toBeLessThan(10);
      const report = (await (await postModel(url, model, SIZE)).json()) as Report;
      expect({ ...report, wall: null }).toEqual({ ...expected, wall: null });
    }
    expect((await stateOfLiar())?.faults).toBeGreaterThanOrEqual(3);
    const undisturbed = (await (await postModel(url, model, SIZE)).json()) as Report;
    expect(undisturbed.wall.retriedBins).toBe(0);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^tessera_answers_rejected_total\{why="wrong"\} [3-9]$/m);
    expect(metrics).toMatch(/^tessera_chiplets_set_aside 1$/m);
    link.stop('the test is over');
  });
});
